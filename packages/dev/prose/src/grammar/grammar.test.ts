import { expect, it } from 'vitest';
import type { Unit } from '../extract/unit.ts';
import { checkGrammar } from './grammar.ts';
import { HARPER_NOISE, HARPER_RULES } from './rules.ts';

const unitOf = (text: string): Unit => ({
  file: 'example.md',
  kind: 'paragraph',
  pool: 'docs',
  text,
  pieces: [{ at: 0, line: 1, column: 1 }],
});

it('flags the example sentence of every Harper rule', async () => {
  const rules = Object.entries(HARPER_RULES);
  const units = rules.map(([, text]) => unitOf(text));
  const problems = await checkGrammar(units);
  const missed = rules.filter(
    ([rule], index) => !problems.some(problem => problem.unit === units[index] && problem.rule === `harper/${rule}`),
  );
  expect(missed).toEqual([]);
});

it('accepts correct sentences, code, and placeholders', async () => {
  const texts = [
    'The scan reads every page and reports each tag.',
    'The command checks types, lint and format, and prose.',
    'An ``Idempotency-Key`` header is optional.',
    'Creates an {@link Operation} with an https URL.',
    "Returns `null` if the `code` isn't in the list.",
    '{{count, number}} pages were scanned in {{seconds}} seconds.',
  ];
  expect(await checkGrammar(texts.map(unitOf))).toEqual([]);
});

it('flags a sentence regardless of the preceding text', async () => {
  const sentence = 'The resolver queries A and AAAA records from DNS servers directly.';
  // If this title precedes the sentence in the same document, Harper doesn't find the error in the sentence.
  const title = 'The router and the authentication check parse a URL differently';
  const problems = await checkGrammar([title, sentence].map(unitOf));
  expect(problems).toMatchObject([{ unit: { text: sentence }, rule: 'harper/AnA' }]);
});

it.each(['SKU', 'SHA-256 hash'])('accepts “a %s” because people read the acronym as a word', async term => {
  expect(await checkGrammar([unitOf(`The variant needs a ${term} before it can be covered.`)])).toEqual([]);
});

it('doesn’t run any Harper rule that is listed as noise', () => {
  expect(Object.keys(HARPER_NOISE).filter(rule => rule in HARPER_RULES)).toEqual([]);
});
