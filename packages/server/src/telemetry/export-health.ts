import type { ExportResult } from '@opentelemetry/core';
import type { TelemetryLog } from './telemetry.ts';

/** The method that the exporters for all signals have in common. */
interface Exporter<Batch> {
  export(batch: Batch, done: (result: ExportResult) => void): void;
}

/** Result code of a successful export, as in the OpenTelemetry SDK. */
const SUCCESS = 0;

/**
 * Logs an exporter's first failure and its first success after a failure, so that a day-long collector outage results
 * in only two lines. The log never contains the exporter's error message, because it might contain the collector's URL
 * with credentials.
 */
export function logFailures<Batch>(exporter: Exporter<Batch>, signal: string, log: TelemetryLog | undefined): void {
  let isFailing = false;
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) =>
    send(batch, result => {
      const failed = result.code !== SUCCESS;
      if (failed && !isFailing) {
        const { name, code } = (result.error ?? {}) as { name?: string; code?: string | number };
        log?.error({ signal, failure: name ?? null, code: code ?? null }, 'telemetry export failed');
      }
      if (!failed && isFailing) log?.info({ signal }, 'telemetry export has recovered');
      isFailing = failed;
      done(result);
    });
}
