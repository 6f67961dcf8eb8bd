import type { Glyph } from '../text/fonts.ts';
import type { TrueTypeFont } from '../text/truetype.ts';

// Composite glyph component flags (OpenType `glyf` table).
const WORDS = 0x0001;
const OFFSETS = 0x0002;
const SCALE = 0x0008;
const MORE = 0x0020;
const TWO_SCALES = 0x0040;
const MATRIX = 0x0080;

interface Metric {
  advance: number;
  bearing: number;
}

/**
 * Returns a TrueType font program with the specified glyphs. Glyph n in the list gets ID n + 1, because 0 is the glyph
 * for missing characters. Clusters become composite glyphs, whose components are placed after the listed glyphs.
 *
 * Source: OpenType 1.9.1.
 */
export function subsetOf(font: TrueTypeFont, glyphs: readonly Glyph[]): Uint8Array {
  const components = new Map<number, number>();
  const componentOf = (id: number) => {
    const known = components.get(id) ?? 1 + glyphs.length + components.size;
    components.set(id, known);
    return known;
  };
  const outlines: Uint8Array[] = [];
  const metrics: Metric[] = [];
  const copy = (id: number, advance: number) => {
    outlines.push(withComponents(font.outlineOf(id), componentOf));
    metrics.push({ advance, bearing: font.boxOf(id)?.minX ?? 0 });
  };
  copy(0, font.advanceOf(0));
  for (const { parts, advance } of glyphs) {
    const units = Math.round((advance * font.unitsPerEm) / 1000);
    const [part] = parts;
    if (parts.length === 1 && part!.x === 0 && part!.y === 0) copy(part!.id, units);
    else {
      const outline = compositeOf(font, parts, componentOf);
      outlines.push(outline);
      metrics.push({ advance: units, bearing: outline.length > 0 ? view(outline).getInt16(2) : 0 });
    }
  }
  // A component can itself have components, which are added to the map during this loop.
  for (const id of components.keys()) copy(id, font.advanceOf(id));
  const mostParts = Math.max(0, ...glyphs.map(({ parts }) => parts.length));
  return fontProgram(tablesOf(font, outlines, metrics, mostParts));
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Returns a glyph outline with its component IDs, if any, mapped to subset IDs. */
function withComponents(outline: Uint8Array, componentOf: (id: number) => number): Uint8Array {
  if (outline.length === 0 || view(outline).getInt16(0) >= 0) return outline;
  const copy = outline.slice();
  const data = view(copy);
  let more = true;
  for (let at = 10; more; ) {
    const flags = data.getUint16(at);
    data.setUint16(at + 2, componentOf(data.getUint16(at + 2)));
    at += flags & WORDS ? 8 : 6;
    if (flags & SCALE) at += 2;
    else if (flags & TWO_SCALES) at += 4;
    else if (flags & MATRIX) at += 8;
    more = (flags & MORE) !== 0;
  }
  return copy;
}

function compositeOf(font: TrueTypeFont, parts: Glyph['parts'], componentOf: (id: number) => number): Uint8Array {
  const inked = parts.flatMap(part => {
    const box = font.boxOf(part.id);
    return box ? [{ ...part, box }] : [];
  });
  if (inked.length === 0) return new Uint8Array();
  const bytes = new Uint8Array(10 + 8 * inked.length);
  const data = view(bytes);
  data.setInt16(0, -1);
  data.setInt16(2, Math.min(...inked.map(({ x, box }) => x + box.minX)));
  data.setInt16(4, Math.min(...inked.map(({ y, box }) => y + box.minY)));
  data.setInt16(6, Math.max(...inked.map(({ x, box }) => x + box.maxX)));
  data.setInt16(8, Math.max(...inked.map(({ y, box }) => y + box.maxY)));
  for (const [at, { id, x, y }] of inked.entries()) {
    const start = 10 + 8 * at;
    data.setUint16(start, WORDS | OFFSETS | (at < inked.length - 1 ? MORE : 0));
    data.setUint16(start + 2, componentOf(id));
    data.setInt16(start + 4, x);
    data.setInt16(start + 6, y);
  }
  return bytes;
}

function tablesOf(font: TrueTypeFont, outlines: readonly Uint8Array[], metrics: readonly Metric[], mostParts: number) {
  const glyf = concatenated(outlines);
  const loca = new Uint8Array(4 * (outlines.length + 1));
  const hmtx = new Uint8Array(4 * metrics.length);
  let offset = 0;
  for (const [at, outline] of outlines.entries()) {
    offset += padded(outline.length);
    view(loca).setUint32(4 * at + 4, offset);
    view(hmtx).setUint16(4 * at, metrics[at]!.advance);
    view(hmtx).setInt16(4 * at + 2, metrics[at]!.bearing);
  }
  const head = font.table('head')!.slice();
  view(head).setUint32(8, 0);
  view(head).setInt16(50, 1);
  const hhea = font.table('hhea')!.slice();
  view(hhea).setUint16(34, metrics.length);
  const maxp = font.table('maxp')!.slice();
  const limits = view(maxp);
  limits.setUint16(4, outlines.length);
  for (const at of [6, 8]) {
    const most = Math.max(limits.getUint16(at), limits.getUint16(at + 4));
    limits.setUint16(at + 4, Math.min(0xffff, most * Math.max(1, mostParts)));
  }
  limits.setUint16(28, Math.max(limits.getUint16(28), mostParts));
  limits.setUint16(30, limits.getUint16(30) + 1);
  const tables: [tag: string, bytes: Uint8Array][] = [];
  for (const tag of ['cvt ', 'fpgm']) {
    const table = font.table(tag);
    if (table) tables.push([tag, table]);
  }
  tables.push(['glyf', glyf], ['head', head], ['hhea', hhea], ['hmtx', hmtx], ['loca', loca], ['maxp', maxp]);
  const prep = font.table('prep');
  if (prep) tables.push(['prep', prep]);
  return tables;
}

const padded = (length: number) => (length + 3) & ~3;

/** Concatenates byte arrays, each padded to a multiple of four bytes. */
function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + padded(part.length), 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += padded(part.length);
  }
  return bytes;
}

/** Joins tables, sorted by tag, into a font file. */
function fontProgram(tables: readonly (readonly [tag: string, bytes: Uint8Array])[]): Uint8Array {
  const directory = new Uint8Array(12 + 16 * tables.length);
  const data = view(directory);
  const power = Math.floor(Math.log2(tables.length));
  data.setUint32(0, 0x00010000);
  data.setUint16(4, tables.length);
  data.setUint16(6, 16 * 2 ** power);
  data.setUint16(8, power);
  data.setUint16(10, 16 * (tables.length - 2 ** power));
  let start = directory.length;
  let head = 0;
  for (const [at, [tag, bytes]] of tables.entries()) {
    const entry = 12 + 16 * at;
    for (let letter = 0; letter < 4; letter++) directory[entry + letter] = tag.charCodeAt(letter);
    data.setUint32(entry + 4, checksum(bytes));
    data.setUint32(entry + 8, start);
    data.setUint32(entry + 12, bytes.length);
    if (tag === 'head') head = start;
    start += padded(bytes.length);
  }
  const program = concatenated([directory, ...tables.map(([, bytes]) => bytes)]);
  view(program).setUint32(head + 8, 0xb1b0afba - checksum(program));
  return program;
}

function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at++) sum = (sum + (bytes[at]! << (24 - 8 * (at & 3)))) | 0;
  return sum >>> 0;
}
