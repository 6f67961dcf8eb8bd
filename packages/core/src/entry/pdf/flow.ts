import { type Faces, joinLines, type TextLine, toLines } from '../text/lines.ts';
import { type Message, type PrintedText, printedTexts, type SecondLanguage } from '../translations/messages.ts';
import { type Color, type EmbedFace, PdfPage } from './page.ts';
import type { StructureElement } from './structure.ts';

/** Text style: size in points, color, and weight. Translations aren't bold. */
export interface Style {
  size: number;
  color: Color;
  bold?: boolean;
  /** Whether a translation always starts on a new line. */
  stacked?: boolean;
}

/** A text cell in a row, with its position, lines, and structure element. */
export interface Cell {
  x: number;
  lines: readonly TextLine[];
  style: Style;
  element: StructureElement;
}

/** A row of cells. `gap` is the space above the row, in points, and `tint` is the background color. */
export interface FlowRow {
  cells: readonly Cell[];
  gap: number;
  tint?: Color;
  /** Lines above the row's text, such as signature lines. */
  lines?: readonly { x: number; width: number }[];
  /** Whether to draw a hairline below the row. */
  ruled?: boolean;
  /** Header row that is repeated as an artifact if the table continues on a new page. */
  repeat?: FlowRow;
}

/** Paper size and margins, in points. */
export interface Sheet {
  width: number;
  height: number;
  margin: number;
}

/** Height, in points, that is reserved for the running header. The first page doesn't have a running header. */
export const RUNNING_HEADER = 22;

/** Color of the lines below table rows and the running header. */
export const HAIRLINE: Color = [0.8, 0.82, 0.84];

/**
 * Lays out rows from top to bottom and starts a new page when the current page is full. A row that fits on a page is
 * never split.
 */
export class Flow {
  readonly pages: PdfPage[] = [];
  readonly sheet: Sheet;
  readonly #faces: Faces;
  readonly #embedFace: EmbedFace;
  readonly #first: number;
  /** The language of the translations that follow each message, or null if the document is only in English. */
  readonly language: SecondLanguage | null;
  /** Vertical position of the top of the free space, measured in points from the bottom of the page. */
  y = 0;

  /** @param first the index of the first page in the document */
  constructor(
    sheet: Sheet,
    faces: Faces,
    embedFace: EmbedFace,
    { language, first }: { language: SecondLanguage | null; first: number },
  ) {
    this.sheet = sheet;
    this.#faces = faces;
    this.#embedFace = embedFace;
    this.language = language;
    this.#first = first;
    this.newPage();
  }

  /** Returns the current page. */
  get page(): PdfPage {
    return this.pages.at(-1)!;
  }

  /** Returns the width between the margins, in points. */
  get width(): number {
    return this.sheet.width - 2 * this.sheet.margin;
  }

  /** Breaks a value or a message into lines that fit in a column `width` points wide, and returns a cell. */
  cell(content: string | Message, x: number, width: number, style: Style, element: StructureElement): Cell {
    return this.cellOf(printedTexts(content, this.language), x, width, style, element);
  }

  /** Returns a cell with English text and its translation. Puts both on one line if they fit. */
  cellOf(texts: readonly PrintedText[], x: number, width: number, style: Style, element: StructureElement): Cell {
    const lines: TextLine[] = [];
    for (const text of texts) {
      const more = toLines(text, width, style.size, this.#faces, style.bold === true && text.language === null);
      const last = lines.length === 1 && more.length === 1 && !style.stacked ? lines[0]! : null;
      const joined = last && joinLines(last, more[0]!, style.size * TRANSLATION_GAP);
      if (joined && joined.width <= width) lines[0] = joined;
      else lines.push(...more);
    }
    return { x, lines, style, element };
  }

  /** Starts a new page. */
  newPage(): void {
    this.pages.push(new PdfPage(this.#first + this.pages.length, this.#embedFace));
    this.y = this.sheet.height - this.sheet.margin - (this.pages.length > 1 ? RUNNING_HEADER : 0);
  }

  /** Returns the remaining height on the current page, in points. */
  get free(): number {
    return this.y - this.sheet.margin;
  }

  /** Starts a new page if `height` points don't fit on the current page but would fit on a new one. */
  keep(height: number): void {
    if (this.free < height && height <= this.sheet.height - 2 * this.sheet.margin - RUNNING_HEADER) this.newPage();
  }

  /** Lays out a row. A row taller than a page continues on the next page. */
  set(row: FlowRow): void {
    const height = heightOf(row);
    if (this.free < height) this.#turn(row);
    let from = 0;
    const lines = Math.max(...row.cells.map(cell => cell.lines.length));
    const leading = leadingOf(row);
    while (from < lines) {
      const room = Math.max(1, Math.floor((this.free - row.gap - (row.tint ? 2 * PAD : 0)) / leading));
      const to = Math.min(lines, from + room);
      this.#draw(row, from, to, leading);
      from = to;
      if (from < lines) this.#turn(row);
    }
  }

  #turn(row: FlowRow): void {
    this.newPage();
    if (!row.repeat) return;
    const again = row.repeat;
    this.page.artifact('Header', () => this.#drawCells(again, 0, lineCount(again), leadingOf(again), false));
  }

  #draw(row: FlowRow, from: number, to: number, leading: number): void {
    this.#drawCells(row, from, to, leading, true);
  }

  #drawCells(row: FlowRow, from: number, to: number, leading: number, tagged: boolean): void {
    const pad = row.tint ? PAD : 0;
    const height = (to - from) * leading + 2 * pad;
    this.y -= row.gap;
    const { page, y } = this;
    const ground = () => {
      for (const line of row.lines ?? []) page.fill(line.x, y, line.width, 0.5, HAIRLINE);
      if (row.tint) page.fill(this.sheet.margin, y - height, this.width, height, row.tint);
      if (row.ruled && to === lineCount(row)) page.fill(this.sheet.margin, y - height - 1.5, this.width, 0.5, HAIRLINE);
    };
    if (tagged && (row.tint || row.ruled || row.lines)) page.artifact('Layout', ground);
    else ground();
    for (const { x, lines, style, element } of row.cells) {
      const part = lines.slice(from, to);
      if (part.length === 0) continue;
      const draw = () => {
        for (const [at, line] of part.entries()) {
          page.text(line, x, y - pad - at * leading - BASELINE * leading, style.size, style.color);
        }
      };
      if (tagged) page.mark(element, draw);
      else draw();
    }
    this.y = y - height - (row.ruled ? 2 : 0);
  }
}

/** Space between English text and its translation on the same line, as a fraction of the font size. */
const TRANSLATION_GAP = 0.7;

const PAD = 3;
/** Distance from the top of a line to its baseline, as a fraction of the line height. */
const BASELINE = 0.74;

const lineCount = (row: FlowRow) => Math.max(...row.cells.map(cell => cell.lines.length));

/**
 * Returns a row's line height, in points. Arabic and Thai need a larger line height because of their tall ascenders and
 * deep descenders.
 */
function leadingOf(row: FlowRow): number {
  return Math.max(...row.cells.map(({ lines, style }) => style.size * (lines.some(line => line.tall) ? 1.5 : 1.28)));
}

/** Returns the height of a row that isn't split across pages. */
export function heightOf(row: FlowRow): number {
  return row.gap + lineCount(row) * leadingOf(row) + (row.tint ? 2 * PAD : 0) + (row.ruled ? 2 : 0);
}
