import { visualOrder } from './bidi.ts';
import type { Face, TextFace } from './coverage.ts';
import { type Fonts, needsShaping, type OpenFace, type Shaped } from './fonts.ts';
import { languageOf } from './languages.ts';
import { type Piece, toPieces } from './pieces.ts';

/**
 * A positioned run. `x` is the offset from the start of the line, in points. `language` is a BCP 47 tag, or null if the
 * run is in the document's language or if its language can't be determined.
 */
export interface Run {
  readonly x: number;
  readonly face: Face;
  readonly language: string | null;
  readonly shaped: Shaped;
}

/**
 * A line of text. The runs are in reading order, because PDF readers extract text in the order of the content stream.
 * `tall` is true if a font in the line needs a larger line height than Latin letters do.
 */
export interface TextLine {
  readonly runs: readonly Run[];
  readonly width: number;
  readonly tall: boolean;
}

/** Opened fonts available to a document. */
export type Faces = ReadonlyMap<Face, OpenFace>;

interface Placed {
  piece: Piece;
  shaped: Shaped;
  width: number;
}

/**
 * Text and its BCP 47 language tag. A plain string or a null `language` means that the text is in English or in an
 * unknown language.
 */
export type TextInLanguage = string | { readonly text: string; readonly language: string | null };

const withLanguage = (text: TextInLanguage) => (typeof text === 'string' ? { text, language: null } : text);

/** Opens the fonts required for `texts`, plus `sans` and `sans-bold` for the form itself. */
export async function openFaces(texts: Iterable<TextInLanguage>, fonts: Fonts): Promise<Faces> {
  const needed = new Map<Face, boolean>([
    ['sans', false],
    ['sans-bold', false],
  ]);
  for (const each of texts) {
    const { text, language } = withLanguage(each);
    for (const { face, text: part, level } of toPieces(text, language)) {
      needed.set(face, needed.get(face) || needsShaping(face, part, level % 2 === 1));
    }
  }
  const open = async ([face, shaping]: [Face, boolean]) => {
    const opened = await fonts.open(face);
    if (shaping) await opened.loadShaper();
    return [face, opened] as const;
  };
  return new Map(await Promise.all(Array.from(needed, open)));
}

/**
 * Breaks text into lines that are at most `width` points wide. A word longer than a line is split at grapheme cluster
 * boundaries.
 */
export function toLines(source: TextInLanguage, width: number, size: number, faces: Faces, bold: boolean): TextLine[] {
  const { text, language } = withLanguage(source);
  const pieces = toPieces(text, language);
  const shape = (piece: Piece): Placed => {
    const shaped = faces.get(faceOf(piece.face, bold))!.shape(piece.text, piece.level % 2 === 1);
    return { piece, shaped, width: (shaped.width * size) / 1000 };
  };
  const lines: TextLine[] = [];
  let line: Placed[] = [];
  let used = 0;
  const end = () => {
    while (line.at(-1)?.piece.space) used -= line.pop()!.width;
    lines.push(place(line, bold, language));
    line = [];
    used = 0;
  };
  for (const word of wordsOf(pieces)) {
    const placed = word.map(shape);
    // Trailing spaces can extend beyond the line width.
    const last = placed.findLastIndex(part => !part.piece.space);
    const wide = placed.slice(0, last + 1).reduce((sum, part) => sum + part.width, 0);
    if (used > 0 && used + wide > width) end();
    if (wide <= width) {
      for (const part of placed) {
        line.push(part);
        used += part.width;
      }
      continue;
    }
    for (const part of placed.flatMap(({ piece }) => clustersOf(piece).map(shape))) {
      if (used > 0 && used + part.width > width && !part.piece.space) end();
      line.push(part);
      used += part.width;
    }
  }
  if (line.length > 0 || lines.length === 0) end();
  return lines;
}

const faceOf = (face: TextFace, bold: boolean): Face => (bold && face === 'sans' ? 'sans-bold' : face);

/** Yields the pieces between each pair of consecutive line break opportunities as a group. */
function* wordsOf(pieces: readonly Piece[]): Iterable<Piece[]> {
  let word: Piece[] = [];
  for (const piece of pieces) {
    word.push(piece);
    if (piece.breakAfter) {
      yield word;
      word = [];
    }
  }
  if (word.length > 0) yield word;
}

function clustersOf(piece: Piece): Piece[] {
  return Array.from(new Intl.Segmenter('en').segment(piece.text), ({ segment }) => ({ ...piece, text: segment }));
}

/** Positions every part of a line from left to right and returns the runs in reading order. */
function place(line: readonly Placed[], bold: boolean, known: string | null): TextLine {
  const starts: number[] = [];
  let x = 0;
  for (const at of visualOrder(line.map(({ piece }) => piece.level))) {
    starts[at] = x;
    x += line[at]!.width;
  }
  let language = known;
  const runs = line.map(({ piece, shaped }, at) => {
    // Spaces and punctuation inherit the preceding run's language.
    if (known === null && /[\p{L}\p{N}]/u.test(piece.text)) language = languageOf(piece.text, piece.face);
    return { x: starts[at]!, face: faceOf(piece.face, bold), language, shaped };
  });
  return { runs, width: x, tall: line.some(({ piece }) => !LATIN_HEIGHT.has(piece.face)) };
}

/** Joins two lines into a single line. `gap` is the space between them, in points. */
export function joinLines(first: TextLine, second: TextLine, gap: number): TextLine {
  const start = first.width + gap;
  return {
    runs: [...first.runs, ...second.runs.map(run => ({ ...run, x: run.x + start }))],
    width: start + second.width,
    tall: first.tall || second.tall,
  };
}

/** Fonts whose letters fit within the line height used for Latin letters. */
const LATIN_HEIGHT: ReadonlySet<Face> = new Set([
  'sans',
  'sc',
  'jp',
  'kr',
  'hebrew',
  'armenian',
  'georgian',
  'ethiopic',
]);
