import { positionAt, type Unit } from './extract/unit.ts';
import { countWords, sentencesOf } from './sentences.ts';

/**
 * Returns up to `count` distinct sentences of at least four words, as `file:line kind: text`. The same seed always
 * produces the same sample.
 */
export function sampleSentences(units: readonly Unit[], count: number, seed: number): string[] {
  const sentences = new Map<string, string>();
  for (const unit of units) {
    for (const { text, at } of sentencesOf(unit.text)) {
      if (countWords(text) >= 4 && !sentences.has(text))
        sentences.set(text, `${unit.file}:${positionAt(unit, at).line} ${unit.kind}: ${text}`);
    }
  }
  const lines = [...sentences.values()];
  const random = mulberry32(seed);
  // Run the first `count` steps of a Fisher-Yates shuffle.
  for (let index = 0; index < Math.min(count, lines.length); index++) {
    const other = index + Math.floor(random() * (lines.length - index));
    [lines[index], lines[other]] = [lines[other]!, lines[index]!];
  }
  return lines.slice(0, count);
}

/** Returns a pseudorandom generator of numbers from 0 (inclusive) to 1 (exclusive): Mulberry32, public domain. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
