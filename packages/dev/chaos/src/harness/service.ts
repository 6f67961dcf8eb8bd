import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ScenarioContext } from '../model/scenario.ts';
import type { Place } from './place.ts';

const COMMAND = fileURLToPath(new URL('../../../../cli/src/main.ts', import.meta.url));
const CLOCK = new URL('./clock.ts', import.meta.url).href;

/** Text at the end of the message that the service prints when it's ready. */
const READY = 'Stop with Ctrl-C';

/** A process of the service under test. */
export interface Service {
  readonly base: string;
  readonly child: ChildProcess;
  /** Resolves with the exit code or signal. */
  readonly exited: Promise<number | string>;
  output(): string;
  /** Returns the result of a `/readyz` request, such as `200 ready`, `503 storage_full`, or `refused`. */
  readiness(): Promise<string>;
  /** Whether to send requests to the process. */
  accepting: boolean;
}

/** Options for starting a process. */
export interface ProcessOptions {
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Shell commands to run before the process starts, such as `ulimit`. */
  readonly prelude?: string;
  /** Clock offsets in milliseconds, in the order in which SIGUSR2 selects them. */
  readonly clockOffsets?: readonly number[];
}

function compliance(
  args: readonly string[],
  place: Place,
  { env, prelude, clockOffsets }: ProcessOptions = {},
): ChildProcess {
  const { DATABASE_URL: _, NODE_ENV: __, BASE_URL: ___, ...inherited } = process.env;
  const node = [
    process.execPath,
    ...(clockOffsets ? ['--import', CLOCK] : []),
    '--conditions=@compliance/source',
    COMMAND,
  ];
  const settings = {
    ...inherited,
    ...env,
    NO_COLOR: '1',
    ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
    ...(clockOffsets && { CLOCK_OFFSETS: clockOffsets.join(',') }),
  };
  const command = [...node, ...args, '--data', place.dataDir];
  if (!prelude) return spawn(command[0]!, command.slice(1), { env: settings });
  return spawn('bash', ['-c', `${prelude}; exec "$0" "$@"`, ...command], { env: settings });
}

/** Runs a `compliance` command, and returns its exit code and output. */
export async function runCommand(args: readonly string[], place: Place): Promise<{ code: number; output: string }> {
  const child = compliance(args, place);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', text => (output += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

/** Starts `compliance serve`, and waits until it's ready or has exited. */
export async function startProcess(
  { defer }: Pick<ScenarioContext, 'defer'>,
  place: Place,
  options: ProcessOptions = {},
): Promise<Service> {
  const env = { COMPLIANCE_DRAIN_DELAY: '1', ...options.env };
  const child = compliance(['serve', '--port', `${options.port ?? 0}`], place, { ...options, env });
  let output = '';
  const exited = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  defer(() => {
    child.kill('SIGKILL');
    return exited;
  });
  const ready = new Promise<void>(resolve => {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', text => {
        output += text;
        if (output.includes(READY)) resolve();
      });
  });
  await Promise.race([ready, exited]);
  const base = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
  return {
    ...{ base, child, exited, accepting: true },
    output: () => output,
    async readiness() {
      try {
        const response = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(5_000) });
        const { status, error, checks = {} } = (await response.json()) as Readiness;
        const codes = Object.values(checks).flatMap(check => check.error ?? []);
        return [response.status, codes[0] ?? (status === 'ready' ? status : (status ?? error))].join(' ');
      } catch {
        return 'refused';
      }
    },
  };
}

interface Readiness {
  readonly status?: string;
  readonly error?: string;
  readonly checks?: Readonly<Record<string, { readonly error?: string }>>;
}

/** Waits until a condition is true. Returns whether it became true within the time limit. */
export async function until(condition: () => Promise<boolean> | boolean, limitMs = 20_000): Promise<boolean> {
  for (const end = performance.now() + limitMs; performance.now() < end; ) {
    if (await condition()) return true;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return false;
}
