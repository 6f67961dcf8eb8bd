import { branchOf, type Coverage } from './coverage.ts';
import { mutate } from './mutate.ts';
import type { FuzzTarget } from './target.ts';

/** Broken invariant and the shortest known input that breaks it. */
export interface Broken {
  readonly input: string;
  readonly failure: string;
}

/** Search outcome. */
export interface Search {
  readonly tried: number;
  /** Number of branches and functions reached, and the total number in the loaded files. */
  readonly reached: number;
  readonly total: number;
  /** Number of inputs kept at the end. Each is the shortest kept input for at least one feature. */
  readonly kept: number;
  /** Inputs to keep permanently: all existing inputs, and each new input that reaches a branch for the first time. */
  readonly corpus: readonly string[];
  /** The slowest input's CPU time, in milliseconds. */
  readonly slowest: number;
  readonly broken: readonly Broken[];
}

/** Progress of a search: the number of inputs tried, and the number of invariants broken. */
interface Progress {
  readonly tried: number;
  readonly broken: number;
}

interface Kept {
  readonly input: string;
  readonly features: readonly number[];
}

const MOST_SHRINKS = 400;

/**
 * Mutates inputs until `isOver` returns true. Inputs that reach new code are mutated further.
 *
 * @param corpus Inputs kept by previous searches.
 * @param options `begin` receives every input before the search tries it
 * @example await searchInputs(target, coverage, [], { isOver: ({ tried }) => tried > 1000, random: randomFrom(1), begin: () => {} })
 */
export async function searchInputs(
  target: FuzzTarget,
  coverage: Coverage,
  corpus: readonly string[],
  options: { isOver: (so: Progress) => boolean; random: () => number; begin: (input: string) => void },
): Promise<Search> {
  const { isOver, random, begin } = options;
  const words = [...new Set([...coverage.words, ...(target.words ?? [])])];
  const reached = new Set(coverage.take().map(branchOf));
  const holders = new Map<number, Kept>();
  let pool: Kept[] = [];
  const broken = new Map<string, Broken>();
  let [tried, slowest] = [0, 0];

  const failureOf = async (input: string): Promise<string | null> => {
    begin(input);
    tried++;
    const start = process.threadCpuUsage();
    try {
      await target.holds(input);
      return null;
    } catch (error) {
      return placeOf(error);
    } finally {
      const { user, system } = process.threadCpuUsage(start);
      slowest = Math.max(slowest, (user + system) / 1000);
    }
  };
  const attempt = async (input: string) => {
    const failure = await failureOf(input);
    const features = coverage.take();
    if (failure !== null && !broken.has(failure)) {
      broken.set(failure, {
        input: await shrink(input, async shorter => (await failureOf(shorter)) === failure),
        failure,
      });
      coverage.take();
    }
    const isNew = (feature: number) => (holders.get(feature)?.input.length ?? Number.POSITIVE_INFINITY) > input.length;
    if (!features.some(feature => !holders.has(feature) || (random() < 0.01 && isNew(feature)))) return;
    const kept = { input, features };
    for (const feature of features.filter(isNew)) holders.set(feature, kept);
    for (const feature of features) reached.add(branchOf(feature));
    pool = [...new Set(holders.values())];
  };

  for (const input of [...corpus, ...target.seeds]) await attempt(input);
  const given = new Set(reached);
  while (!isOver({ tried, broken: broken.size })) {
    const others = pool.length > 0 ? pool.map(({ input }) => input) : target.seeds;
    // Prefer recent inputs, which are most likely to lead to new code.
    const parent =
      others.at(random() < 0.5 ? Math.floor(others.length * random()) : -1 - Math.floor(10 * random())) ?? others[0]!;
    await attempt(mutate(parent, target.shape, { others, words, maxLength: target.maxLength, random }));
  }
  return {
    ...{ tried, reached: reached.size, total: coverage.total(), kept: pool.length, slowest },
    corpus: [...corpus, ...addedTo(given, pool)],
    broken: [...broken.values()],
  };
}

/**
 * Returns inputs that reach new branches, shortest first. A branch is new if it isn't in `given` and no shorter input
 * reaches it.
 */
function addedTo(given: ReadonlySet<number>, pool: readonly Kept[]): string[] {
  const seen = new Set(given);
  return [...pool]
    .sort((a, b) => a.input.length - b.input.length)
    .filter(({ features }) => {
      const before = seen.size;
      for (const feature of features) seen.add(branchOf(feature));
      return seen.size > before;
    })
    .map(({ input }) => input);
}

/**
 * Returns text that identifies a failure: the error's name, its message without variable parts, and the location of its
 * first stack frame.
 */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${typeof error}`;
  const [, place] = /^ +at (?:.*\()?(?:file:\/\/)?([^()\n]+)\)?$/m.exec(error.stack ?? '') ?? [];
  return `${error.name}: ${error.message
    .split('\n')[0]!
    .replace(/\d+|"[^"]*"/g, '…')
    .slice(0, 120)} at ${place}`;
}

/** Shortens a failing input by removing halves first, then smaller and smaller pieces. */
async function shrink(input: string, fails: (shorter: string) => Promise<boolean>): Promise<string> {
  let text = input;
  let tries = 0;
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < text.length && tries < MOST_SHRINKS; tries++) {
      const shorter = text.slice(0, at) + text.slice(at + size);
      if (await fails(shorter)) text = shorter;
      else at += size;
    }
  }
  return text;
}
