import { describe, expect, it } from 'vitest';
import type { Unit } from './extract/unit.ts';
import { sampleSentences } from './sample.ts';
import { countWords, sentencesOf } from './sentences.ts';

const unitOf = (text: string): Unit => ({
  file: 'example.md',
  kind: 'paragraph',
  pool: 'docs',
  text,
  pieces: [{ at: 0, line: 1, column: 1 }],
});

describe('sentencesOf', () => {
  it.each([
    ['One sentence. Another one.', ['One sentence.', 'Another one.']],
    ['Is it one? It is (really.) `x.y` is a call.', ['Is it one?', 'It is (really.)', '`x.y` is a call.']],
    ['See U.S. Customs, e.g. CBP. Done.', ['See U.S. Customs, e.g. CBP.', 'Done.']],
    ['Version 1.2 and `a. B` stay.', ['Version 1.2 and `a. B` stay.']],
  ])('splits sentences correctly: %s', (text, expected) => {
    expect(sentencesOf(text).map(sentence => sentence.text)).toEqual(expected);
  });
});

it('excludes code and placeholders from the word count', () => {
  expect(countWords("`a b c` isn't in {{count, number}} lists")).toBe(3);
});

describe('sampleSentences', () => {
  const units = Array.from({ length: 50 }, (_, index) =>
    unitOf(`This is sentence number x${index} of them. Too short.`),
  );

  it('returns the same sample for the same seed, and a different sample for another seed', () => {
    expect(sampleSentences(units, 10, 1)).toEqual(sampleSentences(units, 10, 1));
    expect(sampleSentences(units, 10, 1)).not.toEqual(sampleSentences(units, 10, 2));
  });

  it('returns distinct sentences of at least four words', () => {
    const sample = sampleSentences([...units, ...units], 1000, 1);
    expect(sample).toHaveLength(50);
    expect(new Set(sample).size).toBe(50);
  });
});
