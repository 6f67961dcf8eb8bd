/**
 * A shaped glyph. `cluster` is the index of the first code unit that the glyph represents. Lengths are in font units.
 */
interface ShapedGlyph {
  readonly glyph: number;
  readonly cluster: number;
  readonly advance: number;
  readonly x: number;
  readonly y: number;
}

/** Shapes text that has one script and one direction. Returns the glyphs from left to right. */
export type Shape = (text: string, rightToLeft: boolean) => ShapedGlyph[];

/**
 * Opens a font for shaping. HarfBuzz is loaded on the first call, because loading takes about 12 ms and most
 * certificates are in scripts that don't need HarfBuzz.
 */
export async function openShaper(bytes: Uint8Array): Promise<Shape> {
  const { Blob, Buffer, Direction, Face, Font, shape } = await import('harfbuzzjs');
  const font = new Font(new Face(new Blob(bytes)));
  const buffer = new Buffer();
  return (text, rightToLeft) => {
    buffer.clearContents();
    buffer.addText(text);
    buffer.setDirection(rightToLeft ? Direction.RTL : Direction.LTR);
    // The default language depends on the environment and can affect which glyphs are selected.
    buffer.setLanguage('en');
    buffer.guessSegmentProperties();
    shape(font, buffer);
    const positions = buffer.getGlyphPositions();
    return buffer.getGlyphInfos().map(({ codepoint: glyph, cluster }, at) => {
      const { xAdvance, xOffset, yOffset } = positions[at]!;
      return { glyph, cluster, advance: xAdvance, x: xOffset, y: yOffset };
    });
  };
}
