import { statfs } from 'node:fs/promises';
import type { ReadinessReport } from '@compliance/server/readiness';
import type { QueueView, Store } from '@compliance/store';
import { Gauge, type Registry } from 'prom-client';

/** Service components that the metrics describe. */
export interface WatchedService {
  readonly store: Pick<Store, 'ready' | 'measure'>;
  /** Queues by name. */
  readonly queues: Readonly<Record<string, Pick<QueueView, 'measure'>>>;
  readonly clock: () => number;
  /** Process readiness checks. */
  readonly readiness: () => Promise<ReadinessReport>;
  /** Data folder; null if the process doesn't have one. */
  readonly dataDir: string | null;
}

/** Snapshot of the service's state. */
type Facts = Readonly<Record<string, readonly Sample[]>>;

interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** How long a snapshot is reused, in milliseconds. All gauges in a scrape share one snapshot. */
const FRESH_MS = 1_000;

const GAUGES: Readonly<Record<string, readonly [help: string, ...labels: string[]]>> = {
  ready: ['Whether the process is ready to receive requests: 1 or 0.'],
  ready_check: ['Whether a readiness check passes: 1 or 0, by check.', 'check'],
  lists_age_days: ['Age of the tariff lists in days, counted from the date through which they’re current.'],
  database_up: ['Whether the database responds: 1 or 0.'],
  database_latency_seconds: ['Duration of a trivial database query, in seconds.'],
  database_size_bytes: ['Database size, in bytes.'],
  database_connections: [
    'Number of database connections (busy or idle) and of callers waiting for a connection, by state.',
    'state',
  ],
  queue_jobs: [
    'Number of jobs in each queue, by state: live (queued or running) or failed (dead letters).',
    'queue',
    'state',
  ],
  queue_oldest_seconds: ['For each queue, the time since its next job became due, in seconds.', 'queue'],
  data_free_bytes: ["Free space on the data folder's disk, in bytes."],
  data_total_bytes: ['Size of the disk that contains the data folder, in bytes.'],
};

/**
 * Adds metrics for readiness, the database, the disk, and the tariff lists. If the database doesn't respond,
 * `compliance_database_up` is 0, and metrics from the database are omitted. All other metrics are still collected.
 */
export function addServiceMetrics(service: WatchedService, registers: Registry[]): void {
  let last: { readonly at: number; readonly facts: Promise<Facts> } | undefined;
  const currentFacts = (): Promise<Facts> => {
    const now = performance.now();
    if (!last || now - last.at >= FRESH_MS) last = { at: now, facts: factsOf(service) };
    return last.facts;
  };
  for (const [name, [help, ...labelNames]] of Object.entries(GAUGES)) {
    new Gauge({
      name: `compliance_${name}`,
      help,
      labelNames,
      registers,
      async collect() {
        const samples = (await currentFacts())[name] ?? [];
        this.reset();
        // A gauge without labels would otherwise show 0 for an unknown value.
        if (samples.length === 0 && labelNames.length === 0) this.remove();
        for (const { value, labels = {} } of samples) this.set(labels, value);
      },
    });
  }
}

async function factsOf(service: WatchedService): Promise<Facts> {
  const { store, readiness, dataDir } = service;
  const [report, database, queues, disk] = await Promise.all([
    readiness(),
    databaseFacts(store),
    queueFacts(service),
    diskFacts(dataDir),
  ]);
  const age = report.checks.lists?.age_days;
  return {
    ready: [{ value: report.status === 'ready' ? 1 : 0 }],
    ready_check: Object.entries(report.checks).map(([check, { status }]) => ({
      value: status === 'failed' ? 0 : 1,
      labels: { check },
    })),
    lists_age_days: age === undefined ? [] : [{ value: age }],
    ...database,
    ...queues,
    ...disk,
  };
}

async function databaseFacts(store: WatchedService['store']): Promise<Facts> {
  try {
    const begun = performance.now();
    await store.ready();
    const seconds = (performance.now() - begun) / 1000;
    const { bytes, connections } = await store.measure();
    return {
      database_up: [{ value: 1 }],
      database_latency_seconds: [{ value: seconds }],
      database_size_bytes: [{ value: bytes }],
      database_connections: Object.entries(connections).map(([state, value]) => ({ value, labels: { state } })),
    };
  } catch {
    return { database_up: [{ value: 0 }] };
  }
}

async function queueFacts({ queues, clock }: WatchedService): Promise<Facts> {
  try {
    const measured = await Promise.all(
      Object.entries(queues).map(async ([name, queue]) => ({ name, ...(await queue.measure()) })),
    );
    return {
      queue_jobs: measured.flatMap(({ name: queue, live, failed }) => [
        { value: live, labels: { queue, state: 'live' } },
        { value: failed, labels: { queue, state: 'failed' } },
      ]),
      queue_oldest_seconds: measured.map(({ name: queue, dueSince }) => ({
        value: dueSince === null ? 0 : Math.max(0, clock() - dueSince) / 1000,
        labels: { queue },
      })),
    };
  } catch {
    return {};
  }
}

async function diskFacts(dataDir: string | null): Promise<Facts> {
  const disk = dataDir === null ? null : await statfs(dataDir).catch(() => null);
  if (!disk) return {};
  return {
    data_free_bytes: [{ value: disk.bavail * disk.bsize }],
    data_total_bytes: [{ value: disk.blocks * disk.bsize }],
  };
}
