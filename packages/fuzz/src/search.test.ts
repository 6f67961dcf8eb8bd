import { expect, it } from 'vitest';
import type { Coverage } from './coverage.ts';
import { mutate } from './mutate.ts';
import { randomFrom } from './random.ts';
import { search } from './search.ts';
import type { FuzzTarget } from './target.ts';

/** A lock of letters, each behind the one before: chance alone would need a billion tries. */
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

it('finds what lies behind many branches, and gives the shortest input that breaks it', async () => {
  const { target, coverage } = lock('<hts>');
  const begun: string[] = [];
  const { broken, tried } = await search(target, coverage, [], {
    isOver: so => so.broken > 0 || so.tried > 500_000,
    random: randomFrom(1),
    begin: input => begun.push(input),
  });
  expect(broken.map(({ input }) => input)).toEqual(['<hts>']);
  expect(begun).toHaveLength(tried);
});

it('keeps JSON what is JSON, and nothing longer than allowed', () => {
  const random = randomFrom(2);
  const others = ['{"a":[1,"x",null],"b":{}}', '[]', '"text"'];
  let input = others[0]!;
  for (let i = 0; i < 3000; i++) {
    input = mutate(input, 'json', { others, words: ['a', '__proto__'], maxLength: 200, random });
    expect(JSON.stringify(JSON.parse(input)).length).toBeLessThanOrEqual(200);
  }
});
