import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBlobs } from '../blobs/blobs.ts';
import { createIds } from '../database/ids.ts';
import { migrate } from '../database/migrations/index.ts';
import { connectSqlite } from '../database/sqlite/sqlite.ts';
import { createSessions } from './installation/sessions.ts';
import { createShops } from './installation/shops.ts';
import { createJobs } from './queue.ts';
import { withShopTables } from './schema.ts';
import { createShopScope } from './scope.ts';
import { createShop, type Shop } from './shop.ts';

const clock = () => 1_795_000_000_000;
const cursorOf = (position: readonly (string | number)[]) =>
  Buffer.from(JSON.stringify(position)).toString('base64url');
const afterTitle = { limit: 50, cursor: cursorOf(['a', 'b']) };
const afterDuty = { limit: 50, cursor: cursorOf([-2, 'p', 'a']), sort: 'duty' as const };

/** All reads that the app's pages perform, by name. */
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
  // If a list is filtered by location, SQLite uses an index to read the findings in order, and checks each finding's
  // locations.
  'findings.list place': shop => shop.findings.list({ limit: 50, status: 'open', place: 'x' }),
  'findings.counts': shop => shop.findings.counts(),
  'renderings.latest': shop => shop.renderings.latest(),
  'renderings.latestSeen': shop => shop.renderings.latestSeen(),
  'themeFiles.list': shop => shop.themeFiles.list('x'),
  'variants.get': shop => shop.variants.get('x'),
  'variants.list': shop => shop.variants.list(afterTitle),
  'variants.list status': shop => shop.variants.list({ ...afterTitle, status: 'hit' }),
  'variants.list digits': shop => shop.variants.list({ ...afterTitle, digits: 'short' }),
  'variants.list product': shop => shop.variants.list({ ...afterTitle, productId: 'x' }),
  'variants.list text': shop => shop.variants.list({ ...afterTitle, text: '7318' }),
  'variants.counts': shop => shop.variants.counts(),
  'variants.list code': shop => shop.variants.list({ ...afterTitle, digits: 'short', htsCode: '7318' }),
  'variants.groups': shop => shop.variants.groups({ digits: 'short', limit: 50, cursor: cursorOf([1, 'a']) }),
  'variants.countsByDigits': shop => shop.variants.countsByDigits(),
  'variants.list by duty': shop => shop.variants.list(afterDuty),
  'variants.list by duty status': shop => shop.variants.list({ ...afterDuty, status: 'hit' }),
  'variants.list by duty digits': shop => shop.variants.list({ ...afterDuty, digits: 'short' }),
  'variants.neighbors': shop => shop.variants.neighbors('x', { status: 'hit' }),
  'variants.neighbors by duty': shop => shop.variants.neighbors('x', { sort: 'duty' }),
  'variants.list changed': shop => shop.variants.list({ ...afterTitle, changedBy: 'x' }),
  'productCertificates.get': shop => shop.productCertificates.get('x'),
  'productCertificates.many': shop => shop.productCertificates.many(['x', 'y']),
  'productCertificates.history': shop => shop.productCertificates.history('x'),
  'productCertificates.list': shop => shop.productCertificates.list({ ...afterTitle, state: 'issued' }),
  'productCertificates.missing': shop => shop.productCertificates.missing(afterTitle),
  'productCertificates.counts': shop => shop.productCertificates.counts(),
  'draftAttachments.list': shop => shop.draftAttachments.list('x'),
  'draftAttachments.drafts': shop => shop.draftAttachments.drafts(),
  'productCertificates.needs': shop => shop.productCertificates.needs({ retestBy: '2026-12-31' }),
};

describe('SQLite query plans', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-plans-'));
  const { durable, bestEffort } = connectSqlite(folder);
  let file: DatabaseSync;
  beforeAll(async () => {
    await migrate(durable);
    file = new DatabaseSync(join(folder, 'compliance.sqlite'));
  });
  afterAll(async () => {
    file.close();
    await Promise.all([durable.destroy(), bestEffort.destroy()]);
    rmSync(folder, { recursive: true });
  });

  /** Returns the query plans of all statements that a function runs. */
  async function plansOf(
    work: (context: Parameters<typeof createShopScope>[0]) => Promise<unknown>,
  ): Promise<string[]> {
    const nodes: RootOperationNode[] = [];
    const spy: KyselyPlugin = {
      transformQuery({ node }) {
        nodes.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    await work({
      durable: withShopTables(durable.withPlugin(spy)),
      clock,
      newId: createIds(clock),
      catalogCounts: { of: (_shop, _name, compute) => compute() },
      files: createBlobs(null).files,
    });
    expect(nodes.length).toBeGreaterThan(0);
    return nodes.flatMap(node => {
      const { sql, parameters } = durable.getExecutor().compileQuery(node, createQueryId());
      const rows = file.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[]));
      return rows.map(({ detail }) => String(detail));
    });
  }

  it.each(Object.entries(reads))('uses indexes to run %s', async (name, read) => {
    const plans = await plansOf(context => read(createShop(createShopScope(context, 'one.myshopify.com'))));
    const scanned = plans.filter(plan => /^SCAN (?!\(|CONSTANT)/.test(plan));
    expect(scanned).toEqual([]);
    const isPaged = /\.list|missing|latest|trend/.test(name);
    // If a list is filtered by rule, SQLite sorts the few rows within each severity without an index.
    if (isPaged) expect(plans.filter(plan => /TEMP B-TREE (?!FOR LAST TERM)/.test(plan))).toEqual([]);
  });

  it('uses indexes to find due jobs, due scans, installed shops, and sessions', async () => {
    const plans = await plansOf(async context => {
      await createJobs(context).claim('w', ['scan', 'catalog'], 60_000);
      await createShops(context).enqueueDue({ kind: 'scan' }, 100);
      await createShops(context).list({ limit: 100, after: 'x' });
      await createSessions(context).get('x');
    });
    expect(plans.filter(plan => /^SCAN (?!\(|CONSTANT)|TEMP B-TREE/.test(plan))).toEqual([]);
  });
});
