import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import pg from 'pg';
import { afterAll, describe } from 'vitest';
import { createBlobs } from './blobs/blobs.ts';
import { createFolderShelf } from './blobs/folder.ts';
import type { Schema } from './database/schema.ts';
import { openStore } from './index.ts';
import { startStore } from './store.ts';
import { registerBattery } from './testing/battery/index.ts';
import { describeWithPostgres, type Postgres } from './testing/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'compliance-store-'));
afterAll(() => rmSync(folder, { recursive: true }));
let opened = 0;
const freshFolder = () => join(folder, `${opened++}`, 'data');

describe('node:sqlite', () => {
  registerBattery(async options => {
    const dataDir = freshFolder();
    return {
      ...(await openStore({ ...options, dataDir })),
      async sql(statement) {
        const file = new DatabaseSync(join(dataDir, 'compliance.sqlite'));
        try {
          return file.prepare(statement).all();
        } finally {
          file.close();
        }
      },
    };
  });
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
    let lent: Awaited<ReturnType<typeof lend>> | undefined;
    const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite: async () => (lent = await lend()) }) });
    const blobs = createBlobs(createFolderShelf(freshFolder()));
    const store = await startStore(
      { engine: 'postgres', ledger: db, counters: db, place: 'PGlite' },
      { ...options, blobs },
    );
    return { ...store, sql: async statement => (await lent!.query<Record<string, unknown>>(statement)).rows };
  });
});

await describeWithPostgres('PostgreSQL', startFresh => {
  // Making a database copies some 7 MB, so tests hand them on, emptied.
  const idle: Postgres[] = [];
  afterAll(() => Promise.all(idle.map(({ stop }) => stop())));

  registerBattery(async options => {
    const postgres = idle.pop() ?? (await startFresh());
    const sql = async (statement: string) => {
      const client = new pg.Client(postgres.url);
      await client.connect();
      const { rows } = await client.query(statement).finally(() => client.end());
      return rows;
    };
    const release = async () => {
      await sql('drop schema public cascade; create schema public');
      idle.push(postgres);
    };
    const place = { databaseUrl: postgres.url, dataDir: freshFolder() };
    const store = await openStore({ ...options, ...place }).catch(async error => {
      await release();
      throw error;
    });
    let released: Promise<void> | undefined;
    return {
      ...store,
      sql,
      async close() {
        await store.close();
        released ??= release();
        await released;
      },
    };
  });
});
