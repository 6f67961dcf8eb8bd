import { expect, it } from 'vitest';
import { checkLength } from './check.ts';
import type { Unit } from './extract/unit.ts';

const unitOf = (text: string): Unit => ({
  file: 'example.md',
  kind: 'paragraph',
  pool: 'docs',
  text,
  pieces: [{ at: 0, line: 1, column: 1 }],
});

it('flags a sentence with more than 40 words', () => {
  const problems = checkLength(unitOf(`A short one. This has ${'many '.repeat(38)}words.`));
  expect(problems.map(({ at, rule }) => ({ at, rule }))).toEqual([{ at: 13, rule: 'long-sentence' }]);
});

it('accepts a sentence with 40 words and any number of code spans', () => {
  expect(checkLength(unitOf(`This has ${'many '.repeat(37)}words: ${'`code`, '.repeat(50)}`))).toEqual([]);
});
