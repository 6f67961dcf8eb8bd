import type { Font, TrueTypeSubset } from '../text/fontkit.ts';
import type { Glyph, Part } from '../text/fonts.ts';

/**
 * First ID assigned to composite glyphs, which aren't in the original font. A composite glyph combines several of the
 * font's glyphs.
 */
const FIRST_COMPOSITE = 0x10000;

// Component flags of composite glyphs (OpenType `glyf` table).
const WORDS = 0x0001;
const OFFSETS = 0x0002;
const MORE = 0x0020;

/** The subset of a font's glyphs that a document uses. */
export class Subset {
  readonly #font: Font;
  readonly #subset: TrueTypeSubset;
  readonly #composites: Glyph[] = [];

  constructor(font: Font) {
    this.#font = font;
    this.#subset = font.createSubset();
    const addGlyph = this.#subset._addGlyph.bind(this.#subset);
    this.#subset._addGlyph = id =>
      id < FIRST_COMPOSITE ? addGlyph(id) : this.#addComposite(this.#composites[id - FIRST_COMPOSITE]!);
  }

  /** Adds a glyph and returns its ID in the subset. */
  include(glyph: Glyph): number {
    if (glyph.parts.length === 1) return this.#subset.includeGlyph(glyph.parts[0]!.id);
    this.#composites.push(glyph);
    return this.#subset.includeGlyph(FIRST_COMPOSITE + this.#composites.length - 1);
  }

  /** Returns the subset as a TrueType font program. */
  encode(): Uint8Array {
    return this.#subset.encode();
  }

  #addComposite({ parts, advance }: Glyph): number {
    const subset = this.#subset;
    const bytes = new Uint8Array(10 + 8 * parts.length + (parts.length % 2 === 0 ? 2 : 0));
    const view = new DataView(bytes.buffer);
    const boxes = parts.map(part => boxOf(this.#font, part));
    view.setInt16(0, -1);
    view.setInt16(2, Math.floor(Math.min(...boxes.map(box => box.left))));
    view.setInt16(4, Math.floor(Math.min(...boxes.map(box => box.bottom))));
    view.setInt16(6, Math.ceil(Math.max(...boxes.map(box => box.right))));
    view.setInt16(8, Math.ceil(Math.max(...boxes.map(box => box.top))));
    for (const [at, { id, x, y }] of parts.entries()) {
      const start = 10 + 8 * at;
      view.setUint16(start, WORDS | OFFSETS | (at < parts.length - 1 ? MORE : 0));
      view.setUint16(start + 2, subset.includeGlyph(id));
      view.setInt16(start + 4, x);
      view.setInt16(start + 6, y);
    }
    subset.glyf.push(bytes);
    subset.loca.offsets.push(subset.offset);
    subset.offset += bytes.length;
    const units = Math.round((advance * this.#font.unitsPerEm) / 1000);
    subset.hmtx.metrics.push({ advance: units, bearing: view.getInt16(2) });
    return subset.glyf.length - 1;
  }
}

function boxOf(font: Font, { id, x, y }: Part) {
  const { minX, minY, maxX, maxY } = font.getGlyph(id).bbox;
  const ink = Number.isFinite(minX);
  return { left: ink ? minX + x : 0, bottom: ink ? minY + y : 0, right: ink ? maxX + x : 0, top: ink ? maxY + y : 0 };
}
