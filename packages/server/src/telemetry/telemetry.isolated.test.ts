import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import type { ExportResult } from '@opentelemetry/core';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import { logFailures } from './export-health.ts';
import { createPrometheusProducer, type MetricSample } from './prometheus-producer.ts';
import { createRateLimitedSampler, samplerOf } from './sampler.ts';
import { positiveNumberOf, signalsOf, usesProtobuf } from './settings.ts';
import { startTelemetry } from './telemetry.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const sample = (sampler: ReturnType<typeof samplerOf>, context = ROOT_CONTEXT) =>
  sampler!.shouldSample(context, TRACE_ID, 'GET', SpanKind.SERVER, {}, []).decision ===
  SamplingDecision.RECORD_AND_SAMPLED;
const callerWith = (traceFlags: TraceFlags) =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId: TRACE_ID, spanId: 'b7ad6b7169203331', traceFlags, isRemote: true });

describe('the environment', () => {
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

  it.each([
    [{}, false, false],
    [ENDPOINT, true, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false, false],
    [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }, false, false],
    [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, false, true],
    [{ ...ENDPOINT, OTEL_METRICS_EXPORTER: 'prometheus' }, true, false],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }, true, false],
    [{ OTEL_METRICS_EXPORTER: 'otlp' }, false, true],
    [{ OTEL_SERVICE_NAME: 'x' }, false, false],
  ])('selects the signals to export: %j', (env, traces, metrics) => {
    expect(signalsOf(env)).toEqual({ traces, metrics });
  });

  it('doesn’t start anything if no signal is selected', async () => {
    const telemetry = await startTelemetry({ env: {}, serviceName: 'x', serviceVersion: '1' });
    expect(telemetry).toMatchObject({ traces: false, metrics: false });
    expect(await telemetry.shutdown(1)).toBe(true);
  });

  it('selects the encoding of each signal, and falls back to defaults for invalid numbers', () => {
    const env = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf', OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json' };
    expect([usesProtobuf(env, 'TRACES'), usesProtobuf(env, 'METRICS')]).toEqual([true, false]);
    const numbers = ['250', '', '-1', '1.5', 'soon'].map(OTEL_BSP_SCHEDULE_DELAY =>
      positiveNumberOf({ OTEL_BSP_SCHEDULE_DELAY }, 'OTEL_BSP_SCHEDULE_DELAY', 5_000),
    );
    expect(numbers).toEqual([250, 5_000, 5_000, 5_000, 5_000]);
  });
});

describe('the sampler', () => {
  it('follows the caller’s sampling decision by default', () => {
    const always = samplerOf({ OTEL_TRACES_SAMPLER: 'parentbased_always_on' });
    const byDefault = samplerOf({});
    for (const sampler of [always, byDefault]) {
      expect(sample(sampler)).toBe(true);
      expect(sample(sampler, callerWith(TraceFlags.SAMPLED))).toBe(true);
      expect(sample(sampler, callerWith(TraceFlags.NONE))).toBe(false);
    }
  });

  it.each([
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, true],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, false],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, false],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'half' }, true],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, false],
  ])('follows the sampling settings %j', (env, expected) => {
    expect(sample(samplerOf(env))).toBe(expected);
  });

  it('returns null for an unknown sampler name', () => {
    for (const OTEL_TRACES_SAMPLER of ['xray', 'constructor', 'parentbased_'])
      expect(samplerOf({ OTEL_TRACES_SAMPLER })).toBeNull();
  });

  it('limits how many traces start per second, even after a quiet period', () => {
    let now = 0;
    const sampler = createRateLimitedSampler(10, () => now);
    const started = (requests: number, everyMs: number) => {
      let count = 0;
      for (let i = 0; i < requests; i++) {
        now += everyMs;
        if (sample(sampler)) count++;
      }
      return count;
    };
    expect(started(50, 0)).toBe(10);
    expect(started(5_000, 1)).toBe(50);
    now += 3_600_000;
    expect(started(50, 0)).toBe(10);
    expect(started(20, 1_000)).toBe(20);
  });
});

describe('an exporter', () => {
  it('logs the first failure and the first success after failures, without the error message', () => {
    const lines: object[] = [];
    const write = (facts: object, message: string) => lines.push({ ...facts, message });
    let code = 1;
    const exporter = {
      export: (_: unknown, done: (result: ExportResult) => void) =>
        done({ code, error: Object.assign(new Error('http://user:secret@collector'), { code: 'ECONNREFUSED' }) }),
    };
    logFailures(exporter, 'traces', { error: write, info: write });
    const results: number[] = [];
    for (const next of [1, 1, 0, 0, 1]) {
      code = next;
      exporter.export([], result => results.push(result.code));
    }
    expect(results).toEqual([1, 1, 0, 0, 1]);
    const failed = { signal: 'traces', failure: 'Error', code: 'ECONNREFUSED', message: 'telemetry export failed' };
    expect(lines).toEqual([failed, { signal: 'traces', message: 'telemetry export has recovered' }, failed]);
  });
});

describe('the Prometheus producer', () => {
  const dataOf = async (...samples: MetricSample[]) => {
    const { resourceMetrics } = await createPrometheusProducer(async () => samples).collect();
    return resourceMetrics.scopeMetrics[0]!.metrics;
  };

  it('converts cumulative buckets to non-cumulative buckets for each label set', async () => {
    const bucket = (le: number | string, value: number, lane: string) => ({
      ...{ value, labels: { le, lane }, metricName: 'wait_seconds_bucket' },
    });
    const total = (end: string, value: number, lane: string) => ({
      ...{ value, labels: { lane }, metricName: `wait_seconds_${end}` },
    });
    const values = [
      ...[bucket(0.1, 2, 'keyed'), bucket(1, 5, 'keyed'), bucket('+Inf', 6, 'keyed')],
      ...[total('sum', 4.5, 'keyed'), total('count', 6, 'keyed')],
      ...[bucket(0.1, 0, 'keyless'), bucket(1, 0, 'keyless'), bucket('+Inf', 1, 'keyless')],
      ...[total('sum', 9, 'keyless'), total('count', 1, 'keyless')],
    ];
    const [metric] = await dataOf({ name: 'wait_seconds', help: 'Time.', type: 'histogram', values });
    expect(metric).toMatchObject({
      descriptor: { name: 'wait_seconds', unit: 's', description: 'Time.' },
      dataPoints: [
        {
          attributes: { lane: 'keyed' },
          value: { buckets: { boundaries: [0.1, 1], counts: [2, 3, 1] }, sum: 4.5, count: 6 },
        },
        {
          attributes: { lane: 'keyless' },
          value: { buckets: { boundaries: [0.1, 1], counts: [0, 0, 1] }, sum: 9, count: 1 },
        },
      ],
    });
  });

  it('keeps counters and gauges, and skips summaries', async () => {
    const values = [{ value: 3, labels: { operation: 'x' } }];
    const metrics = await dataOf(
      { name: 'requests_total', help: '', type: 'counter', values },
      { name: 'size_bytes', help: '', type: 'gauge', values },
      { name: 'other', help: '', type: 'summary', values },
    );
    expect(metrics).toMatchObject([
      { descriptor: { unit: '' }, isMonotonic: true, dataPoints: [{ value: 3, attributes: { operation: 'x' } }] },
      { descriptor: { unit: 'By' }, dataPoints: [{ value: 3 }] },
    ]);
  });
});
