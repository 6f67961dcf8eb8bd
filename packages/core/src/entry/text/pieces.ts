import LineBreaker from 'linebreak';
import { isIsolate, levelsOf } from './bidi.ts';
import { covers, faceOrder, isCovered, isInvisible, replacement, type TextFace } from './coverage.ts';

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
 * Invisible characters are dropped. The exceptions are joiners that follow a letter whose shape they can change.
 *
 * @param language the text's language as a BCP 47 tag, or null if it's unknown
 */
export function toPieces(source: string, language: string | null = null): Piece[] {
  const plain = PLAIN.test(source);
  const text = plain ? source : drawable(source);
  const levels = plain ? null : levelsOf(text);
  const order = faceOrder(text, language);
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
    // PDF readers reverse the letters of a right-to-left run, but not its punctuation, so each mark has its own run.
    const apart = level % 2 === 1 && piece !== null && (isMark(character) || isMark(piece.text));
    if (piece && !piece.breakAfter && !apart && piece.face === face && piece.level === level && piece.space === space) {
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

const UNSPACED = /[\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Thai}]/u;

/** Matches text in which lines can break only after spaces, so UAX #14 isn't needed. Most labels match. */
const WORDS = /^[A-Za-z0-9]+(?:(?:[.,:] ?| )[A-Za-z0-9]+)*[.,:]?$/;

/** Returns the positions where a line can break, including the end of the text. */
function breakPositions(text: string): Set<number> {
  const positions = new Set<number>();
  if (WORDS.test(text)) {
    for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) positions.add(at + 1);
    return positions.add(text.length);
  }
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) positions.add(next.position);
  // These scripts don't use spaces between words, so UAX #14 requires a dictionary to find their line breaks.
  if (UNSPACED.test(text)) {
    for (const { index } of new Intl.Segmenter('th', { granularity: 'word' }).segment(text)) {
      if (UNSPACED.test(text[index - 1] ?? '')) positions.add(index);
    }
  }
  return positions;
}

/** Returns whether text starts with a punctuation mark or symbol that isn't part of a Hebrew word. */
const isMark = (text: string) => /^[\p{P}\p{S}]/u.test(text) && !/^[\u0590-\u05ff]/.test(text);

/** Matches text whose last letter changes its shape next to a joiner. */
const JOINABLE =
  /[\p{Script=Arabic}\p{Script=Beng}\p{Script=Deva}\p{Script=Gujr}\p{Script=Guru}\p{Script=Khmr}\p{Script=Knda}\p{Script=Mlym}\p{Script=Mymr}\p{Script=Sinh}\p{Script=Taml}\p{Script=Telu}]$/u;

function drawable(source: string): string {
  let text = '';
  for (const character of source) {
    const code = character.codePointAt(0)!;
    if (isIsolate(character)) text += character;
    else if (/[\u200c\u200d]/.test(character) && JOINABLE.test(text)) text += character;
    else if (isInvisible(character)) continue;
    else if (/\p{Zs}/u.test(character)) text += covers('sans', code) ? character : ' ';
    else if (isCovered(code)) text += character;
    else text += replacement(character);
  }
  return text;
}

function faceOf(character: string, previous: TextFace | null, order: readonly TextFace[]): TextFace {
  const code = character.codePointAt(0)!;
  // Use the same font for a combining mark or joiner as for the preceding letter.
  if (previous && /[\p{M}\u200c\u200d]/u.test(character) && covers(previous, code)) return previous;
  return order.find(face => covers(face, code)) ?? previous ?? 'sans';
}
