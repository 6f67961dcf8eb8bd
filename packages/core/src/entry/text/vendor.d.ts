// The published types of fontkit pull Node's globals in, which `core` must not see. This is the part that is used here.
declare module 'fontkit' {
  export interface Glyph {
    readonly id: number;
    readonly codePoints: number[];
    readonly advanceWidth: number;
    readonly bbox: { minX: number; minY: number; maxX: number; maxY: number };
    readonly path: { readonly commands: { command: string; args: number[] }[] };
  }
  export interface GlyphRun {
    readonly glyphs: Glyph[];
    readonly positions: { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }[];
  }
  /** A TrueType subset. `_addGlyph` writes the glyph of one id into the tables below it; it is called for each in turn. */
  export interface Subset {
    includeGlyph(glyph: number): number;
    encode(): Uint8Array;
    _addGlyph(glyph: number): number;
    glyf: Uint8Array[];
    loca: { offsets: number[] };
    hmtx: { metrics: { advance: number; bearing: number }[] };
    offset: number;
  }
  export interface Font {
    readonly postscriptName: string;
    readonly unitsPerEm: number;
    readonly ascent: number;
    readonly descent: number;
    readonly capHeight: number;
    readonly italicAngle: number;
    readonly bbox: { minX: number; minY: number; maxX: number; maxY: number };
    readonly characterSet: number[];
    glyphForCodePoint(codePoint: number): Glyph;
    getGlyph(glyph: number, codePoints?: number[]): Glyph;
    layout(text: string, features?: string[], script?: string, language?: string, direction?: 'ltr' | 'rtl'): GlyphRun;
    createSubset(): Subset;
  }
  export function create(bytes: Uint8Array): Font;
}

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}
