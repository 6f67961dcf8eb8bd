import { randomUUID } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { logFailures } from './export-health.ts';
import { createPrometheusProducer } from './prometheus-producer.ts';
import { samplerOf } from './sampler.ts';
import { positiveNumberOf, type Signals, usesProtobuf } from './settings.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';

/** A telemetry provider for one signal. */
interface Provider {
  shutdown(): Promise<void>;
}

/** Starts the OpenTelemetry SDK and registers it globally. */
export function startSdk(signals: Signals, options: TelemetryOptions): Pick<Telemetry, 'shutdown'> {
  const { env, log, metrics } = options;
  // `logFailures` already logs export failures. The SDK would log each failure again, with its message and stack.
  setGlobalErrorHandler(() => {});
  const protocol = env.OTEL_EXPORTER_OTLP_PROTOCOL?.trim();
  if (protocol && !/^http\/(json|protobuf)$/.test(protocol))
    log?.error(
      { protocol: 'http/json' },
      'OTEL_EXPORTER_OTLP_PROTOCOL has an unknown value; use http/json or http/protobuf',
    );
  const agents = [new HttpAgent({ keepAlive: true }), new HttpsAgent({ keepAlive: true })] as const;
  const httpAgentOptions = (scheme: string) => agents[scheme === 'http:' ? 0 : 1];
  const resource = resourceOf(options);
  const logCollection = ({ name }: Error) => {
    log?.error({ signal: 'metrics', failure: name }, 'metrics collection failed');
    return [];
  };
  const providers: Provider[] = [];
  if (signals.traces) providers.push(startTraces(options, resource, httpAgentOptions));
  if (signals.metrics && metrics) {
    const Exporter = usesProtobuf(env, 'METRICS') ? ProtobufMetricExporter : JsonMetricExporter;
    const exporter = new Exporter({ httpAgentOptions });
    logFailures(exporter, 'metrics', log);
    const exportIntervalMillis = positiveNumberOf(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000);
    const reader = new PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis,
      exportTimeoutMillis: Math.min(positiveNumberOf(env, 'OTEL_METRIC_EXPORT_TIMEOUT', 30_000), exportIntervalMillis),
      metricProducers: [createPrometheusProducer(() => metrics().catch(logCollection))],
    });
    providers.push(new MeterProvider({ resource, readers: [reader] }));
  }
  return {
    async shutdown(timeoutMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<boolean>(resolve => {
        timer = setTimeout(resolve, timeoutMs, false);
      });
      const flushed = Promise.allSettled(providers.map(provider => provider.shutdown())).then(results =>
        results.every(({ status }) => status === 'fulfilled'),
      );
      const isFlushed = await Promise.race([flushed, late]);
      clearTimeout(timer);
      for (const agent of agents) agent.destroy();
      return isFlushed;
    },
  };
}

function startTraces(
  { env, log }: TelemetryOptions,
  resource: Resource,
  httpAgentOptions: (scheme: string) => HttpAgent,
): Provider {
  const Exporter = usesProtobuf(env, 'TRACES') ? ProtobufTraceExporter : JsonTraceExporter;
  const exporter = new Exporter({ httpAgentOptions });
  logFailures(exporter, 'traces', log);
  const sampler = samplerOf(env);
  if (!sampler) log?.error({ sampler: 'parentbased_rate_limited' }, 'OTEL_TRACES_SAMPLER has an unknown value');
  const maxQueueSize = positiveNumberOf(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2_048);
  const provider = new TracerProvider({
    resource,
    sampler: sampler ?? samplerOf({})!,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize,
        maxExportBatchSize: Math.min(positiveNumberOf(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512), maxQueueSize),
        scheduledDelayMillis: positiveNumberOf(env, 'OTEL_BSP_SCHEDULE_DELAY', 5_000),
        exportTimeoutMillis: positiveNumberOf(env, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000),
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  // Baggage isn't propagated, because a client could put anything in it.
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return provider;
}

function resourceOf({ serviceName, serviceVersion }: TelemetryOptions): Resource {
  return resourceFromAttributes({
    'service.name': serviceName,
    'service.version': serviceVersion,
    'service.instance.id': randomUUID(),
  }).merge(detectResources({ detectors: [envDetector] }));
}
