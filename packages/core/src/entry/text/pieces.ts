import LineBreaker from 'linebreak';
import { isIsolate, levelsOf } from './bidi.ts';
import { covers, faceOrder, isInvisible, replacement, type TextFace } from './coverage.ts';

/**
 * The smallest unit of text that's shaped and positioned together. A piece has one font and one direction, and a line
 * can't break inside a piece. `level` is the bidi embedding level, where odd levels run right to left. `breakAfter` is
 * true if a line can break after the piece.
 */
export interface Piece {
  text: string;
  face: TextFace;
  level: number;
  space: boolean;
  breakAfter: boolean;
}

const PLAIN = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2022\u20ac]*$/;

/**
 * Splits text into pieces in logical order. Each unsupported character is replaced with its code point in brackets.
 * Invisible characters are dropped, except joiners inside Arabic words.
 */
export function toPieces(source: string): Piece[] {
  const plain = PLAIN.test(source);
  const text = plain ? source : drawable(source);
  const levels = plain ? null : levelsOf(text);
  const order = faceOrder(text);
  const breaks = breakPositions(text);
  const pieces: Piece[] = [];
  let piece = null as Piece | null;
  let at = 0;
  for (const character of text) {
    if (isIsolate(character)) {
      at += character.length;
      continue;
    }
    const level = levels ? levels[at]! : 0;
    const space = character === ' ';
    const face: TextFace = plain ? 'sans' : faceOf(character, piece?.face ?? null, order);
    if (piece && !piece.breakAfter && piece.face === face && piece.level === level && piece.space === space) {
      piece.text += character;
    } else {
      piece = { text: character, face, level, space, breakAfter: false };
      pieces.push(piece);
    }
    at += character.length;
    if (breaks.has(at)) piece.breakAfter = true;
  }
  return pieces;
}

/** Returns the fonts that `text` needs. */
export function facesOf(text: string): ReadonlySet<TextFace> {
  return new Set(PLAIN.test(text) ? (['sans'] as const) : toPieces(text).map(({ face }) => face));
}

function breakPositions(text: string): Set<number> {
  const positions = new Set<number>();
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) positions.add(next.position);
  // Thai line breaks require a dictionary, because UAX #14 doesn't define line breaks for Thai.
  if (/[\u0e00-\u0e7f]/.test(text)) {
    for (const { index } of new Intl.Segmenter('th', { granularity: 'word' }).segment(text)) {
      if (/[\u0e00-\u0e7f]/.test(text[index - 1] ?? '')) positions.add(index);
    }
  }
  return positions;
}

function drawable(source: string): string {
  let text = '';
  for (const character of source) {
    const code = character.codePointAt(0)!;
    if (isIsolate(character)) text += character;
    else if (/[\u200c\u200d]/.test(character) && /\p{Script=Arabic}$/u.test(text)) text += character;
    else if (isInvisible(character)) continue;
    else if (/\p{Zs}/u.test(character)) text += covers('sans', code) ? character : ' ';
    else if (ALL.some(face => covers(face, code))) text += character;
    else text += replacement(character);
  }
  return text;
}

const ALL: readonly TextFace[] = ['sans', 'sc', 'jp', 'kr', 'arabic', 'hebrew', 'thai'];

function faceOf(character: string, previous: TextFace | null, order: readonly TextFace[]): TextFace {
  const code = character.codePointAt(0)!;
  // Use the same font for a combining mark or joiner as for the preceding letter.
  if (previous && /[\p{M}\u200c\u200d]/u.test(character) && covers(previous, code)) return previous;
  return order.find(face => covers(face, code)) ?? previous ?? 'sans';
}
