import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Unit } from './extract/unit.ts';
import { loadSpelling } from './spelling.ts';

const unitOf = (text: string): Unit => ({
  file: 'example.md',
  kind: 'paragraph',
  pool: 'docs',
  text,
  pieces: [{ at: 0, line: 1, column: 1 }],
});

const misspelled = async (text: string) => {
  const check = await loadSpelling();
  return check(unitOf(text)).map(({ at }) => /^[\p{L}’']+/u.exec(text.slice(at))?.[0]);
};

it('flags misspelled words and British spellings', async () => {
  expect(await misspelled('The colour of teh organisation is recieved.')).toEqual([
    'colour',
    'teh',
    'organisation',
    'recieved',
  ]);
});

it('accepts project words, contractions, and possessives', async () => {
  expect(await misspelled("The metafield's webhook isn't in Shopify's waitlist.")).toEqual([]);
});

it('skips code, URLs, acronyms, and code identifiers', async () => {
  expect(await misspelled('Set `asdfgh` to https://qwertz.example/abcde or someNaem, TXL, --asdf, and x_yz.')).toEqual(
    [],
  );
});

it('keeps project words sorted and unique', async () => {
  const words = readFileSync(new URL('../words.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  expect(words).toEqual([...new Set(words)].sort());
});
