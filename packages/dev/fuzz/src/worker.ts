import { parentPort, workerData } from 'node:worker_threads';
import { coverageOf } from './coverage.ts';
import { randomFrom } from './random.ts';
import { searchInputs } from './search.ts';
import type { FuzzTarget } from './target.ts';
import { corpusOf, REPOSITORY_ROOT, type TargetFile } from './targets.ts';

/** Data that a worker receives. `current` contains the current input's number, length in bytes, and UTF-16 text. */
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

const coverage = coverageOf(REPOSITORY_ROOT, covers);
const { default: target } = (await import(file.path)) as { default: FuzzTarget };
await target.open?.();
const begin = (input: string) => {
  state[1] = text.write(input, 'utf16le');
  Atomics.add(state, 0, 1);
};
const end = performance.now() + millis;
const isOver = () => performance.now() > end;
const result = await searchInputs(target, coverage, corpusOf(file), { isOver, random: randomFrom(seed), begin });
await target.close?.();
parentPort!.postMessage(result);
