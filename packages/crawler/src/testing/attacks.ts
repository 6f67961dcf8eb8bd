import { writeSync } from 'node:fs';

/** The test's files, servers, and processes that an attack tries to access. */
export interface Targets {
  readonly secretFile: string;
  readonly databaseFile: string;
  readonly sharedMemoryFile: string;
  /** A symbolic link to `secretFile` in the job's package folder. */
  readonly link: string;
  readonly cwd: string;
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly unixSocket: string;
  readonly abstractSocket: string;
  /** The process that started the worker. */
  readonly parent: number;
  /** A process that the attack tries to kill. */
  readonly victim: number;
  /**
   * A process whose debugger the attack tries to start. This process differs from `victim`, because `victim` might
   * already have ended.
   */
  readonly debuggee: number;
  /** Names of attacks to skip. */
  readonly except?: readonly string[];
}

const GIVE_UP_MS = 1_000;

const attacks: Record<string, (targets: Targets) => unknown> = {
  'read the environment': () => {
    if (Object.keys(process.env).length === 0) throw new Error('empty');
  },
  'read the parent’s environment': async ({ parent }) =>
    (await import('node:fs')).readFileSync(`/proc/${parent}/environ`),
  'read the environment through /proc/self': async () => (await import('node:fs')).readFileSync('/proc/self/environ'),
  'read the parent’s memory': async ({ parent }) => (await import('node:fs')).openSync(`/proc/${parent}/mem`, 'r'),
  'read the operator secret': async ({ secretFile }) => (await import('node:fs')).readFileSync(secretFile),
  'read the operator secret asynchronously': async ({ secretFile }) =>
    (await import('node:fs/promises')).readFile(secretFile),
  'read the database file': async ({ databaseFile }) => (await import('node:fs')).readFileSync(databaseFile),
  'open the database with node:sqlite': async ({ databaseFile }) =>
    new (await import('node:sqlite')).DatabaseSync(databaseFile, { readOnly: true }).exec('select * from secrets'),
  'read /etc/passwd': async () => (await import('node:fs')).readFileSync('/etc/passwd'),
  'list the working directory': async ({ cwd }) => (await import('node:fs')).readdirSync(cwd),
  'list the processes': async () => (await import('node:fs')).readdirSync('/proc'),
  'follow a link out of the code': async ({ link }) => (await import('node:fs')).readFileSync(link),
  'import the operator secret': async ({ secretFile }) => import(secretFile),
  'write a file': async ({ secretFile }) => (await import('node:fs')).writeFileSync(`${secretFile}.new`, 'x'),
  'change the code': async ({ link }) => (await import('node:fs')).writeFileSync(`${link}.js`, 'x'),
  'read shared memory': async ({ sharedMemoryFile }) => (await import('node:fs')).readFileSync(sharedMemoryFile),
  'write shared memory': async ({ sharedMemoryFile }) =>
    (await import('node:fs')).appendFileSync(sharedMemoryFile, 'x'),
  'connect to a TCP server': async ({ tcpPort }) => connect({ port: tcpPort, host: '127.0.0.1' }),
  'listen on a TCP port': async () => opened((await import('node:net')).createServer().listen(0), 'listening'),
  'fetch a page': async ({ tcpPort }) =>
    fetch(`http://127.0.0.1:${tcpPort}/`, { signal: AbortSignal.timeout(10 * GIVE_UP_MS) }),
  'send a UDP packet': async ({ udpPort }) => {
    const socket = (await import('node:dgram')).createSocket('udp4');
    await new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.send('x', udpPort, '127.0.0.1', error => (error ? reject(error) : resolve(null)));
    });
  },
  'resolve a name with DNS': async ({ udpPort }) => {
    const resolver = new (await import('node:dns/promises')).Resolver({ timeout: GIVE_UP_MS, tries: 1 });
    resolver.setServers([`127.0.0.1:${udpPort}`]);
    await resolver.resolve4('shop.example');
  },
  'resolve a name with the system’s resolver': async () => (await import('node:dns/promises')).lookup('localhost'),
  'connect to a unix socket': async ({ unixSocket }) => connect({ path: unixSocket }),
  'connect to an abstract unix socket': async ({ abstractSocket }) => connect({ path: abstractSocket }),
  'start a program': async () => (await import('node:child_process')).execFileSync('/bin/true'),
  'start Node': async () => (await import('node:child_process')).execFileSync(process.execPath, ['--version']),
  'replace the process': () => process.execve?.('/bin/true') ?? missing(),
  'start a thread with more permissions': async () => {
    const { Worker } = await import('node:worker_threads');
    const read =
      "require('node:worker_threads').parentPort.postMessage(require('node:fs').readFileSync('/etc/passwd').length)";
    await opened(new Worker(read, { eval: true, execArgv: [] }), 'message');
  },
  'load a native addon': () => process.dlopen({ exports: {} }, '/usr/lib/none.node'),
  'call native code': async () => (await import('node:ffi' as string)).dlopen(null),
  'get an internal binding': () => (process as unknown as Internals).binding('spawn_sync'),
  'get a linked binding': () => (process as unknown as Internals)._linkedBinding('spawn_sync'),
  'get a built-in module without importing it': () =>
    process.getBuiltinModule('node:child_process').execFileSync('/bin/true'),
  'change V8’s flags': async () => (await import('node:v8')).setFlagsFromString('--allow-natives-syntax'),
  'replace the rules for imports': async () => (await import('node:module')).registerHooks({}),
  'open the inspector': async () => (await import('node:inspector')).open(0),
  'connect to the inspector': async () => new (await import('node:inspector')).Session().connect(),
  'find the parent with a signal': ({ parent }) => process.kill(parent, 0),
  'change the priority of a process': async ({ victim }) => (await import('node:os')).setPriority(victim, 5),
  'kill a process': ({ victim }) => process.kill(victim, 'SIGTERM'),
  'start the debugger of a process': ({ debuggee }) => (process as unknown as Internals)._debugProcess(debuggee),
};

interface Internals {
  binding(name: string): unknown;
  _linkedBinding(name: string): unknown;
  _debugProcess(pid: number): void;
}

/** Tries all attacks except those in `except`, and returns the names of the attacks that succeeded. */
export async function attack(targets: Targets): Promise<string[]> {
  const succeeded: string[] = [];
  for (const [name, run] of Object.entries(attacks)) {
    if (targets.except?.includes(name)) continue;
    try {
      await run(targets);
      succeeded.push(name);
    } catch {}
  }
  return succeeded;
}

/** Names of all attacks. */
export const attackNames = Object.keys(attacks);

const missing = () => {
  throw new Error('not in this version of Node');
};

async function connect(to: { port: number; host: string } | { path: string }): Promise<void> {
  await opened((await import('node:net')).connect(to as never), 'connect');
}

/** Waits for an event, such as `connect`. Throws an error if the emitter fails or the event takes too long. */
async function opened(emitter: NodeJS.EventEmitter, event: string): Promise<void> {
  await new Promise((resolve, reject) => {
    emitter.once(event, resolve);
    emitter.once('error', reject);
    setTimeout(() => reject(new Error('timed out')), GIVE_UP_MS);
  });
}

// If this is the main module, try the attacks on the targets in the last argument, and print the attacks that
// succeeded.
if (import.meta.main) {
  writeSync(1, JSON.stringify(await attack(JSON.parse(process.argv.at(-1)!))));
  process.exit();
}
