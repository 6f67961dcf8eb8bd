import type { Lane, Pool, PoolQueue } from '@compliance/crawler/pool';
import { Gauge, Histogram, type Registry } from 'prom-client';

const QUEUES: readonly PoolQueue[] = ['requests', 'jobs'];
const LANES: readonly Lane[] = ['keyed', 'keyless'];

/** Queues of a worker pool, as far as metrics need them. */
export type PoolState = Pick<Pool, 'state' | 'onStart'>;

/**
 * Adds metrics for a worker pool: queued and running requests and jobs by lane, and their time in the queue. In the queue
 * `requests`, scans wait to be admitted. In the queue `jobs`, pages and certificates wait for a worker.
 */
export function addPoolMetrics(pool: PoolState, registers: Registry[]): void {
  const labelNames = ['queue', 'lane'] as const;
  const gauge = (state: 'queued' | 'running', help: string) =>
    new Gauge({
      name: `compliance_pool_${state}`,
      help,
      labelNames,
      registers,
      collect() {
        for (const queue of QUEUES) for (const lane of LANES) this.set({ queue, lane }, pool.state(queue, lane)[state]);
      },
    });
  gauge('queued', 'Number of queued requests or jobs, by queue and lane.');
  gauge('running', 'Number of admitted requests or running jobs, by queue and lane.');
  const waits = new Histogram({
    name: 'compliance_pool_wait_seconds',
    help: 'Time in the queue, in seconds, by queue and lane.',
    labelNames,
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10, 25],
    registers,
  });
  pool.onStart((queue, lane, waitedMs) => waits.observe({ queue, lane }, waitedMs / 1000));
}
