import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FuzzTarget } from './target.ts';
import { corpusOf, TARGETS } from './targets.ts';

describe.each(TARGETS)('$name', file => {
  const corpus = corpusOf(file);
  let target: FuzzTarget;
  beforeAll(async () => {
    target = ((await import(file.path)) as { default: FuzzTarget }).default;
    await target.open?.();
  });
  afterAll(() => target.close?.());

  it('upholds its invariants for every saved input and every seed input', async () => {
    expect(corpus.length).toBeGreaterThan(0);
    for (const input of [...target.seeds, ...corpus]) {
      try {
        await target.holds(input);
      } catch (error) {
        throw new Error(`The invariant is broken for ${JSON.stringify(input)}`, { cause: error });
      }
    }
  }, 300_000);

  it('doesn’t keep duplicate inputs or inputs that exceed the target’s maximum length', () => {
    expect(new Set(corpus).size).toBe(corpus.length);
    expect(corpus.filter(input => input.length > target.maxLength)).toEqual([]);
  });
});

it('limits the total size of the saved inputs for all targets to less than 200 KiB', () => {
  const units = TARGETS.flatMap(corpusOf).reduce((sum, input) => sum + JSON.stringify(input).length, 0);
  expect(units).toBeLessThan(200 * 1024);
});
