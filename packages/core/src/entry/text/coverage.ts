import { COVERAGE } from './coverage.gen.ts';

/**
 * Name of a font with its own set of supported characters. `sans-bold`, which is used for headings, isn't included
 * because it supports the same characters as `sans`.
 */
export type TextFace = keyof typeof COVERAGE;

/** Font name that the font loader accepts. */
export type Face = TextFace | 'sans-bold';

/**
 * Boundaries of the code point ranges that each font supports. Each range has two entries: its first code point and the
 * first code point after the range.
 */
const edges = new Map<TextFace, Uint32Array>();
for (const face of Object.keys(COVERAGE) as TextFace[]) {
  let at = 0;
  edges.set(
    face,
    Uint32Array.from(COVERAGE[face].split(' '), step => (at += Number.parseInt(step, 36))),
  );
}

/** Returns whether `face` has a glyph for `codePoint`. */
export function covers(face: TextFace, codePoint: number): boolean {
  const steps = edges.get(face)!;
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]! <= codePoint) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

/**
 * Fonts that each support one script. The order doesn't matter, because no two of these fonts cover the same letters.
 */
const scripts = [
  'hebrew',
  'arabic',
  'armenian',
  'bengali',
  'ethiopic',
  'georgian',
  'gujarati',
  'gurmukhi',
  'kannada',
  'khmer',
  'lao',
  'malayalam',
  'myanmar',
  'sinhala',
  'tamil',
  'telugu',
  'thai',
] as const satisfies readonly TextFace[];

const order: readonly TextFace[] = ['sans', ...scripts, 'sc', 'jp', 'kr'];
const japanese: readonly TextFace[] = ['sans', 'jp', 'sc', 'kr', ...scripts];
const korean: readonly TextFace[] = ['sans', 'kr', 'sc', 'jp', ...scripts];

/**
 * Returns the order in which to try the fonts for `text`. If the text is in Japanese or contains kana, Han characters
 * use Japanese glyphs. Otherwise, if it's in Korean or contains Hangul, Han characters use Korean glyphs.
 *
 * @param language the text's language as a BCP 47 tag, or null if it's unknown
 */
export function faceOrder(text: string, language: string | null): readonly TextFace[] {
  if (language === 'ja' || /[\u3040-\u30ff]/.test(text)) return japanese;
  return language === 'ko' || /[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]/.test(text) ? korean : order;
}

/** Returns whether a character has no visible glyph, such as a joiner, variation selector, or direction mark. */
export const isInvisible = (character: string) => /^\p{Default_Ignorable_Code_Point}$/u.test(character);

/** Returns whether at least one font supports a code point. */
export const isCovered = (codePoint: number) => order.some(face => covers(face, codePoint));

/** Returns the distinct visible characters in `text` that no font supports. */
export function uncoveredCharacters(text: string): string[] {
  const uncovered = new Set<string>();
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < 0x7f || isInvisible(character)) continue;
    if (!isCovered(code)) uncovered.add(character);
  }
  return [...uncovered];
}

/** Returns an unsupported character's code point in brackets, so that readers can identify the character. */
export const replacement = (character: string) =>
  `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;
