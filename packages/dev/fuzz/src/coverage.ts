import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInstrumenter } from 'istanbul-lib-instrument';

/**
 * Counters for a loaded file in the instrumenter's format: the number of calls to each function, and the number of
 * executions of each branch path.
 */
interface FileCounts {
  readonly f: Record<string, number>;
  readonly b: Record<string, number[]>;
}

/** Coverage of the loaded files, and the string literals in the covered code. */
export interface Coverage {
  /** Returns the number of branches and functions in the loaded files. */
  total(): number;
  /**
   * Returns the features reached since the last call. Each feature is a number that encodes a branch or a function and
   * its approximate execution count.
   */
  take(): number[];
  /** String literals in the covered code, such as field names. */
  readonly words: ReadonlySet<string>;
}

/** Number of features per branch. Each feature represents a range of execution counts that ends at a power of two. */
const SHADES = 8;
/** Returns the branch that a feature belongs to. */
export const branchOf = (feature: number): number => Math.floor(feature / SHADES);
const shadeOf = (count: number): number => Math.min(SHADES - 1, Math.ceil(Math.log2(count)));

/**
 * Instruments each TypeScript file that's loaded after this call and whose path starts with a prefix in `covers`. Skips
 * generated files and fuzz targets.
 *
 * @param root Repository root.
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
    // Branch numbers must not change when another file is loaded later.
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
