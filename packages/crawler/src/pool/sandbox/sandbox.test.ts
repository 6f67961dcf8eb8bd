import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type * as Attacks from '../../testing/attacks.ts';
import { attackNames } from '../../testing/attacks.ts';
import type * as Jobs from '../../testing/jobs.ts';
import { createPool, siblingModule } from '../pool.ts';
import { inspectSandbox, workerLaunch } from './index.ts';
import { inNamespaces, type NamespaceTool } from './namespaces.ts';

const attacksModule = siblingModule(import.meta.url, '../../testing/attacks');
const jobsModule = siblingModule(import.meta.url, '../../testing/jobs');
const attacksFile = fileURLToPath(attacksModule);
const layers = inspectSandbox();
const isLinux = process.platform === 'linux';

const hasBwrap = spawnSync('bwrap', ['--version']).status === 0;
const TOOLS: NamespaceTool[] = ['unshare', ...(hasBwrap ? ['bwrap' as const] : [])];

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-')));
/** Module with the job that the pool runs. Its package folder also contains a link to the operator secret. */
const jobModule = join(folder, 'package', 'src', 'job.mjs');
const received: string[] = [];
let targets: Attacks.Targets;

beforeAll(async () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  const secretFile = join(data, 'operator-secret');
  writeFileSync(secretFile, 'export const secret = 1');
  const databaseFile = join(data, 'compliance.sqlite');
  const database = new DatabaseSync(databaseFile);
  database.exec('create table secrets (secret text)');
  database.close();
  mkdirSync(join(folder, 'package', 'src'), { recursive: true });
  writeFileSync(join(folder, 'package', 'package.json'), '{ "name": "job" }');
  writeFileSync(jobModule, 'export const job = () => 1');
  const link = join(folder, 'package', 'src', 'link');
  symlinkSync(secretFile, link);
  const sharedMemoryFile = isLinux ? `/dev/shm/sandbox-${process.pid}` : join(folder, 'shm');
  writeFileSync(sharedMemoryFile, 'shared');
  process.env.SECRET_OF_THE_SERVER = '1';

  const listeners = [
    { port: 0, host: '127.0.0.1' },
    { path: join(folder, 'socket') },
    ...(isLinux ? [{ path: `\0sandbox-${process.pid}` }] : []),
  ].map(at => {
    const server = createServer(socket => {
      received.push(JSON.stringify(at));
      socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    });
    return server.listen(at);
  });
  await Promise.all(listeners.map(server => once(server, 'listening')));
  const udp = createSocket('udp4').on('message', () => received.push('UDP'));
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  targets = {
    ...{ secretFile, databaseFile, sharedMemoryFile, link, cwd: data },
    tcpPort: (listeners[0]!.address() as AddressInfo).port,
    udpPort: udp.address().port,
    unixSocket: join(folder, 'socket'),
    abstractSocket: `\0sandbox-${process.pid}`,
    ...{ parent: process.pid, victim: 0, debuggee: 0 },
  };
  afterAll(() => {
    for (const server of listeners) server.close();
    udp.close();
    rmSync(folder, { recursive: true });
    rmSync(sharedMemoryFile, { force: true });
    delete process.env.SECRET_OF_THE_SERVER;
  });
});

/** Returns the targets for one run of the attacks, with new processes for the attacks to kill and to debug. */
function targetsWithVictims(): Attacks.Targets {
  received.length = 0;
  return { ...targets, victim: startVictim(), debuggee: startVictim() };
}

function startVictim(): number {
  const victim = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  onTestFinished(() => void victim.kill('SIGKILL'));
  return victim.pid!;
}

/** Runs the attacks as a job in a pool like the one that `serve` creates. */
async function attackFromPool(options: Partial<Parameters<typeof createPool>[0]> = {}): Promise<string[]> {
  const pool = createPool({ workers: 2, timeoutMs: 30_000, memoryMb: 256, queue: 100, ...options });
  onTestFinished(() => pool.close());
  // Running this job also gives the worker access to the job's package folder, which contains a link to the secret.
  await pool.run(new URL(`file://${jobModule}`), 'job', undefined as never);
  return pool.run<typeof Attacks.attack>(attacksModule, 'attack', targetsWithVictims());
}

