import type { Face } from '../text/coverage.ts';
import type { Run, TextLine } from '../text/lines.ts';
import type { EmbeddedFace } from './embed.ts';
import type { StructureElement } from './structure.ts';

/** An RGB color whose red, green, and blue components range from 0 to 1. */
export type Color = readonly [number, number, number];

/** Embeds a font in the document on first use and returns the embedded font. */
export type EmbedFace = (face: Face) => EmbeddedFace;

/** Formats a number for a content stream with at most three decimal places and without an exponent. */
export const num = (value: number) => String(Math.round(value * 1000) / 1000);

/**
 * Page content. As PDF/UA-1 requires, all content is drawn either inside a structure element or as an artifact. The
 * origin is the lower-left corner, and lengths are in points.
 */
export class PdfPage {
  readonly index: number;
  readonly #embedFace: EmbedFace;
  readonly #operators: string[] = [];
  #marks: number;
  /** The last color and font operators written. They remain in effect for subsequent text. */
  readonly #state = { color: '', font: '' };

  /** @param marks number of marked-content IDs already used on the page */
  constructor(index: number, embedFace: EmbedFace, marks = 0) {
    this.index = index;
    this.#embedFace = embedFace;
    this.#marks = marks;
  }

  /** Draws content inside the structure element `element`. */
  mark(element: StructureElement, draw: () => void): void {
    const mcid = this.#marks++;
    element.kids.push({ page: this.index, mcid });
    this.#operators.push(`/${element.type} <</MCID ${mcid}>> BDC`);
    draw();
    this.#operators.push('EMC');
  }

  /** Draws artifacts, such as lines, backgrounds, repeated headers, and page numbers. */
  artifact(kind: 'Layout' | 'Footer' | 'Header', draw: () => void): void {
    const properties = kind === 'Layout' ? '/Type /Layout' : `/Type /Pagination /Subtype /${kind}`;
    this.#operators.push(`/Artifact <<${properties}>> BDC`);
    draw();
    this.#operators.push('EMC');
  }

  /** Draws a filled rectangle. */
  fill(x: number, y: number, width: number, height: number, color: Color): void {
    this.path(`${num(x)} ${num(y)} ${num(width)} ${num(height)} re`, color);
  }

  /** Fills a path specified as PDF operators, with an optional transformation. */
  path(operators: string, color: Color, matrix: readonly number[] | null = null): void {
    const place = matrix ? `${matrix.map(num).join(' ')} cm ` : '';
    this.#operators.push(`q ${color.map(num).join(' ')} rg ${place}${operators} f Q`);
  }

  /** Draws an image by its resource name. */
  image(name: string, x: number, y: number, width: number, height: number): void {
    this.#operators.push(`q ${[width, 0, 0, height, x, y].map(num).join(' ')} cm /${name} Do Q`);
  }

  /** Draws a line of text in one color and size with its baseline at `y`. */
  text(line: TextLine, x: number, y: number, size: number, color: Color): void {
    if (line.runs.length === 0) return;
    const parts = ['BT'];
    // To keep content streams short, write an operator only if the state changes.
    const set = (key: 'color' | 'font', operator: string) => {
      if (this.#state[key] === operator) return;
      this.#state[key] = operator;
      parts.push(operator);
    };
    set('color', `${color.map(num).join(' ')} rg`);
    let language: string | null = null;
    const speak = (next: string | null) => {
      if (next === language) return;
      if (language !== null) parts.push('EMC');
      if (next !== null) parts.push(`/Span <</Lang (${next})>> BDC`);
      language = next;
    };
    let from = 0;
    while (from < line.runs.length) {
      const { face, x: start, language: spoken } = line.runs[from]!;
      let to = from + 1;
      while (line.runs[to]?.face === face && line.runs[to]!.language === spoken && follows(line, to, size)) to++;
      const font = this.#embedFace(face);
      speak(spoken);
      set('font', `/${font.name} ${num(size)} Tf`);
      parts.push(from === 0 ? `${num(x + start)} ${num(y)} Td` : `1 0 0 1 ${num(x + start)} ${num(y)} Tm`);
      parts.push(showRuns(line.runs.slice(from, to), font));
      from = to;
    }
    speak(null);
    parts.push('ET');
    this.#operators.push(parts.join(' '));
  }

  /** Returns the finished content stream. */
  content(): string {
    return this.#operators.join('\n');
  }
}

/** Returns whether a run starts where the preceding run in reading order ends. */
function follows({ runs }: TextLine, at: number, size: number): boolean {
  const { x, shaped } = runs[at - 1]!;
  return Math.abs(runs[at]!.x - x - (shaped.width * size) / 1000) < 0.001;
}

/** Returns the operator that shows consecutive runs in one font. */
function showRuns(runs: readonly Run[], font: EmbeddedFace): string {
  let codes = '';
  for (const { shaped } of runs) for (const glyph of shaped.glyphs) codes += font.code(glyph);
  return `(${codes}) Tj`;
}
