import { loadFace } from '@compliance/fonts';
import fc from 'fast-check';
import LineBreaker from 'linebreak';
import { describe, expect, it } from 'vitest';
import { coverageModule } from '../../../scripts/coverage.ts';
import { scripts } from '../samples/languages.ts';
import { isolate, visualOrder } from './bidi.ts';
import { COVERAGE } from './coverage.gen.ts';
import { type Face, uncoveredCharacters } from './coverage.ts';
import { openFonts } from './fonts.ts';
import { openFaces, type Run, toLines } from './lines.ts';
import { toPieces } from './pieces.ts';

const fonts = openFonts(loadFace);
const faces = () => openFaces([...Object.values(scripts).flat(), 'x\u0302'], fonts);

describe('the coverage table', () => {
  it('lists exactly the characters that the fonts in @compliance/fonts support', async () => {
    const written = await coverageModule();
    for (const [face, ranges] of Object.entries(COVERAGE)) expect(written.includes(`'${ranges}'`), face).toBe(true);
  });

  it('identifies emoji and rare scripts as unsupported, and ignores invisible characters', () => {
    expect(uncoveredCharacters('a 🚲 ཀ 深圳 ሰ é \u200d\ufe0f\u00ad')).toEqual(['🚲', 'ཀ']);
  });
});

