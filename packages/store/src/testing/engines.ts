import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, describe } from 'vitest';
import { createBlobs } from '../blobs/blobs.ts';
import { createFolderBackend } from '../blobs/folder-backend.ts';
import { connectPostgres } from '../database/postgres.ts';
import type { Connections } from '../database/schema.ts';
import { connectSqlite } from '../database/sqlite/sqlite.ts';
import type { StartOptions, Store } from '../store.ts';
import type { OpenFresh, TestedStore } from './contract/harness.ts';
import { describeWithPostgres } from './describe-with-postgres.ts';
import type { Postgres } from './postgres.ts';

/** Fresh, empty database for one test. */
interface FreshDatabase {
  readonly connections: Connections;
  readonly sql: TestedStore['sql'];
  /** Empties the database for the next test once all connections to the database are closed. */
  release?(): Promise<void>;
}

/**
 * Registers the same tests for each engine: node:sqlite and a real PostgreSQL server.
 *
 * @param start Function that starts the store under test.
 * @param register Function that registers the tests.
 * @example
 * await describeEachEngine(startStore, registerStoreContract);
 */
export async function describeEachEngine<S extends Store>(
  start: (connections: Connections, options: StartOptions) => Promise<S>,
  register: (openFresh: OpenFresh<S>) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-store-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let opened = 0;
  const freshFolder = () => join(folder, `${opened++}`, 'data');

  const openOn =
    (connectFresh: () => Promise<FreshDatabase>): OpenFresh<S> =>
    async options => {
      const { connections, sql, release } = await connectFresh();
      const blobs = createBlobs(createFolderBackend(freshFolder()));
      const store = await start(connections, { ...options, blobs }).catch(async error => {
        await release?.();
        throw error;
      });
      let released: Promise<void> | undefined;
      return {
        ...store,
        sql,
        async close() {
          await store.close();
          released ??= release?.();
          await released;
        },
      };
    };

  describe('node:sqlite', () => register(openOn(async () => connectFreshSqlite(freshFolder()))));
  await describeWithPostgres('PostgreSQL', startFresh => register(openOn(createPostgresPool(startFresh))));
}

function connectFreshSqlite(dataDir: string): FreshDatabase {
  return {
    connections: connectSqlite(dataDir),
    async sql(statement) {
      const file = new DatabaseSync(join(dataDir, 'compliance.sqlite'));
      try {
        return file.prepare(statement).all();
      } finally {
        file.close();
      }
    },
  };
}

const EMPTY = 'drop schema public cascade; create schema public';

/**
 * Creates a pool of PostgreSQL databases. Creating a database copies about 7 MB, so tests empty and reuse the
 * databases.
 */
function createPostgresPool(startFresh: () => Promise<Postgres>): () => Promise<FreshDatabase> {
  const idle: Postgres[] = [];
  afterAll(() => Promise.all(idle.map(({ stop }) => stop())));

  return async () => {
    const postgres = idle.pop() ?? (await startFresh());
    const sql = async (statement: string) => {
      const client = new pg.Client(postgres.url);
      await client.connect();
      const { rows } = await client.query(statement).finally(() => client.end());
      return rows;
    };
    return {
      connections: connectPostgres(postgres.url),
      sql,
      async release() {
        await sql(EMPTY);
        idle.push(postgres);
      },
    };
  };
}
