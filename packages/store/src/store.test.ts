import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import pg from 'pg';
import { afterAll, describe } from 'vitest';
import { openStore } from './index.ts';
import type { Schema } from './schema.ts';
import { startStore } from './store.ts';
import { registerBattery } from './testing/battery/index.ts';
import { describeWithPostgres, type Postgres } from './testing/index.ts';

describe('node:sqlite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-store-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let opened = 0;

  registerBattery(options => openStore({ ...options, dataDir: join(folder, `${opened++}`, 'data') }));
});

describe('PGlite', () => {
  // Starting one takes seconds, so tests hand them on, emptied.
  const idle: PGlite[] = [];
  afterAll(() => Promise.all(idle.map(pglite => pglite.close())));

  async function lend() {
    const pglite = idle.pop() ?? (await PGlite.create());
    return {
      ready: true,
      closed: false,
      waitReady: pglite.waitReady,
      query: pglite.query.bind(pglite),
      transaction: pglite.transaction.bind(pglite),
      async close() {
        await pglite.exec('drop schema public cascade; create schema public');
        idle.push(pglite);
      },
    };
  }

  registerBattery(async options => {
    const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite: lend }) });
    return await startStore({ ledger: db, counters: db, place: 'PGlite' }, options);
  });
});

await describeWithPostgres('PostgreSQL', startFresh => {
  // Making a database copies some 7 MB, so tests hand them on, emptied.
  const idle: Postgres[] = [];
  afterAll(() => Promise.all(idle.map(({ stop }) => stop())));

  registerBattery(async options => {
    const postgres = idle.pop() ?? (await startFresh());
    const release = async () => {
      const client = new pg.Client(postgres.url);
      await client.connect();
      await client.query('drop schema public cascade; create schema public');
      await client.end();
      idle.push(postgres);
    };
    const store = await openStore({ ...options, databaseUrl: postgres.url }).catch(async error => {
      await release();
      throw error;
    });
    let released: Promise<void> | undefined;
    return {
      ...store,
      async close() {
        await store.close();
        released ??= release();
        await released;
      },
    };
  });
});
