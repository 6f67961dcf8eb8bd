import { create } from 'fontkit';

/** A fontkit glyph. */
interface FontGlyph {
  readonly id: number;
  readonly codePoints: number[];
  readonly advanceWidth: number;
  readonly bbox: { minX: number; minY: number; maxX: number; maxY: number };
  readonly path: { readonly commands: { command: string; args: number[] }[] };
}

/** A run of shaped glyphs, ordered from left to right. */
interface GlyphRun {
  readonly glyphs: FontGlyph[];
  readonly positions: { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }[];
}

/**
 * A TrueType subset. `_addGlyph` writes the glyph with the given ID to the tables. Call `_addGlyph` once for each
 * glyph, in order.
 */
export interface TrueTypeSubset {
  includeGlyph(glyph: number): number;
  encode(): Uint8Array;
  _addGlyph(glyph: number): number;
  glyf: Uint8Array[];
  loca: { offsets: number[] };
  hmtx: { metrics: { advance: number; bearing: number }[] };
  offset: number;
}

/** An opened font, limited to the properties that we use. Lengths are in font units. */
export interface Font {
  readonly postscriptName: string;
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly italicAngle: number;
  readonly bbox: { minX: number; minY: number; maxX: number; maxY: number };
  readonly characterSet: number[];
  glyphForCodePoint(codePoint: number): FontGlyph;
  getGlyph(glyph: number, codePoints?: number[]): FontGlyph;
  layout(
    text: string,
    features?: Record<string, boolean>,
    script?: string,
    language?: string,
    direction?: 'ltr' | 'rtl',
  ): GlyphRun;
  createSubset(): TrueTypeSubset;
}

/** Opens a TrueType font. */
export const createFont = create as (bytes: Uint8Array) => Font;
