import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { afterAll, expect, it, vi } from 'vitest';
import { startTelemetry } from './telemetry.ts';

/** Module that makes a process fail if it loads an OpenTelemetry SDK. */
const REFUSE_SDK = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (/opentelemetry.(sdk|otlp|exporter)/.test(url)) throw new Error('The SDK was loaded: ' + url);
      return next(url, context);
    },
  });`)}`;

/** Starts telemetry in a process that must not load the SDK, and returns the process's output. */
function startWithoutSdk(env: Record<string, string>): string {
  const start = `
    import { startTelemetry } from ${JSON.stringify(new URL('./telemetry.ts', import.meta.url).href)};
    const started = await startTelemetry({ env: process.env, serviceName: 'x', serviceVersion: '1' })
      .catch(error => ({ traces: error.message }));
    process.stdout.write(String(started.traces));`;
  const args = ['--conditions=@compliance/source', `--import=${REFUSE_SDK}`, '--input-type=module', '--eval', start];
  return execFileSync(process.execPath, args, { encoding: 'utf8', env: { PATH: process.env.PATH!, ...env } });
}

const received: { url: string; type: string; body: Buffer }[] = [];
const collector = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  received.push({ url: request.url!, type: request.headers['content-type']!, body });
  response.end();
});
afterAll(() => {
  vi.unstubAllEnvs();
  collector.close();
});

it('loads the SDK only if a variable selects a signal', () => {
  expect(startWithoutSdk({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' })).toBe('false');
  expect(startWithoutSdk({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).toContain('The SDK was loaded');
});

it('exports both signals as protobuf, and never propagates baggage', async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${(collector.address() as AddressInfo).port}`);
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf');
  const metrics = async () => [{ name: 'codes_total', help: '', type: 'counter', values: [{ value: 7, labels: {} }] }];
  const telemetry = await startTelemetry({ env: process.env, serviceName: 'x', serviceVersion: '1', metrics });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const caller = propagation.extract(ROOT_CONTEXT, { traceparent, tracestate: 'vendor=1', baggage: 'user=someone' });
  const span = trace.getTracer('test').startSpan('a protobuf span', {}, caller);
  const sent: Record<string, string> = {};
  context.with(trace.setSpan(caller, span), () => propagation.inject(context.active(), sent));
  span.end();
  expect(await telemetry.shutdown(5_000)).toBe(true);
  const { spanId } = span.spanContext();
  expect(sent).toEqual({ traceparent: `00-0af7651916cd43dd8448eb211c80319c-${spanId}-01`, tracestate: 'vendor=1' });
  expect(received.map(({ url, type }) => `${url} ${type}`).sort()).toEqual([
    '/v1/metrics application/x-protobuf',
    '/v1/traces application/x-protobuf',
  ]);
  const bodies = Buffer.concat(received.map(({ body }) => body)).toString('latin1');
  for (const text of ['a protobuf span', 'codes_total', 'service.instance.id']) expect(bodies).toContain(text);
});
