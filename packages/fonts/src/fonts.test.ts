import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { faces, loadFace } from './index.ts';

describe('the fonts package', () => {
  it.each(faces)('includes %s as a TrueType font with glyph outlines', async face => {
    const bytes = Buffer.from(await loadFace(face));
    expect(bytes.readUInt32BE(0)).toBe(0x00010000);
    const tables = Array.from({ length: bytes.readUInt16BE(4) }, (_, at) =>
      bytes.toString('latin1', 12 + 16 * at, 16 + 16 * at),
    );
    expect(tables).toContain('glyf');
    expect(tables).not.toContain('CFF ');
  });

  it('includes the font license', () => {
    const licence = new URL('../OFL.txt', import.meta.url);
    expect(existsSync(licence)).toBe(true);
    expect(readFileSync(licence, 'utf8')).toContain('SIL OPEN FONT LICENSE Version 1.1');
  });
});
