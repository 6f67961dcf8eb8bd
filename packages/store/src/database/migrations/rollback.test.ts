import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StoreLocation } from '../../index.ts';
import { inspectDatabase, openStore } from '../../index.ts';
import { connect } from '../../open.ts';
import { describeWithPostgres, type Postgres } from '../../testing/index.ts';
import type { Connections } from '../schema.ts';
import { compatibility, MIGRATIONS, migrate, SCHEMA_MIGRATIONS, type SchemaMigration } from './index.ts';

const TODAY = MIGRATIONS.at(-1)!;

const addColumn = (name: string) => async (db: Kysely<never>) => {
  await db.schema.alterTable('keys').addColumn(name, 'text').execute();
};

/**
 * Migrations of the next release. Because that release only adds to the tables, the current code can still use them.
 */
const NEXT: Record<string, SchemaMigration> = {
  ...SCHEMA_MIGRATIONS,
  '9001-expand': { up: addColumn('label'), oldestCode: TODAY },
};

/** Migrations of the release after `NEXT`. Their last migration declares that the current code can't use the tables. */
const AFTER_NEXT: Record<string, SchemaMigration> = {
  ...NEXT,
  '9002-contract': { up: addColumn('other'), oldestCode: '9001-expand' },
};

/** Returns all of a release's migrations except the last one. */
const oneFewer = (known: Record<string, SchemaMigration>) => Object.fromEntries(Object.entries(known).slice(0, -1));

/** Runs `work` on the tables without starting a store. */
async function withTables<T>(location: StoreLocation, work: (connections: Connections) => Promise<T>): Promise<T> {
  const connections = connect(location);
  return await work(connections).finally(() =>
    Promise.all([connections.durable.destroy(), connections.bestEffort.destroy()]),
  );
}

function registerRollback(freshLocation: () => Promise<StoreLocation>): void {
  it('lets the previous release use the tables, and keeps the data that the release writes', async () => {
    const location = await freshLocation();
    const today = await openStore({ ...location, clock: Date.now });
    const { key } = await today.keys.issue({ scope: 'all', actor: 'before the upgrade' });
    await today.close();
    await withTables(location, ({ durable }) => migrate(durable, undefined, NEXT));

    const rolledBack = await openStore({ ...location, clock: Date.now });
    expect(await rolledBack.keys.authenticate(key)).not.toBeNull();
    const { record } = await rolledBack.keys.issue({ scope: 'all', actor: 'after the rollback' });
    expect((await rolledBack.limits.take(record.family)).allowed).toBe(true);
    await rolledBack.certificates.issue({ family: record.family, record: '{}', pdf: Buffer.from('%PDF-'), actor: 'k' });
    await rolledBack.close();

    // The next release can use the tables again without another migration.
    await withTables(location, async ({ durable }) => {
      await migrate(durable, undefined, NEXT);
      expect(await compatibility(durable, NEXT)).toMatchObject({ newer: [], usable: true });
      expect(await durable.selectFrom('keys').selectAll().execute()).toHaveLength(2);
    });
    expect(await inspectDatabase(location, Date.now)).toMatchObject({ unknown: ['9001-expand'], usable: true });
  });

  it('refuses to open a database that a newer release has made incompatible, and explains what to do', async () => {
    const location = await freshLocation();
    await withTables(location, ({ durable }) => migrate(durable, undefined, AFTER_NEXT));
    await expect(openStore({ ...location, clock: Date.now })).rejects.toMatchObject({
      name: 'StoreError',
      code: 'database_newer',
      message: expect.stringMatching(
        /^A newer release has migrated the database \(9002-contract\).*compliance restore/,
      ),
    });
    expect(await inspectDatabase(location, Date.now)).toMatchObject({ usable: false });
    await withTables(location, async ({ durable }) => {
      expect((await compatibility(durable, NEXT)).usable).toBe(true);
      // Running the older code's migrations doesn't change the record back.
      await migrate(durable, undefined, NEXT);
      expect((await compatibility(durable)).usable).toBe(false);
    });
  });

  it('lets code that lacks the newest migration use the migrated tables only if the migration declares that code compatible', async () => {
    const location = await freshLocation();
    await (await openStore({ ...location, clock: Date.now })).close();
    const previous = oneFewer(SCHEMA_MIGRATIONS);
    const { oldestCode } = SCHEMA_MIGRATIONS[TODAY]!;
    const usable = oldestCode <= Object.keys(previous).at(-1)!;
    await withTables(location, async ({ durable }) => {
      expect(await compatibility(durable, previous)).toMatchObject({ newer: [TODAY], usable });
    });
  });
}

describe('a rollback on SQLite', () =>
  registerRollback(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'compliance-rollback-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    return { dataDir };
  }));

await describeWithPostgres('a rollback on PostgreSQL', (startFresh: () => Promise<Postgres>) =>
  registerRollback(async () => {
    const { url, stop } = await startFresh();
    onTestFinished(stop);
    const dataDir = mkdtempSync(join(tmpdir(), 'compliance-rollback-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    return { databaseUrl: url, dataDir };
  }),
);

it('never sets a migration’s `oldestCode` to a later migration', () => {
  for (const [name, { oldestCode }] of Object.entries(SCHEMA_MIGRATIONS)) {
    expect(MIGRATIONS).toContain(oldestCode);
    expect(oldestCode <= name).toBe(true);
  }
});
