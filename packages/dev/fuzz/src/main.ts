/** Searches for inputs that break an invariant. Usage: `pnpm fuzz [minutes per target] [target names]`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Broken, Search } from './search.ts';
import type { FuzzTarget } from './target.ts';
import { corpusOf, keepCorpus, TARGETS, type TargetFile } from './targets.ts';
import type { WorkerData } from './worker.ts';

/** Time limit for one input, and memory limit for one search. */
const MOST_MS = 20_000;
const MOST_MB = 1024;
/** Time limit for loading and opening a target. */
const START_MS = 180_000;
const AT_ONCE = 2;

const [minutes = '1', ...names] = process.argv.slice(2);
const seed = Date.now() % 1_000_000;
const queue = TARGETS.filter(({ name }) => names.length === 0 || names.includes(name));
let isBroken = false;

/** Runs a search in its own thread. Terminates the thread if an input makes the target hang. */
async function run(target: TargetFile): Promise<Search | Broken> {
  const { covers, maxLength } = ((await import(target.path)) as { default: FuzzTarget }).default;
  const current = new SharedArrayBuffer(8 + 2 * maxLength);
  const state = new Int32Array(current, 0, 2);
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: { target, covers, millis: Number(minutes) * 60_000, seed, current } satisfies WorkerData,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
  });
  const broke = (failure: string): Broken => ({
    input: Buffer.from(new Uint8Array(current, 8, state[1])).toString('utf16le'),
    failure,
  });
  const done = new Promise<Search | Broken>(resolve => {
    worker.once('message', resolve);
    worker.once('error', error => resolve(broke(String(error))));
    worker.once('exit', () => resolve(broke('The thread exited')));
  });
  const stuck = (async () => {
    const started = performance.now();
    for (let before = -1; ; before = state[0]!) {
      const result = await Promise.race([done, sleep(MOST_MS)]);
      if (result) return result;
      if (state[0] === 0 && performance.now() - started > START_MS) {
        return broke(`The target didn't start within ${START_MS / 1000} s`);
      }
      if (state[0]! > 0 && state[0] === before) return broke(`One input took more than ${MOST_MS} ms`);
    }
  })();
  const result = await stuck;
  await worker.terminate();
  return result;
}

function report(target: TargetFile, result: Search | Broken): void {
  const found = 'broken' in result ? result.broken : [result];
  const before = corpusOf(target);
  const after = [...('corpus' in result ? result.corpus : before), ...found.map(({ input }) => input)];
  const bytes = keepCorpus(target, [...new Set(after)]);
  if ('tried' in result) {
    const { tried, reached, total, kept, slowest } = result;
    const rate = Math.round(tried / (Number(minutes) * 60));
    process.stdout.write(
      `${target.name}: ${tried} inputs, ${rate}/s; reached ${reached} of ${total} branches and functions (${Math.round((100 * reached) / total)} %); ` +
        `built on ${kept} inputs; corpus ${before.length} → ${after.length} (${(bytes / 1024).toFixed(1)} KiB); slowest ${Math.round(slowest)} ms; ${found.length} broken\n`,
    );
  }
  for (const { input, failure } of found) process.stdout.write(`  ${failure}\n    ${JSON.stringify(input)}\n`);
  isBroken ||= found.length > 0;
}

async function next(): Promise<void> {
  for (let target = queue.shift(); target; target = queue.shift()) report(target, await run(target));
}
process.stdout.write(`seed ${seed}, ${minutes} min per target, ${AT_ONCE} targets in parallel\n`);
await Promise.all(Array.from({ length: AT_ONCE }, next));
process.exitCode = isBroken ? 1 : 0;
