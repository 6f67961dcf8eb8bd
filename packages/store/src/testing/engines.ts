import { mkdtempSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe } from 'vitest';
import { createBlobs } from '../blobs/blobs.ts';
import { createFolderBackend } from '../blobs/folder-backend.ts';
import { connectPostgres } from '../database/postgres.ts';
import type { Connections } from '../database/schema.ts';
import { connectSqlite } from '../database/sqlite/sqlite.ts';
import type { StartOptions, Store } from '../store.ts';
import type { OpenFresh, TestedStore } from './contract/harness.ts';
import { describeWithPostgres } from './describe-with-postgres.ts';
import { type Postgres, query, type startPostgres } from './postgres.ts';

/** Fresh, empty database for one test. */
interface FreshDatabase {
  readonly connections: Connections;
  readonly sql: TestedStore['sql'];
  /** Deletes the database. */
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
  /** Creates the tables in an empty database, so that tests can use copies of it. */
  const migrate = async (connections: Connections) => {
    const blobs = createBlobs(createFolderBackend(freshFolder()));
    await (await start(connections, { clock: Date.now, blobs })).close();
  };

  describe('node:sqlite', () => register(openOn(copySqlite(freshFolder, migrate))));
  await describeWithPostgres('PostgreSQL', startFresh => register(openOn(copyPostgres(startFresh, migrate))));
}

type Migrate = (connections: Connections) => Promise<void>;

function copySqlite(freshFolder: () => string, migrate: Migrate): () => Promise<FreshDatabase> {
  let template: Promise<string> | undefined;
  const createTemplate = async () => {
    const dataDir = freshFolder();
    await migrate(connectSqlite(dataDir));
    return dataDir;
  };
  return async () => {
    const dataDir = freshFolder();
    template ??= createTemplate();
    await cp(await template, dataDir, { recursive: true });
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
  };
}

/** Matches statements that make a database unsuitable for reuse, because emptying the tables doesn't undo them. */
const CHANGES_SCHEMA = /\b(?:alter|create|drop|truncate)\b/i;

/**
 * Returns a function that provides databases that don't contain data from earlier tests. When a test ends, its database
 * is reset and reused, because creating a database takes longer than most tests.
 */
function copyPostgres(startFresh: typeof startPostgres, migrate: Migrate): () => Promise<FreshDatabase> {
  const unused: Postgres[] = [];
  let template: Promise<{ readonly database: Postgres; readonly reset: string }> | undefined;
  const createTemplate = async () => {
    const database = await startFresh();
    await migrate(connectPostgres(database.url));
    return { database, reset: await prepareReset(database.url) };
  };
  return async () => {
    template ??= createTemplate();
    const { database, reset } = await template;
    const postgres = unused.pop() ?? (await startFresh(database));
    let isReusable = true;
    return {
      connections: connectPostgres(postgres.url),
      async sql(statement) {
        if (CHANGES_SCHEMA.test(statement)) isReusable = false;
        return await query(postgres.url, statement);
      },
      async release() {
        if (!isReusable) return await postgres.stop();
        await query(postgres.url, reset);
        unused.push(postgres);
      },
    };
  };
}

/** Saves a database's rows in another schema, and returns the statements that restore them and the sequences. */
async function prepareReset(url: string): Promise<string> {
  const tables = await query(url, "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'");
  const sequences = await query(
    url,
    "select quote_literal(quote_ident(sequencename)) as name, coalesce(last_value, start_value) as value, last_value is not null as called from pg_sequences where schemaname = 'public'",
  );
  const names = tables.map(({ name }) => name);
  await query(
    url,
    ['create schema initial', ...names.map(name => `create table initial.${name} as table public.${name}`)].join(';'),
  );
  return [
    // Skip triggers and foreign keys.
    'set session_replication_role = replica',
    ...names.map(name => `delete from public.${name}`),
    ...names.map(name => `insert into public.${name} select * from initial.${name}`),
    ...sequences.map(({ name, value, called }) => `select setval(${name}, ${value}, ${called})`),
  ].join(';');
}
