import {
  Counter,
  collectDefaultMetrics,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { RequestMetrics } from './observe.ts';
import { addPoolMetrics, type PoolState } from './pool-metrics.ts';
import { addServiceMetrics, type WatchedService } from './service-metrics.ts';

type MetricObject = MetricObjectWithValues<MetricValue<string>>;

/** Metrics for a service instance. Each instance has its own registry. */
export interface Metrics extends RequestMetrics {
  /** Returns all metrics in the Prometheus text format. */
  text(): Promise<string>;
  /** Media type of the Prometheus text format. */
  readonly contentType: string;
  /** Returns all metrics as data, for OTLP export. */
  samples(): Promise<MetricObject[]>;
  /** Adds metrics for a worker pool. Call this method only once. */
  watchPool(pool: PoolState): void;
  /** Adds metrics for the database, the disk, and the tariff lists. Call this method only once. */
  watchService(service: WatchedService): void;
}

/**
 * Creates metrics for request counts (by operation and status), request durations, rate-limited requests, and the
 * Node.js process.
 *
 * @example
 * const metrics = createMetrics();
 * const api = createApi({ store, clock: Date.now, metrics });
 * await metrics.text(); // 'compliance_requests_total{operation="tariff.hts.lookup",status="200"} 1 …'
 */
export function createMetrics(): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];
  const requests = new Counter({
    name: 'compliance_requests_total',
    help: 'Number of requests, by operation (or route) and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'compliance_request_duration_seconds',
    help: 'Time until the response was ready to send, in seconds.',
    labelNames: ['operation'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const refusals = new Counter({
    name: 'compliance_limit_refusals_total',
    help: 'Number of requests rejected because they exceeded a rate limit.',
    labelNames: ['operation'],
    registers,
  });
  return {
    count({ operation: id, route, status, ms }) {
      const operation = id ?? route ?? 'none';
      requests.inc({ operation, status });
      durations.observe({ operation }, ms / 1000);
      if (status === 429) refusals.inc({ operation });
    },
    text: () => register.metrics(),
    contentType: register.contentType,
    samples: () => register.getMetricsAsJSON() as Promise<MetricObject[]>,
    watchPool: pool => addPoolMetrics(pool, registers),
    watchService: service => addServiceMetrics(service, registers),
  };
}
