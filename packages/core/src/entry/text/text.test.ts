import { loadFace } from '@compliance/fonts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverageModule } from '../../../scripts/coverage.ts';
import { isolate, visualOrder } from './bidi.ts';
import { COVERAGE } from './coverage.gen.ts';
import { uncoveredCharacters } from './coverage.ts';
import { openFonts } from './fonts.ts';
import { toLines } from './lines.ts';
import { toPieces } from './pieces.ts';

const fonts = openFonts(loadFace);
const faces = async () =>
  new Map(
    await Promise.all(
      (['sans', 'sans-bold', 'sc', 'jp', 'kr', 'arabic', 'hebrew', 'thai'] as const).map(
        async face => [face, await fonts.open(face)] as const,
      ),
    ),
  );

describe('the coverage table', () => {
  it('matches the characters that the fonts in @compliance/fonts support', async () => {
    const written = await coverageModule();
    for (const [face, ranges] of Object.entries(COVERAGE)) expect(written.includes(`'${ranges}'`), face).toBe(true);
  });

  it('reports emoji and rare scripts as unsupported and ignores invisible characters', () => {
    expect(uncoveredCharacters('a 🚲 ሰ 深圳 é \u200d\ufe0f\u00ad')).toEqual(['🚲', 'ሰ']);
  });
});

describe('splitting text into pieces', () => {
  const cut = (text: string) => toPieces(text).map(({ text, face, level }) => `${face}${level % 2 ? '<' : ''}:${text}`);

  it('assigns each run a font that supports it', () => {
    expect(cut('RB-200 头盔')).toEqual(['sans:RB-200', 'sans: ', 'sc:头', 'sc:盔']);
    expect(cut('ヘルメット骨')[0]).toMatch(/^jp:/);
    expect(cut('骨').join()).toBe('sc:骨');
    expect(cut('안전').join('')).toMatch(/^kr:/);
  });

  it('keeps combining marks with their letters', () => {
    expect(cut('x\u0302')).toEqual(['sans:x\u0302']);
  });

  it('assigns a text direction to each piece', () => {
    expect(cut('שלום RB')).toEqual(['hebrew<:שלום', 'sans: ', 'sans:RB']);
    // Joined values are isolated so that a number after a name isn't drawn inside the name.
    expect(cut('שלום, 12')).toEqual(['hebrew<:שלום', 'sans<:,', 'sans<: ', 'sans:12']);
    expect(cut(`${isolate('שלום')}, 12`)).toEqual(['hebrew<:שלום', 'sans:,', 'sans: ', 'sans:12']);
    expect(visualOrder([0, 1, 1, 1, 0])).toEqual([0, 3, 2, 1, 4]);
    expect(visualOrder([1, 1, 2, 2, 1])).toEqual([4, 2, 3, 1, 0]);
    expect(visualOrder([])).toEqual([]);
  });

  it('orders runs with arbitrary bidi levels in the same way as a reference implementation of rule L2', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 20 }), levels => {
        // Rule L2: for each level from the highest down, reverse every maximal run of parts at or above that level.
        let expected = levels.map((_, at) => at);
        for (let level = 4; level > 0; level--) {
          const next: number[] = [];
          let run: number[] = [];
          for (const at of expected) {
            if (levels[at]! >= level) run.unshift(at);
            else {
              next.push(...run, at);
              run = [];
            }
          }
          expected = [...next, ...run];
        }
        expect(visualOrder(levels)).toEqual(expected);
      }),
    );
  });
});

describe('breaking lines', () => {
  it('never exceeds the column width or loses text', async () => {
    const all = await faces();
    const word = fc.oneof(
      fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' }),
      fc.constantFrom(
        '深圳市维乐安全用品有限公司',
        'แขวงคลองเตยกรุงเทพฯ',
        'السلامة',
        'למבוגרים',
        'Nguyễn',
        '헬멧',
        'é'.repeat(60),
      ),
    );
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 40, max: 400 }),
        (words, width) => {
          const text = words.join(' ').trim();
          const lines = toLines(text, width, 8.6, all, false);
          for (const line of lines) expect(line.width).toBeLessThanOrEqual(width + 0.01);
          const drawn = lines.flatMap(line =>
            line.runs.flatMap(run => run.shaped.glyphs.flatMap(glyph => [...glyph.text])),
          );
          const sorted = (characters: string[]) =>
            characters.filter(character => character.trim() !== '' && character !== '\u200f').sort();
          const mirrors = /[()[\]{}<>«»]/;
          expect(sorted(drawn).filter(one => !mirrors.test(one))).toEqual(
            sorted([...text]).filter(one => !mirrors.test(one)),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('breaks a ten-thousand-character text that has no break opportunities', async () => {
    const lines = toLines('x'.repeat(10_000), 200, 8.6, await faces(), false);
    expect(lines.length).toBeGreaterThan(100);
  });

  it('shapes a run the same way regardless of earlier runs', async () => {
    const arabic = await fonts.open('arabic');
    arabic.shape('سلام', true);
    // A connecting stroke (U+0640) that isn't joined to a letter has its default glyph.
    expect(arabic.shape('\u0640', true).glyphs[0]!.parts[0]!.id).toBe(arabic.font.glyphForCodePoint(0x640).id);
  });

  it('maps each use of a shared glyph to its own text', async () => {
    const arabic = await fonts.open('arabic');
    const read = (text: string) =>
      arabic
        .shape(text, true)
        .glyphs.map(glyph => glyph.text)
        .reverse()
        .join('');
    expect(read('خوذة')).toBe('خوذة');
    expect(read('دراجة')).toBe('دراجة');
    const sans = await fonts.open('sans');
    expect(
      sans
        .shape('f\u0300i', false)
        .glyphs.map(glyph => glyph.text)
        .join(''),
    ).toBe('f\u0300i');
    const thai = await fonts.open('thai');
    expect(
      thai
        .shape('สำหรับ', false)
        .glyphs.map(glyph => glyph.text)
        .join(''),
    ).toBe('สำหรับ');
  });
});
