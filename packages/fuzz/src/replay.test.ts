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

  it('still holds for every input that was kept, and for those that a search begins with', async () => {
    expect(corpus.length).toBeGreaterThan(0);
    for (const input of [...target.seeds, ...corpus]) {
      try {
        await target.holds(input);
      } catch (error) {
        throw new Error(`It does not hold for ${JSON.stringify(input)}`, { cause: error });
      }
    }
  }, 300_000);

  it('keeps each input once, and none that is longer than it tries', () => {
    expect(new Set(corpus).size).toBe(corpus.length);
    expect(corpus.filter(input => input.length > target.maxLength)).toEqual([]);
  });
});

it('keeps less than 200 KiB in all', () => {
  const units = TARGETS.flatMap(corpusOf).reduce((sum, input) => sum + JSON.stringify(input).length, 0);
  expect(units).toBeLessThan(200 * 1024);
});
