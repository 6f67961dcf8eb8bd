/** The smallest rectangle that contains a glyph's outline, in font units. */
export interface GlyphBox {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/**
 * A TrueType font. The constructor reads only the metrics. Glyphs and characters are looked up in the font's bytes when
 * they're needed, so a Chinese font opens as fast as a Latin one. Lengths are in font units.
 *
 * Source: OpenType 1.9.1 (`cmap`, `glyf`, `head`, `hhea`, `hmtx`, `loca`, `name`, `OS/2`, and `post` tables).
 */
export class TrueTypeFont {
  readonly postscriptName: string;
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly italicAngle: number;
  readonly bbox: GlyphBox;
  readonly glyphCount: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #tables = new Map<string, { start: number; length: number }>();
  readonly #longOffsets: boolean;
  readonly #metricCount: number;
  readonly #characters: { start: number; format: number };

  /** @throws RangeError if the bytes aren't a TrueType font that has a Unicode character map. */
  constructor(bytes: Uint8Array) {
    // In Node, `Buffer.slice` shares memory, so writing to a sliced table would modify the font.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const view = this.#view;
    for (let at = 12; at < 12 + 16 * view.getUint16(4); at += 16) {
      this.#tables.set(latin1(this.#bytes.subarray(at, at + 4)), {
        start: view.getUint32(at + 8),
        length: view.getUint32(at + 12),
      });
    }
    const head = this.#start('head');
    this.unitsPerEm = view.getUint16(head + 18);
    this.bbox = this.#boxAt(head + 36);
    this.#longOffsets = view.getInt16(head + 50) === 1;
    const hhea = this.#start('hhea');
    this.ascent = view.getInt16(hhea + 4);
    this.descent = view.getInt16(hhea + 6);
    this.#metricCount = view.getUint16(hhea + 34);
    this.glyphCount = view.getUint16(this.#start('maxp') + 4);
    this.italicAngle = view.getInt32(this.#start('post') + 4) / 65536;
    const os2 = this.#start('OS/2');
    this.capHeight = view.getUint16(os2) >= 2 ? view.getInt16(os2 + 88) : 0;
    this.postscriptName = this.#readPostscriptName();
    this.#characters = this.#findCharacterMap();
  }

  /** Returns a table's bytes, or null if the font doesn't have the table. */
  table(tag: string): Uint8Array | null {
    const table = this.#tables.get(tag);
    return table ? this.#bytes.subarray(table.start, table.start + table.length) : null;
  }

  /** Returns a character's glyph ID, or 0 if the font doesn't support the character. */
  glyphOf(codePoint: number): number {
    return this.#characters.format === 12 ? this.#glyphInGroups(codePoint) : this.#glyphInSegments(codePoint);
  }

  /** Returns the code points of all characters that the font supports, in ascending order. */
  codePoints(): number[] {
    return this.#ranges().flatMap(([from, to]) => {
      const codes = Array.from({ length: to - from + 1 }, (_, at) => from + at);
      return codes.filter(code => this.glyphOf(code) > 0);
    });
  }

  /** Returns a glyph's advance width. */
  advanceOf(glyph: number): number {
    return this.#view.getUint16(this.#start('hmtx') + 4 * Math.min(glyph, this.#metricCount - 1));
  }

  /** Returns a glyph's outline as stored in the `glyf` table. The result is empty if the glyph has no outline. */
  outlineOf(glyph: number): Uint8Array {
    const loca = this.#start('loca');
    const offset = (at: number) =>
      this.#longOffsets ? this.#view.getUint32(loca + 4 * at) : 2 * this.#view.getUint16(loca + 2 * at);
    const glyf = this.#start('glyf');
    return this.#bytes.subarray(glyf + offset(glyph), glyf + offset(glyph + 1));
  }

  /** Returns a glyph's bounding box, or null if the glyph has no outline. */
  boxOf(glyph: number): GlyphBox | null {
    const outline = this.outlineOf(glyph);
    return outline.length === 0 ? null : this.#boxAt(outline.byteOffset - this.#bytes.byteOffset + 2);
  }

  #start(tag: string): number {
    const table = this.#tables.get(tag);
    if (!table) throw new RangeError(`the font has no ${tag} table, so it isn't a TrueType font`);
    return table.start;
  }

  #boxAt(at: number): GlyphBox {
    const read = (offset: number) => this.#view.getInt16(at + offset);
    return { minX: read(0), minY: read(2), maxX: read(4), maxY: read(6) };
  }

  #readPostscriptName(): string {
    const name = this.#start('name');
    const strings = name + this.#view.getUint16(name + 4);
    for (let at = name + 6; at < name + 6 + 12 * this.#view.getUint16(name + 2); at += 12) {
      if (this.#view.getUint16(at + 6) !== 6) continue;
      const start = strings + this.#view.getUint16(at + 10);
      // A PostScript name contains only ASCII characters, so removing the zero bytes converts UTF-16 to ASCII.
      return latin1(this.#bytes.subarray(start, start + this.#view.getUint16(at + 8)).filter(byte => byte > 0));
    }
    throw new RangeError('the font has no PostScript name');
  }

  /**
   * Finds the Unicode character map. A map that covers all planes (format 12) takes precedence over a map that covers
   * only one.
   */
  #findCharacterMap(): { start: number; format: number } {
    const cmap = this.#start('cmap');
    let found: { start: number; format: number } | null = null;
    for (let at = cmap + 4; at < cmap + 4 + 8 * this.#view.getUint16(cmap + 2); at += 8) {
      const start = cmap + this.#view.getUint32(at + 4);
      const format = this.#view.getUint16(start);
      if (format === 12 || (format === 4 && !found)) found = { start, format };
    }
    if (!found) throw new RangeError('the font has no Unicode character map');
    return found;
  }

  #ranges(): [from: number, to: number][] {
    const { start, format } = this.#characters;
    if (format === 12) {
      return Array.from({ length: this.#view.getUint32(start + 12) }, (_, at) => [
        this.#view.getUint32(start + 16 + 12 * at),
        this.#view.getUint32(start + 20 + 12 * at),
      ]);
    }
    const size = this.#view.getUint16(start + 6);
    return Array.from({ length: size / 2 }, (_, at) => [
      this.#view.getUint16(start + 16 + size + 2 * at),
      this.#view.getUint16(start + 14 + 2 * at),
    ]);
  }

  #glyphInGroups(codePoint: number): number {
    const { start } = this.#characters;
    const groups = start + 16;
    const count = this.#view.getUint32(start + 12);
    const at = groups + 12 * firstWhere(count, at => this.#view.getUint32(groups + 12 * at + 4) >= codePoint);
    if (at === groups + 12 * count) return 0;
    const from = this.#view.getUint32(at);
    return from > codePoint ? 0 : this.#view.getUint32(at + 8) + codePoint - from;
  }

  #glyphInSegments(codePoint: number): number {
    if (codePoint > 0xffff) return 0;
    const { start } = this.#characters;
    const size = this.#view.getUint16(start + 6);
    const segment = firstWhere(size / 2, at => this.#view.getUint16(start + 14 + 2 * at) >= codePoint);
    const at = start + 16 + size + 2 * segment;
    const from = this.#view.getUint16(at);
    if (2 * segment === size || from > codePoint) return 0;
    const delta = this.#view.getUint16(at + size);
    const offset = this.#view.getUint16(at + 2 * size);
    if (offset === 0) return (codePoint + delta) & 0xffff;
    const glyph = this.#view.getUint16(at + 2 * size + offset + 2 * (codePoint - from));
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  }
}

const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes);

/** Returns the first index below `count` where a monotonic condition becomes true, or `count` if it never does. */
function firstWhere(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
