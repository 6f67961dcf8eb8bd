import { type Faces, type Line, toLines } from '../text/lines.ts';
import { type Color, type EmbedFace, Page } from './page.ts';
import type { StructureElement } from './structure.ts';

/** How a text looks: size in points, colour, weight. */
export interface Style {
  size: number;
  color: Color;
  bold?: boolean;
}

/** A text in a row: where it starts, the lines it was broken into, and the element of the structure tree it belongs to. */
export interface Cell {
  x: number;
  lines: readonly Line[];
  style: Style;
  element: StructureElement;
}

/** Cells side by side. `gap` is the space above, in points. `tint` fills the row's ground. */
export interface Row {
  cells: readonly Cell[];
  gap: number;
  tint?: Color;
  /** Draws a hairline below the row. */
  ruled?: boolean;
  /** A row that is drawn again, as an artifact, where the rows after it go on to a new page. */
  repeat?: Row;
}

/** Paper and margins in points. */
export interface Sheet {
  width: number;
  height: number;
  margin: number;
}

const HAIRLINE: Color = [0.8, 0.82, 0.84];

/** Sets rows one below the other and begins a new page when one is full. A row that fits on a page is never cut. */
export class Flow {
  readonly pages: Page[] = [];
  readonly sheet: Sheet;
  readonly #faces: Faces;
  readonly #embedFace: EmbedFace;
  /** The top of the free space, counted from the lower edge of the paper. */
  y = 0;

  constructor(sheet: Sheet, faces: Faces, embedFace: EmbedFace) {
    this.sheet = sheet;
    this.#faces = faces;
    this.#embedFace = embedFace;
    this.newPage();
  }

  /** The page under construction. */
  get page(): Page {
    return this.pages.at(-1)!;
  }

  /** Width between the margins. */
  get width(): number {
    return this.sheet.width - 2 * this.sheet.margin;
  }

  /** Breaks a text for a column of `width` points, and makes it a cell. */
  cell(text: string, x: number, width: number, style: Style, element: StructureElement): Cell {
    return { x, lines: toLines(text, width, style.size, this.#faces, style.bold ?? false), style, element };
  }

  /** Begins a new page. */
  newPage(): void {
    this.pages.push(new Page(this.pages.length, this.#embedFace));
    this.y = this.sheet.height - this.sheet.margin;
  }

  /** Begins a new page unless `height` points are free. */
  keep(height: number): void {
    if (this.#free() < height && height <= this.sheet.height - 2 * this.sheet.margin) this.newPage();
  }

  /** Sets one row; a row higher than a page goes on to the next one. */
  set(row: Row): void {
    const height = heightOf(row);
    if (this.#free() < height) this.#turn(row);
    let from = 0;
    const lines = Math.max(...row.cells.map(cell => cell.lines.length));
    const leading = leadingOf(row);
    while (from < lines) {
      const room = Math.max(1, Math.floor((this.#free() - row.gap - (row.tint ? 2 * PAD : 0)) / leading));
      const to = Math.min(lines, from + room);
      this.#draw(row, from, to, leading);
      from = to;
      if (from < lines) this.#turn(row);
    }
  }

  #turn(row: Row): void {
    this.newPage();
    if (!row.repeat) return;
    const again = row.repeat;
    this.page.artifact('Header', () => this.#drawCells(again, 0, lineCount(again), leadingOf(again), false));
  }

  #free(): number {
    return this.y - this.sheet.margin;
  }

  #draw(row: Row, from: number, to: number, leading: number): void {
    this.#drawCells(row, from, to, leading, true);
  }

  #drawCells(row: Row, from: number, to: number, leading: number, tagged: boolean): void {
    const pad = row.tint ? PAD : 0;
    const height = (to - from) * leading + 2 * pad;
    this.y -= row.gap;
    const { page, y } = this;
    const ground = () => {
      if (row.tint) page.fill(this.sheet.margin, y - height, this.width, height, row.tint);
      if (row.ruled && to === lineCount(row)) page.fill(this.sheet.margin, y - height - 1.5, this.width, 0.5, HAIRLINE);
    };
    if (tagged && (row.tint || row.ruled)) page.artifact('Layout', ground);
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

const PAD = 3;
/** Where the baseline lies in a line, from its top. */
const BASELINE = 0.74;

const lineCount = (row: Row) => Math.max(...row.cells.map(cell => cell.lines.length));

/** Arabic and Thai reach higher and lower than the other scripts. */
function leadingOf(row: Row): number {
  return Math.max(...row.cells.map(({ lines, style }) => style.size * (lines.some(line => line.tall) ? 1.5 : 1.28)));
}

/** The height of a row set in one piece. */
export function heightOf(row: Row): number {
  return row.gap + lineCount(row) * leadingOf(row) + (row.tint ? 2 * PAD : 0) + (row.ruled ? 2 : 0);
}