describe('a font set', () => {
  it('throws an error that names a required font if the set has no loader for that font', async () => {
    const latinOnly = openFonts({ sans: () => loadFace('sans'), 'sans-bold': () => loadFace('sans-bold') });
    await expect(openFaces(['RB-200'], latinOnly)).resolves.toBeDefined();
    await expect(openFaces(['头盔'], latinOnly)).rejects.toThrow('“sc”');
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

  it('assigns a text direction to each run', () => {
    expect(cut('שלום RB')).toEqual(['hebrew<:שלום', 'sans: ', 'sans:RB']);
    // Joined values are isolated so that a number after a name isn't drawn inside the name.
    expect(cut('שלום, 12')).toEqual(['hebrew<:שלום', 'sans<:,', 'sans<: ', 'sans:12']);
    expect(cut(`${isolate('שלום')}, 12`)).toEqual(['hebrew<:שלום', 'sans:,', 'sans: ', 'sans:12']);
    expect(visualOrder([0, 1, 1, 1, 0])).toEqual([0, 3, 2, 1, 4]);
    expect(visualOrder([1, 1, 2, 2, 1])).toEqual([4, 2, 3, 1, 0]);
    expect(visualOrder([])).toEqual([]);
  });

  it('orders runs with arbitrary bidi levels the same way as a reference implementation of Unicode rule L2', () => {
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
  it('allows the same line breaks as UAX #14 in Latin text', () => {
    const characters = fc.constantFrom('a', 'B', '7', ' ', '.', ',', ':', '-', '/', '(', ')');
    const words = fc.array(characters, { minLength: 1, maxLength: 30 }).map(list => list.join(''));
    fc.assert(
      fc.property(words, text => {
        const breaker = new LineBreaker(text);
        const expected: number[] = [];
        for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) expected.push(next.position);
        let at = 0;
        const actual = toPieces(text).flatMap(piece => {
          at += piece.text.length;
          return piece.breakAfter ? [at] : [];
        });
        expect(actual).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

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
        'น้ำหนัก',
        'ភ្នំពេញ',
        'প্রাপ্তবয়স্ক',
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
          const drawn = lines.flatMap(line => line.runs.map(readRun));
          // Trailing spaces are dropped from lines.
          expect(drawn.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('splits a 10,000-character word across lines', async () => {
    const lines = toLines('x'.repeat(10_000), 200, 8.6, await faces(), false);
    expect(lines.length).toBeGreaterThan(100);
  });

  it('shapes a run the same way regardless of previously shaped runs', async () => {
    const arabic = (await faces()).get('arabic')!;
    arabic.shape('سلام', true);
    // A tatweel (U+0640) that isn't joined to a letter uses its default glyph.
    expect(arabic.shape('\u0640', true).glyphs[0]!.parts[0]!.id).toBe(arabic.font.glyphOf(0x640));
  });

  it('maps each occurrence of a shared glyph to its own text', async () => {
    const all = await faces();
    const texts = (face: Face, text: string, rightToLeft = false) =>
      all
        .get(face)!
        .shape(text, rightToLeft)
        .glyphs.map(glyph => glyph.text);
    expect(texts('arabic', 'خوذة', true).reverse().join('')).toBe('خوذة');
    expect(texts('arabic', 'دراجة', true).reverse().join('')).toBe('دراجة');
    expect(texts('sans', 'f\u0300i').join('')).toBe('f\u0300i');
    expect(texts('thai', 'สำหรับ').join('')).toBe('สำหรับ');
  });
});

/** Returns a run's text in reading order. */
function readRun({ shaped, face }: Run): string {
  const texts = shaped.glyphs.map(glyph => glyph.text);
  return (face === 'arabic' || face === 'hebrew' ? texts.reverse() : texts).join('');
}

describe('shaping', () => {
  it('places the tone mark above the vowel’s ring in Thai and Lao syllables with SARA AM', async () => {
    const all = await faces();
    const marks = (face: Face, syllable: string) => {
      const { glyphs } = all.get(face)!.shape(syllable, false);
      expect(glyphs.map(({ text }) => text)).toEqual([syllable]);
      const boxes = glyphs[0]!.parts.map(({ id, y }) => ({ id, y, box: all.get(face)!.font.boxOf(id)! }));
      return boxes
        .map(({ id, y, box }) => ({ id, bottom: y + box.minY, top: y + box.maxY }))
        .filter(({ bottom }) => bottom > 560);
    };
    const [ring] = marks('thai', 'นำ');
    const [lower, upper] = marks('thai', 'น้ำ');
    expect(lower).toEqual(ring);
    expect(upper!.bottom).toBeGreaterThan(ring!.top);
    // The Lao font has one glyph for a tone mark above a ring.
    const [laoRing] = marks('lao', 'ນຳ');
    const [both] = marks('lao', 'ນ້ຳ');
    expect(both!.bottom).toBe(laoRing!.bottom);
    expect(both!.top).toBeGreaterThan(laoRing!.top + 100);
  });

  it('reorders vowel signs, joins consonants, and keeps each cluster’s text in reading order', async () => {
    const all = await faces();
    const clusters = (face: Face, text: string) =>
      all
        .get(face)!
        .shape(text, false)
        .glyphs.map(({ text }) => text);
    expect(clusters('bengali', 'প্রাপ্তি')).toEqual(['প্রা', 'প্তি']);
    expect(clusters('khmer', 'ភ្នំ')).toEqual(['ភ្នំ']);
    const { font } = all.get('tamil')!;
    // The vowel sign E is drawn before its consonant.
    expect(
      all
        .get('tamil')!
        .shape('பெ', false)
        .glyphs[0]!.parts.map(({ id }) => id),
    ).toEqual([font.glyphOf(0xbc6), font.glyphOf(0xbaa)]);
  });

  it('assigns each run a language based on its script, except for runs of Latin letters', async () => {
    const line = toLines('RB 头骨 คน, ヘル Κρ שלום', 500, 9, await faces(), false)[0]!;
    const spoken = line.runs.map(run => [readRun(run), run.language]).filter(([text]) => /\p{L}/u.test(text!));
    expect(spoken.map(([, language]) => language)).toEqual([null, 'zh', 'ja', 'th', 'ja', 'ja', 'el', 'he']);
  });

  it('returns the runs of a line in reading order', async () => {
    const line = toLines('שלום (RB 7), עולם', 500, 9, await faces(), false)[0]!;
    expect(line.runs.map(readRun).join('')).toBe('שלום (RB 7), עולם');
  });
});
