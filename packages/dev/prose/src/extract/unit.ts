/**
 * Kind of construct that a text unit was extracted from. A `title` is a test title, a `suite` is a test suite name, and
 * a `label` names a benchmark or an assertion.
 */
export type UnitKind =
  | 'heading'
  | 'paragraph'
  | 'item'
  | 'cell'
  | 'comment'
  | 'docstring'
  | 'title'
  | 'suite'
  | 'label'
  | 'message'
  | 'string';

/** Groups of text units that are counted and sampled separately. */
export const POOLS = ['docs', 'messages', 'locale', 'comments'] as const;
export type TextPool = (typeof POOLS)[number];

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Part of a text unit that comes from a single source line. */
interface Piece extends Position {
  /** Index of the part's first character in the text. */
  readonly at: number;
}

/** Text unit, such as a paragraph, heading, message, or title, without markup or line breaks. */
export interface Unit {
  readonly file: string;
  readonly kind: UnitKind;
  readonly pool: TextPool;
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** A source file that converts offsets to positions. */
export class SourceFile {
  readonly file: string;
  readonly text: string;
  readonly #lineStarts: number[] = [0];

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#lineStarts.push(at + 1);
  }

  /** Returns the 1-based line and column for an offset. */
  position(offset: number): Position {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.#lineStarts[low]! + 1 };
  }
}

/** Converts an index in a unit's text to a position in the source. */
export function positionAt(unit: Unit, index: number): Position {
  const piece = unit.pieces.findLast(({ at }) => at <= index) ?? unit.pieces[0]!;
  return { line: piece.line, column: piece.column + Math.max(0, index - piece.at) };
}

/** Text collected from parts of a source file, each with its offset. */
export class Collected {
  text = '';
  readonly #parts: { at: number; offset: number }[] = [];

  add(text: string, offset: number): void {
    if (text === '') return;
    this.#parts.push({ at: this.text.length, offset });
    this.text += text;
  }

  /** Converts an index in the collected text to an offset in the source. */
  offsetAt(index: number): number {
    const part = this.#parts.findLast(({ at }) => at <= index);
    return part ? part.offset + index - part.at : 0;
  }

  /** Returns the part of the text between two indexes. */
  slice(start: number, end: number): Collected {
    const part = new Collected();
    for (const [index, { at, offset }] of this.#parts.entries()) {
      const next = this.#parts[index + 1]?.at ?? this.text.length;
      const from = Math.max(at, start);
      const to = Math.min(next, end);
      if (from < to) part.add(this.text.slice(from, to), offset + from - at);
    }
    return part;
  }

  /**
   * Returns the text without the matches of a global pattern. The pattern is applied to the result of `mask`, which
   * must have the same length as the text.
   */
  without(pattern: RegExp, mask?: (text: string) => string): Collected {
    const rest = new Collected();
    for (const part of this.split(pattern, mask)) {
      for (const [index, { at, offset }] of part.#parts.entries())
        rest.add(part.text.slice(at, part.#parts[index + 1]?.at), offset);
    }
    return rest;
  }

  /**
   * Splits the text at every match of a global pattern. The pattern is applied to the result of `mask`, which must have
   * the same length as the text.
   */
  split(pattern: RegExp, mask = (text: string) => text): Collected[] {
    const parts: Collected[] = [];
    let start = 0;
    for (const match of mask(this.text).matchAll(pattern)) {
      parts.push(this.slice(start, match.index));
      start = match.index + match[0].length;
    }
    return [...parts, this.slice(start, this.text.length)];
  }

  /** Creates a unit with collapsed whitespace. Returns `undefined` if the text has no letters. */
  unit(source: SourceFile, kind: UnitKind, pool: TextPool): Unit | undefined {
    if (!/\p{L}/u.test(this.text)) return undefined;
    let text = '';
    const pieces: Piece[] = [];
    for (const [index, { at, offset }] of this.#parts.entries()) {
      const part = this.text.slice(at, this.#parts[index + 1]?.at ?? this.text.length);
      for (const { 0: word, index: start } of part.matchAll(/\s+|[^\s]+(?: [^\s]+)*/g)) {
        if (/^\s/.test(word)) {
          if (text !== '' && !text.endsWith(' ')) text += ' ';
          continue;
        }
        pieces.push({ at: text.length, ...source.position(offset + start) });
        text += word;
      }
    }
    return { file: source.file, kind, pool, text: text.trimEnd(), pieces };
  }
}
