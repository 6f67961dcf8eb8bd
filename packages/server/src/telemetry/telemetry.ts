/**
 * Exports traces and metrics to an OpenTelemetry collector, if the standard `OTEL_*` variables are set.
 *
 * @module
 */
import type { MetricSample } from './prometheus-producer.ts';
import { type OtelVariables, type Signals, signalsOf } from './settings.ts';

export { type Signals, signalsOf } from './settings.ts';

/** Log for export failures and recoveries. */
export interface TelemetryLog {
  error(facts: object, message: string): void;
  info(facts: object, message: string): void;
}

/** Options for {@link startTelemetry}. */
export interface TelemetryOptions {
  readonly env: OtelVariables;
  /** Default for `OTEL_SERVICE_NAME`. */
  readonly serviceName: string;
  readonly serviceVersion: string;
  readonly log?: TelemetryLog | undefined;
  /** Returns the metrics to export. Without this function, only traces are exported. */
  readonly metrics?: (() => Promise<readonly MetricSample[]>) | undefined;
}

/** A running export. */
export interface Telemetry extends Signals {
  /**
   * Exports pending data and stops.
   *
   * @param timeoutMs how long to wait before pending data is dropped, in milliseconds
   * @returns false if the collector didn't receive everything in time; connections to it might then keep the process running
   */
  shutdown(timeoutMs: number): Promise<boolean>;
}

/**
 * Starts exporting telemetry. Loads the OpenTelemetry SDK only if an environment variable enables it, so that other
 * processes don't spend time and memory on it. A collector that doesn't respond never delays requests: telemetry that
 * can't be sent is dropped, and the first failure is logged.
 *
 * Start telemetry only once per process, because instrumented code uses the global OpenTelemetry API.
 *
 * @example
 * const telemetry = await startTelemetry({ env: process.env, serviceName: 'compliance', serviceVersion: '1.0.0' });
 * await telemetry.shutdown(3_000);
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const wanted = signalsOf(options.env);
  const signals = { traces: wanted.traces, metrics: wanted.metrics && options.metrics !== undefined };
  if (!signals.traces && !signals.metrics) return { ...signals, shutdown: async () => true };
  const { startSdk } = await import('./sdk.ts');
  return { ...signals, ...startSdk(signals, options) };
}
