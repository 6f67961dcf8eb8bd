import { mask } from './mask.ts';

/** Pattern for abbreviations whose period doesn't end a sentence, even if a capital letter follows. */
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|vs|cf|approx|No|Nos|Art|Sec|Fig|St|Inc|Co|Corp|Ltd|Dr|Mr|Ms)|\b[A-Z])\.$/;

interface Sentence {
  readonly text: string;
  /** Index of the sentence's first character in the text. */
  readonly at: number;
}

/** Splits text into sentences. */
export function sentencesOf(text: string): Sentence[] {
  const masked = mask(text);
  const sentences: Sentence[] = [];
  let start = 0;
  for (const { 0: end, index } of masked.matchAll(/[.!?…][)"'”’\]]*\s+(?=["“'([]*[\p{Lu}\d`$<{])/gu)) {
    if (ABBREVIATION.test(masked.slice(start, index + 1))) continue;
    sentences.push({ text: text.slice(start, index + end.length).trim(), at: start });
    start = index + end.length;
  }
  return [...sentences, { text: text.slice(start).trim(), at: start }].filter(sentence => sentence.text !== '');
}

/** Returns the number of words, excluding code and placeholders. */
export function countWords(text: string): number {
  return mask(text).match(/\p{L}[\p{L}’'-]*/gu)?.length ?? 0;
}
