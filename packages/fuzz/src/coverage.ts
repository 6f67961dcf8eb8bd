import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInstrumenter } from 'istanbul-lib-instrument';

/** Counts of a loaded file, as the instrumenter keeps them: calls of functions, and takings of each branch's ways. */
interface FileCounts {
  readonly f: Record<string, number>;
  readonly b: Record<string, number[]>;
}

/** What was reached since the last look, and the texts that the code compares with. */
export interface Coverage {
  /** How many branches and functions the loaded files have. */
  total(): number;
  /** Numbers of what was reached since the last call; each stands for a branch and how often it was taken, roughly. */
  take(): number[];
  /** Texts in the covered code, such as names of fields. */
  readonly words: ReadonlySet<string>;
}

/** Features of one branch: taken once, twice, up to 4, 8, 32, 128, more. */
const SHADES = 8;
/** The branch that a feature is about. */
export const branchOf = (feature: number): number => Math.floor(feature / SHADES);
const shadeOf = (count: number): number => Math.min(SHADES - 1, Math.ceil(Math.log2(count)));

/**
 * Instruments the files that are loaded from now on and begin with one of `covers`.
 *
 * @param root folder of the repository
 */
export function coverageOf(root: string, covers: readonly string[]): Coverage {
  const instrumenter = createInstrumenter({ esModules: true, compact: true, coverageVariable: '__reached__' });
  const folders = covers.map(folder => join(root, folder));
  const words = new Set<string>();
  registerHooks({
    load(url, context, next) {
      const file = url.startsWith('file:') ? fileURLToPath(url) : '';
      const isOurs = folders.some(folder => file.startsWith(folder));
      if (!isOurs || !file.endsWith('.ts') || /\.(gen|fuzz)\.ts$/.test(file)) return next(url, context);
      const code = stripTypeScriptTypes(readFileSync(file, 'utf8'));
      for (const [, text] of code.matchAll(/'([^'\\\n]{1,40})'/g)) words.add(text!);
      return { format: 'module', source: instrumenter.instrumentSync(code, file), shortCircuit: true };
    },
  });

  let counters: (readonly [counts: Record<string, number> | number[], key: string])[] = [];
  let files = 0;
  const find = () => {
    const loaded: FileCounts[] = Object.values((globalThis as { __reached__?: object }).__reached__ ?? {});
    // Numbers must stay what they are when a file is loaded late.
    for (const { f, b } of loaded.slice(files)) {
      counters = [
        ...counters,
        ...[f, ...Object.values(b)].flatMap(counts => Object.keys(counts).map(key => [counts, key] as const)),
      ];
    }
    files = loaded.length;
  };
  return {
    words,
    total: () => counters.length,
    take() {
      find();
      const reached: number[] = [];
      for (const [at, [counts, key]] of counters.entries()) {
        const count = (counts as Record<string, number>)[key]!;
        if (count === 0) continue;
        reached.push(at * SHADES + shadeOf(count));
        (counts as Record<string, number>)[key] = 0;
      }
      return reached;
    },
  };
}
