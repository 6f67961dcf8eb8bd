import { COVERAGE } from './coverage.gen.ts';

/** The faces that a text may need; `sans-bold` draws headings and covers what `sans` covers. */
export type TextFace = keyof typeof COVERAGE;

/** A face by the name that the loader of fonts knows it by. */
export type Face = TextFace | 'sans-bold';

/** Per face, the first code point of each range and the first one after it, in turn. */
const edges = new Map<TextFace, Uint32Array>();
for (const face of Object.keys(COVERAGE) as TextFace[]) {
  let at = 0;
  edges.set(
    face,
    Uint32Array.from(COVERAGE[face].split(' '), step => (at += Number.parseInt(step, 36))),
  );
}

/** Whether `face` has a glyph for `codePoint`. */
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

const order: readonly TextFace[] = ['sans', 'hebrew', 'arabic', 'thai', 'sc', 'jp', 'kr'];
const japanese: readonly TextFace[] = ['sans', 'jp', 'sc', 'kr', 'hebrew', 'arabic', 'thai'];
const korean: readonly TextFace[] = ['sans', 'kr', 'sc', 'jp', 'hebrew', 'arabic', 'thai'];

/** The order in which faces are asked: kana in a text means Japanese shapes of its characters, Hangul Korean ones. */
export function faceOrder(text: string): readonly TextFace[] {
  if (/[\u3040-\u30ff]/.test(text)) return japanese;
  return /[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]/.test(text) ? korean : order;
}

/** Characters that have no shape of their own: joiners, variation selectors, soft hyphens, direction marks. */
export const isInvisible = (character: string) => /^\p{Default_Ignorable_Code_Point}$/u.test(character);

/** The visible characters of `text` that no face draws, each once. */
export function uncoveredCharacters(text: string): string[] {
  const uncovered = new Set<string>();
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < 0x7f || isInvisible(character)) continue;
    if (!order.some(face => covers(face, code))) uncovered.add(character);
  }
  return [...uncovered];
}

/** What is printed for a character that no face draws: its code point in brackets, so that a gap is seen and can be named. */
export const replacement = (character: string) =>
  `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;
