import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIds } from '../database/ids.ts';
import { migrate } from '../database/migrations/index.ts';
import { connectSqlite } from '../database/sqlite.ts';
import { createSessions } from './installation/sessions.ts';
import { createShops } from './installation/shops.ts';
import { createJobs } from './jobs/queue.ts';
import { createScope } from './scope.ts';
import { createShop, type Shop } from './shop.ts';

const clock = () => 1_795_000_000_000;
const cursorOf = (position: readonly (string | number)[]) =>
  Buffer.from(JSON.stringify(position)).toString('base64url');
const afterTitle = { limit: 50, cursor: cursorOf(['a', 'b']) };

/** All that a page of the app reads, each with the word for it. */
const reads: Record<string, (shop: Shop) => Promise<unknown>> = {
  record: shop => shop.record(),
  'sessions.list': shop => shop.sessions.list(),
  'jobs.get': shop => shop.jobs.get('x'),
  'jobs.latest': shop => shop.jobs.latest('scan'),
  'jobs.list': shop => shop.jobs.list({ limit: 20 }),
  'scans.get': shop => shop.scans.get('x'),
  'scans.list': shop => shop.scans.list({ limit: 20, cursor: cursorOf(['x']) }),
  'scans.latest': shop => shop.scans.latest(),
  'scans.latestComplete': shop => shop.scans.latestComplete(),
  'scans.latestComplete before': shop => shop.scans.latestComplete({ before: 'x' }),
  'scans.trend': shop => shop.scans.trend(30),
  'findings.get': shop => shop.findings.get('x'),
  'findings.list': shop => shop.findings.list({ limit: 50, cursor: cursorOf([0, 'a', 'b']) }),
  'findings.list filtered': shop =>
    shop.findings.list({ limit: 50, status: 'open', severity: 'warn', ruleId: 'x', accepted: false }),
  // What is on one place is sorted: it is little.
  'findings of a place': shop => shop.findings.list({ limit: 50, status: 'open', place: 'x' }),
  'findings.counts': shop => shop.findings.counts(),
  'themeFiles.list': shop => shop.themeFiles.list('x'),
  'variants.get': shop => shop.variants.get('x'),
  'variants.list': shop => shop.variants.list(afterTitle),
  'variants.list status': shop => shop.variants.list({ ...afterTitle, status: 'hit' }),
  'variants.list digits': shop => shop.variants.list({ ...afterTitle, digits: 'short' }),
  'variants.list product': shop => shop.variants.list({ ...afterTitle, productId: 'x' }),
  'variants.list text': shop => shop.variants.list({ ...afterTitle, text: '7318' }),
  'variants.counts': shop => shop.variants.counts(),
  'variants.changedBy': shop => shop.variants.changedBy('x', afterTitle),
  'productCertificates.get': shop => shop.productCertificates.get('x'),
  'productCertificates.many': shop => shop.productCertificates.many(['x', 'y']),
  'productCertificates.history': shop => shop.productCertificates.history('x'),
  'productCertificates.list': shop =>
    shop.productCertificates.list({ state: 'issued', limit: 50, cursor: cursorOf(['x']) }),
  'productCertificates.missing': shop => shop.productCertificates.missing({ limit: 50, cursor: cursorOf(['x']) }),
  'productCertificates.counts': shop => shop.productCertificates.counts(),
};

describe('the plan of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-plans-'));
  const { ledger, counters } = connectSqlite(folder);
  let file: DatabaseSync;
  beforeAll(async () => {
    await migrate(ledger);
    file = new DatabaseSync(join(folder, 'compliance.sqlite'));
  });
  afterAll(async () => {
    file.close();
    await Promise.all([ledger.destroy(), counters.destroy()]);
    rmSync(folder, { recursive: true });
  });

  /** The plans of all statements that some work runs. */
  async function plansOf(work: (ground: Parameters<typeof createScope>[0]) => Promise<unknown>): Promise<string[]> {
    const nodes: RootOperationNode[] = [];
    const spy: KyselyPlugin = {
      transformQuery({ node }) {
        nodes.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    await work({ ledger: ledger.withPlugin(spy), clock, newId: createIds(clock) });
    expect(nodes.length).toBeGreaterThan(0);
    return nodes.flatMap(node => {
      const { sql, parameters } = ledger.getExecutor().compileQuery(node, createQueryId());
      const rows = file.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[]));
      return rows.map(({ detail }) => String(detail));
    });
  }

  it.each(Object.entries(reads))('for %s looks a shop up in an index', async (name, read) => {
    const plans = await plansOf(ground => read(createShop(createScope(ground, 'one.myshopify.com'))));
    const scanned = plans.filter(plan => /^SCAN (?!\(|CONSTANT)/.test(plan));
    expect(scanned).toEqual([]);
    const isPaged = /\.list|changedBy|missing|latest|trend/.test(name);
    // A rule that is asked for makes SQLite sort within a severity, which is little.
    if (isPaged) expect(plans.filter(plan => /TEMP B-TREE (?!FOR LAST TERM)/.test(plan))).toEqual([]);
  });

  it('for what workers ask every second looks up what is due', async () => {
    const plans = await plansOf(async ground => {
      await createJobs(ground).claim('w', ['scan', 'catalog'], 60_000);
      await createShops(ground).enqueueDue({ kind: 'scan' }, 100);
      await createShops(ground).list({ limit: 100, after: 'x' });
      await createSessions(ground).get('x');
    });
    expect(plans.filter(plan => /^SCAN (?!\(|CONSTANT)|TEMP B-TREE/.test(plan))).toEqual([]);
  });
});
