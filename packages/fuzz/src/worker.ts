import { parentPort, workerData } from 'node:worker_threads';
import { coverageOf } from './coverage.ts';
import { randomFrom } from './random.ts';
import { search } from './search.ts';
import type { FuzzTarget } from './target.ts';
import { corpusOf, ROOT, type TargetFile } from './targets.ts';

/** What a worker is given. `current` holds the number of the input, its length and the input itself, in UTF-16. */
export interface WorkerData {
  readonly target: TargetFile;
  readonly covers: readonly string[];
  readonly millis: number;
  readonly seed: number;
  readonly current: SharedArrayBuffer;
}

const { target: file, covers, millis, seed, current } = workerData as WorkerData;
const state = new Int32Array(current, 0, 2);
const text = Buffer.from(current, 8);

const coverage = coverageOf(ROOT, covers);
const { default: target } = (await import(file.path)) as { default: FuzzTarget };
await target.open?.();
const begin = (input: string) => {
  state[1] = text.write(input, 'utf16le');
  Atomics.add(state, 0, 1);
};
const end = performance.now() + millis;
const isOver = () => performance.now() > end;
const result = await search(target, coverage, corpusOf(file), { isOver, random: randomFrom(seed), begin });
await target.close?.();
parentPort!.postMessage(result);
