import { readFileSync } from 'node:fs';
import { createPool } from '@compliance/crawler/pool';
import { createReadiness } from '@compliance/server/readiness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startService } from '../testing/service.ts';
import { createMetrics } from './metrics.ts';

const read = (name: string) => readFileSync(new URL(`../../../../docs/operations/${name}`, import.meta.url), 'utf8');
const ALERTS = parse(read('alerts.yml')).groups.flatMap(({ rules }: { rules: object[] }) => rules) as {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: Record<string, string>;
}[];
const DASHBOARD = JSON.parse(read('dashboard.json')) as {
  panels: { id: number; title: string; description: string; targets: { expr: string; legendFormat: string }[] }[];
};

/** Matches a metric name. All service metric names start with one of these prefixes. */
const METRIC = /\b(?:compliance|nodejs|process)_[a-z0-9_]+/g;

const service = await startService();
const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 64, queue: 10 });
const metrics = createMetrics();
let names: Set<string>;
let text: string;

beforeAll(async () => {
  metrics.watchPool(pool);
  const readiness = createReadiness({ store: service.store, clock: Date.now, pool });
  const { store } = service;
  const queues = { jobs: store.bulkJobs.queue, webhooks: store.watches.queue };
  const job = { keyId: 'key', operation: 'tariff.hts.lookup', format: 'csv', options: {} } as const;
  await store.bulkJobs.create({ ...job, family: 'fam', source: 'https://files.example/codes.csv' });
  const dueLater = () => Date.now() + 90_000;
  metrics.watchService({ store, queues, clock: dueLater, readiness, dataDir: '/' });
  metrics.count({
    ...{ request_id: 'x', method: 'GET', route: '/', operation: null, status: 429, ms: 1, key_id: null, error: null },
  });
  await pool.admit({ lane: 'keyed', tenant: 'x' }, async () => {});
  text = await metrics.text();
  names = new Set([...text.matchAll(/^([a-z]\w+)(?:\{| )/gm)].map(([, name]) => name!));
});
afterAll(async () => {
  await pool.close();
  await service.stop();
});

describe('the alert file', () => {
  it.each(ALERTS.map(rule => [rule.alert, rule] as const))('uses only exported metrics: %s', (_, rule) => {
    for (const metric of rule.expr.match(METRIC) ?? []) expect(names, metric).toContain(metric);
    expect(['critical', 'warning']).toContain(rule.labels.severity);
    expect(rule.annotations).toEqual({ summary: expect.any(String), action: expect.any(String) });
  });

  it('covers readiness, errors, latency, queues, disk space, list age, and restarts', () => {
    const expressions = ALERTS.map(({ expr }) => expr).join('\n');
    for (const part of [
      ...[
        'compliance_ready',
        'status=~"5.."',
        'histogram_quantile(0.99',
        'compliance_pool_oldest',
        'compliance_pool_wait',
      ],
      ...['compliance_data_free_bytes', 'compliance_lists_age_days', 'process_start_time_seconds'],
    ]) {
      expect(expressions).toContain(part);
    }
    expect(new Set(ALERTS.map(({ alert }) => alert)).size).toBe(ALERTS.length);
  });
});

describe('the dashboard', () => {
  it.each(DASHBOARD.panels.map(panel => [panel.title, panel] as const))(
    'shows only exported metrics: %s',
    (_, { targets, description }) => {
      expect(description).not.toBe('');
      for (const { expr } of targets) {
        expect(expr).toContain('instance=~"$instance"');
        for (const metric of expr.match(METRIC) ?? []) expect(names, metric).toContain(metric);
      }
    },
  );

  it('shows every metric that an alert uses except process_start_time_seconds', () => {
    const shown = DASHBOARD.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(METRIC) ?? []));
    const used = ALERTS.flatMap(({ expr }) => expr.match(METRIC) ?? []);
    const missing = used.filter(metric => !shown.includes(metric));
    expect(missing).toEqual(['process_start_time_seconds']);
  });
});

describe('the metrics endpoint', () => {
  it('reports metrics for the database, the disk, the lists, and the pool', () => {
    const numberOf = (series: string) =>
      Number(
        text
          .split('\n')
          .find(line => line.startsWith(`${series} `))
          ?.split(' ')[1],
      );
    expect(numberOf('compliance_ready')).toBe(1);
    expect(numberOf('compliance_ready_check{check="database"}')).toBe(1);
    expect(numberOf('compliance_database_up')).toBe(1);
    expect(numberOf('compliance_database_size_bytes')).toBeGreaterThan(4_096);
    expect(numberOf('compliance_database_connections{state="waiting"}')).toBe(0);
    expect(numberOf('compliance_database_latency_seconds')).toBeGreaterThan(0);
    expect(numberOf('compliance_data_free_bytes')).toBeLessThanOrEqual(numberOf('compliance_data_total_bytes'));
    expect(numberOf('compliance_lists_age_days')).toBeGreaterThanOrEqual(0);
    expect(numberOf('compliance_queue_jobs{queue="jobs",state="live"}')).toBe(1);
    expect(numberOf('compliance_queue_jobs{queue="webhooks",state="failed"}')).toBe(0);
    expect(numberOf('compliance_queue_oldest_seconds{queue="jobs"}')).toBeGreaterThanOrEqual(90);
    expect(numberOf('compliance_pool_workers')).toBe(1);
    expect(numberOf('compliance_pool_oldest_seconds{queue="jobs",lane="keyless"}')).toBe(0);
  });

  it('omits unknown values if the database doesn’t respond, but reports all other values', async () => {
    const broken = createMetrics();
    const fail = () => Promise.reject(new Error('down'));
    const readiness = createReadiness({ store: { health: fail }, clock: Date.now });
    const queues = { jobs: { measure: fail } };
    broken.watchService({ store: { ready: fail, measure: fail }, queues, clock: Date.now, readiness, dataDir: null });
    const lines = (await broken.text()).split('\n');
    expect(lines).toContain('compliance_database_up 0');
    expect(lines).toContain('compliance_ready 0');
    expect(lines).toContain('compliance_ready_check{check="database"} 0');
    expect(lines.filter(line => /^compliance_(database_(size|latency|connections)|queue_|data_)/.test(line))).toEqual(
      [],
    );
    expect(lines.some(line => line.startsWith('compliance_lists_age_days '))).toBe(true);
  });
});
