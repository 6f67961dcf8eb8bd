import { type PDFContext, PDFName, type PDFRef, PDFString } from 'pdf-lib';
import type { Glyph, OpenFace } from '../text/fonts.ts';
import type { Conformance } from './conformance.ts';
import { subsetOf } from './subset.ts';

/** A font embedded in a document, with codes for the glyphs that the document uses. */
export class EmbeddedFace {
  readonly name: string;
  readonly ref: PDFRef;
  readonly #open: OpenFace;
  readonly #codes = new Map<Glyph, string>();

  /** @param name the font's resource name on every page, such as `F1`. */
  constructor(open: OpenFace, name: string, ref: PDFRef) {
    this.#open = open;
    this.name = name;
    this.ref = ref;
  }

  /**
   * Returns a glyph's two-byte code as text for a literal string in a content stream, with special characters escaped.
   * Codes are assigned in order of first use.
   */
  code(glyph: Glyph): string {
    let code = this.#codes.get(glyph);
    if (code === undefined) {
      const number = this.#codes.size + 1;
      code = escaped(number >> 8) + escaped(number & 0xff);
      this.#codes.set(glyph, code);
    }
    return code;
  }

  /** Writes the font as a Type 0 font with a TrueType subset, glyph widths, and a Unicode mapping for every code. */
  write(context: PDFContext, conformance: Conformance): void {
    const { font } = this.#open;
    const scale = 1000 / font.unitsPerEm;
    const glyphs = [...this.#codes.keys()];
    const baseFont = `${subsetTag(this.name)}+${font.postscriptName}`;
    const { minX, minY, maxX, maxY } = font.bbox;
    const descriptor = context.obj({
      Type: 'FontDescriptor',
      FontName: baseFont,
      Flags: 4,
      FontBBox: [minX * scale, minY * scale, maxX * scale, maxY * scale],
      ItalicAngle: font.italicAngle,
      Ascent: font.ascent * scale,
      Descent: font.descent * scale,
      CapHeight: (font.capHeight || font.ascent) * scale,
      StemV: 80,
      FontFile2: context.register(context.flateStream(subsetOf(font, glyphs))),
    });
    // PDF/A-1 requires a `CIDSet`, which is a bit set of the codes in a font subset. Later parts of PDF/A made the
    // `CIDSet` optional, and PDF 2.0 deprecated it.
    if (conformance === 'PDF/A-1b') {
      descriptor.set(PDFName.of('CIDSet'), context.register(context.flateStream(firstBits(glyphs.length + 1))));
    }
    const descendant = context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: baseFont,
      CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
      CIDToGIDMap: PDFName.of('Identity'),
      FontDescriptor: context.register(descriptor),
      DW: 1000,
      W: [1, glyphs.map(glyph => glyph.advance)],
    });
    context.assign(
      this.ref,
      context.obj({
        Type: 'Font',
        Subtype: 'Type0',
        BaseFont: baseFont,
        Encoding: PDFName.of('Identity-H'),
        DescendantFonts: [context.register(descendant)],
        ToUnicode: context.register(context.flateStream(toUnicode(glyphs))),
      }),
    );
  }
}

/**
 * Escape sequences for bytes that would otherwise end a literal string or be read as another byte (ISO 32000-1,
 * 7.3.4.2).
 */
const ESCAPES: Readonly<Record<string, string>> = { '(': '\\(', ')': '\\)', '\\': '\\\\', '\r': '\\r', '\n': '\\n' };

function escaped(byte: number): string {
  const character = String.fromCharCode(byte);
  return ESCAPES[character] ?? character;
}

const fourDigits = (value: number) => value.toString(16).padStart(4, '0');

/** Returns bytes whose first `count` bits are set, most significant bit first. */
function firstBits(count: number): Uint8Array {
  return Uint8Array.from({ length: Math.ceil(count / 8) }, (_, at) => 0xff00 >> Math.min(8, count - 8 * at));
}

/** Returns a six-letter subset tag that's unique to the font. */
const subsetTag = (name: string) => `GCC${name.padStart(3, 'A').replace(/\d/g, digit => 'ABCDEFGHIJ'[Number(digit)]!)}`;

function toUnicode(glyphs: readonly Glyph[]): string {
  const lines = glyphs.map((glyph, at) => {
    let text = '';
    for (let unit = 0; unit < glyph.text.length; unit++) text += fourDigits(glyph.text.charCodeAt(unit));
    return `<${fourDigits(at + 1)}> <${text}>`;
  });
  const blocks: string[] = [];
  for (let from = 0; from < lines.length; from += 100) {
    const block = lines.slice(from, from + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<0000> <ffff>',
    'endcodespacerange',
    ...blocks,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ].join('\n');
}