/** Starts a process that runs the attacks as its main module, so that only the command's own restrictions apply. */
async function attackFrom([command, ...args]: readonly string[], except: readonly string[] = []): Promise<string[]> {
  const input = JSON.stringify({ ...targetsWithVictims(), except });
  const child = spawn(command!, [...args, input], { cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(await text(child.stdout));
}

/** Returns whether this Node version ends the process if `process.execve` fails. Later versions throw an error. */
function execveEndsProcess(): boolean {
  const code = "try { process.execve('/missing') } catch { process.exit(7) }";
  return spawnSync(process.execPath, ['--eval', code]).status !== 7;
}

describe('a job’s sandbox', () => {
  it('doesn’t include build output if the service runs from source, because another process might be replacing the output', () => {
    const main = siblingModule(import.meta.url, '../worker-process/worker');
    const { files } = workerLaunch({ main, modules: [], memoryMb: 64, kernel: { missing: 'test' } });
    expect(files.filter(path => path.endsWith('/src/')).length).toBeGreaterThan(0);
    expect(files.filter(path => path.endsWith('/dist/'))).toEqual([]);
  });

  it.runIf(isLinux && 'tool' in layers.kernel)('prevents every attack on Linux', async () => {
    expect(attackNames.length).toBeGreaterThan(30);
    expect(await attackFromPool()).toEqual([]);
    expect(received).toEqual([]);
  });

  it.runIf(layers.nodeDeniesNetwork)(
    'prevents every attack when namespaces are unavailable, except reading files through symbolic links in package folders',
    async () => {
      expect(await attackFromPool({ kernel: { missing: 'test' } })).toEqual(['follow a link out of the code']);
      expect(received).toEqual([]);
    },
  );
});

/** Returns whether any running process has a command line that contains the text. */
const isRunning = (text: string) =>
  globSync('/proc/[0-9]*/cmdline').some(file => {
    try {
      return readFileSync(file, 'utf8').includes(text);
    } catch {
      return false;
    }
  });

describe('a worker process in the sandbox', () => {
  it.runIf(isLinux)('ends, along with its namespaces, when a job takes too long', async () => {
    const pool = createPool({ workers: 1, timeoutMs: 2_000, memoryMb: 71, queue: 100 });
    onTestFinished(() => pool.close());
    const job = pool.run<typeof Jobs.loopForever>(jobsModule, 'loopForever', undefined);
    await expect.poll(() => isRunning('--max-old-space-size=71')).toBe(true);
    await expect(job).rejects.toMatchObject({ reason: 'timed_out' });
    await expect.poll(() => isRunning('--max-old-space-size=71')).toBe(false);
  });

  it.runIf(isLinux && 'tool' in layers.kernel)('ends when the service is killed, even during a job', async () => {
    const service = join(folder, 'service.mts');
    const pool = siblingModule(import.meta.url, '../pool').href;
    writeFileSync(
      service,
      `const { createPool } = await import('${pool}');
       const pool = createPool({ workers: 1, timeoutMs: 60_000, memoryMb: 73, queue: 1 });
       await pool.run(new URL('${jobsModule.href}'), 'loopForever');`,
    );
    const running = spawn(process.execPath, ['--conditions=@compliance/source', service], { stdio: 'ignore' });
    onTestFinished(() => void running.kill('SIGKILL'));
    await expect.poll(() => isRunning('--max-old-space-size=73'), { timeout: 10_000 }).toBe(true);
    running.kill('SIGKILL');
    await expect.poll(() => isRunning('--max-old-space-size=73')).toBe(false);
  });
});

describe('each sandbox layer alone', () => {
  /**
   * Attacks that affect only the process itself, so namespaces don't prevent them. The UDP packet reaches only the
   * namespace's empty network.
   */
  const harmless = [
    ...['read the environment', 'listen on a TCP port', 'start Node', 'start a thread with more permissions'],
    ...[
      'send a UDP packet',
      'call native code',
      'get an internal binding',
      'change V8’s flags',
      'replace the rules for imports',
    ],
    ...['open the inspector', 'connect to the inspector'],
  ];

  it.runIf(isLinux && 'tool' in layers.kernel).each(TOOLS)(
    'isolates a process from everything outside its namespaces: %s',
    async tool => {
      const args = [attacksFile];
      const command = inNamespaces(tool, [attacksFile, join(folder, 'package', '/')], args);
      const succeeded = await attackFrom(command, execveEndsProcess() ? ['replace the process'] : []);
      expect(succeeded.filter(name => !harmless.includes(name))).toEqual([]);
      expect(received).toEqual([]);
    },
  );

  it.runIf(layers.nodeDeniesNetwork)(
    'denies access to files, the network, threads, and programs through Node’s permission model',
    async () => {
      const modules = [new URL(`file://${jobModule}`)];
      const { command, args } = workerLaunch({
        main: attacksModule,
        modules,
        memoryMb: 256,
        kernel: { missing: 'test' },
      });
      expect(await attackFrom([command, ...args])).toEqual([
        // Unlike the pool, this test doesn't start the process with an empty environment.
        ...['read the environment', 'open the database with node:sqlite', 'follow a link out of the code'],
        ...['change V8’s flags', 'replace the rules for imports', 'find the parent with a signal'],
        ...['change the priority of a process', 'kill a process', 'start the debugger of a process'],
      ]);
      expect(received).toEqual([]);
    },
  );

  it.runIf(isLinux)('is tested with attacks that succeed without the sandbox', async () => {
    // These attacks can't report success, because the process was replaced, no DNS server replies, or no addon exists.
    const silent = [
      ...['resolve a name with DNS', 'replace the process', 'load a native addon'],
      ...(isBuiltin('node:ffi') ? [] : ['call native code']),
      'get a linked binding',
    ];
    const succeeded = await attackFrom([process.execPath, attacksFile], ['replace the process']);
    expect(attackNames.filter(name => !succeeded.includes(name))).toEqual(silent);
    expect(received.filter(each => each === 'UDP').length).toBeGreaterThan(1);
  });
});
