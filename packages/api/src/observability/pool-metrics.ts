import type { Lane, LaneState, Pool, PoolQueue } from '@compliance/crawler/pool';
import { Gauge, Histogram, type Registry } from 'prom-client';

const QUEUES: readonly PoolQueue[] = ['requests', 'jobs'];
const LANES: readonly Lane[] = ['keyed', 'keyless'];

/** The worker pool members that the metrics use. */
export type PoolState = Pick<Pool, 'state' | 'onStart' | 'workers'>;

/**
 * Adds metrics for a worker pool: queued and running requests and jobs by lane, and their time in the queue. In the
 * `requests` queue, scans wait to be admitted. In the `jobs` queue, pages and certificates wait for a worker.
 */
export function addPoolMetrics(pool: PoolState, registers: Registry[]): void {
  const labelNames = ['queue', 'lane'] as const;
  const gauge = (name: string, help: string, read: (state: LaneState) => number) =>
    new Gauge({
      name: `compliance_pool_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        for (const queue of QUEUES) for (const lane of LANES) this.set({ queue, lane }, read(pool.state(queue, lane)));
      },
    });
  gauge('queued', 'Number of queued requests or jobs, by queue and lane.', ({ queued }) => queued);
  gauge('running', 'Number of admitted requests or running jobs, by queue and lane.', ({ running }) => running);
  gauge(
    'oldest_seconds',
    'Age of the oldest queued request or job, in seconds, by queue and lane.',
    ({ oldestMs }) => oldestMs / 1000,
  );
  new Gauge({ name: 'compliance_pool_workers', help: 'Number of workers.', registers }).set(pool.workers);
  const waits = new Histogram({
    name: 'compliance_pool_wait_seconds',
    help: 'Time in the queue, in seconds, by queue and lane.',
    labelNames,
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10, 25],
    registers,
  });
  pool.onStart((queue, lane, waitedMs) => waits.observe({ queue, lane }, waitedMs / 1000));
}
