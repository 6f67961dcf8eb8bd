import { expect, it } from 'vitest';
import type { Coverage } from './coverage.ts';
import { mutate } from './mutate.ts';
import { randomFrom } from './random.ts';
import { searchInputs } from './search.ts';
import type { FuzzTarget } from './target.ts';

/**
 * Returns a target with nested branches, each of which checks one more character of the input. With random inputs,
 * reaching the last branch would take about a billion attempts.
 */
function lock(word: string) {
  let opened: number[] = [];
  const coverage: Coverage = { words: new Set(), total: () => word.length, take: () => opened.splice(0) };
  const target: FuzzTarget = {
    covers: [],
    seeds: ['.'],
    maxLength: 40,
    holds(input) {
      opened = [];
      for (let at = 0; input[at] === word[at]; at++) {
        opened.push(at * 8);
        if (at === word.length - 1) throw new Error('open');
      }
    },
  };
  return { target, coverage };
}

it('finds a failure hidden behind many branches, and returns the shortest input that causes it', async () => {
  const { target, coverage } = lock('<hts>');
  const begun: string[] = [];
  const { broken, tried } = await searchInputs(target, coverage, [], {
    isOver: so => so.broken > 0 || so.tried > 500_000,
    random: randomFrom(1),
    begin: input => begun.push(input),
  });
  expect(broken.map(({ input }) => input)).toEqual(['<hts>']);
  expect(begun).toHaveLength(tried);
});

it('keeps JSON inputs valid and never exceeds the maximum length', () => {
  const random = randomFrom(2);
  const others = ['{"a":[1,"x",null],"b":{}}', '[]', '"text"'];
  let input = others[0]!;
  for (let i = 0; i < 3000; i++) {
    input = mutate(input, 'json', { others, words: ['a', '__proto__'], maxLength: 200, random });
    expect(JSON.stringify(JSON.parse(input)).length).toBeLessThanOrEqual(200);
  }
});
