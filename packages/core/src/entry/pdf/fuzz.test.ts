import { loadFace } from '@compliance/fonts';
import fc from 'fast-check';
import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFName, type PDFRawStream } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import type { CertificateRequest } from '../request/schema.ts';
import { textsOf } from '../request/text.ts';
import { sampleContext } from '../samples/requests.ts';
import { isInvisible, replacement, uncoveredCharacters } from '../text/coverage.ts';
import { openFonts } from '../text/fonts.ts';
import { SECOND_LANGUAGES } from '../translations/messages.ts';
import { render } from './render.ts';

const fonts = openFonts(loadFace);
/** Number of certificates to render. `pnpm fuzz` in packages/core sets this number to 10,000. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 60);

const block = (from: number, to: number) => fc.integer({ min: from, max: to }).map(code => String.fromCodePoint(code));
const character = fc.oneof(
  { weight: 12, arbitrary: block(0x20, 0x7e) },
  { weight: 2, arbitrary: block(0xa0, 0x24f) },
  { weight: 1, arbitrary: block(0x300, 0x36f) },
  { weight: 2, arbitrary: block(0x370, 0x52f) },
  { weight: 1, arbitrary: block(0x590, 0x5ff) },
  { weight: 1, arbitrary: block(0x600, 0x6ff) },
  { weight: 1, arbitrary: block(0xe00, 0xe5b) },
  { weight: 1, arbitrary: block(0x900, 0xdff) },
  { weight: 1, arbitrary: block(0xe80, 0xeff) },
  { weight: 1, arbitrary: block(0x1000, 0x13ff) },
  { weight: 1, arbitrary: block(0x1780, 0x17ff) },
  { weight: 1, arbitrary: block(0x1e00, 0x1fff) },
  { weight: 1, arbitrary: block(0x2010, 0x2027) },
  { weight: 1, arbitrary: block(0x2030, 0x2bff) },
  { weight: 2, arbitrary: block(0x3000, 0x30ff) },
  { weight: 2, arbitrary: block(0x4e00, 0x9fff) },
  { weight: 1, arbitrary: block(0xac00, 0xd7a3) },
  { weight: 1, arbitrary: block(0x1f300, 0x1f9ff) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '(',
      ')',
      '\\',
      '<',
      '>',
      '[',
      ']',
      '%',
      '\u200d',
      '\u200f',
      '\u00ad',
      '\ufe0f',
      '\u{2ff00}',
    ),
  },
);
const isPrintable = (text: string) =>
  !/^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u.test(text) &&
  !/[\u2028-\u202e\u2066-\u2069\p{Cc}]/u.test(text);
const text = (limit: number) =>
  fc
    .array(character, { minLength: 1, maxLength: limit })
    .map(characters => characters.join(''))
    .filter(value => isPrintable(value) && [...value.normalize('NFC')].length <= limit);
const long = (limit: number) => fc.oneof({ weight: 9, arbitrary: text(40) }, { weight: 1, arbitrary: text(limit) });
const date = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2026-11-21'), noInvalidDate: true })
  .map(day => day.toISOString().slice(0, 10));
const email = fc.constantFrom('a@b.example', 'compliance.department+us@velo-safety.example');
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const contact = {
  address: optional(long(500)),
  city: optional(text(30)),
  country: optional(fc.constantFrom('US', 'CN', 'ZZ')),
  phone: optional(fc.constantFrom('+1 503 555 0142', '(0755) 5550-1234')),
  email: optional(email),
};

const request: fc.Arbitrary<CertificateRequest> = fc
  .record({
    language: optional(fc.constantFrom(...SECOND_LANGUAGES)),
    product_info: fc.record({
      name: long(250),
      date_of_manufacture: date,
      place_of_manufacture: fc.oneof(long(250), fc.constantFrom('Shenzhen, China', 'Austin, Texas')),
      model: optional(text(30)),
      description: optional(long(500)),
      alternate_id: optional(text(100)),
    }),
    manufacturer: fc.record({ name: long(250), address: long(500), contact_email: email, street: optional(text(50)) }),
    testing_lab: fc.record({
      ...contact,
      name: long(250),
      test_date: date,
      report_ids: optional(fc.array(text(20), { maxLength: 5 })),
    }),
    cpsc_rules_cited: fc.array(
      fc.oneof(fc.constantFrom('16 CFR 1203', '§ 1512', 'ASTM F963-23', '16 CFR 1110'), long(250)),
      {
        minLength: 1,
        maxLength: 12,
      },
    ),
    certifier: optional(
      fc.record({
        ...contact,
        role: fc.constantFrom('importer' as const, 'private_labeler' as const),
        name: long(250),
      }),
    ),
    records_contact: optional(fc.record({ ...contact, position: text(60) })),
    other_labs: optional(fc.array(fc.record({ ...contact, name: text(60) }), { maxLength: 3 })),
    attestation: optional(
      fc.record({
        attested_by: long(250),
        attested_at: date,
        text_version: fc.constant('16cfr1110.11-2026-07-08'),
        title: optional(long(250)),
      }),
    ),
    rows: fc.array(fc.record({ test_date: date, standard: optional(long(250)), component: optional(text(60)) }), {
      maxLength: 4,
    }),
    basis: optional(long(500)),
  })
  .map(({ rows, basis, ...request }) => ({
    ...request,
    tests: rows.map((row, at) => ({ ...row, rule_index: at % request.cpsc_rules_cited.length })),
    ...(basis === undefined ? {} : { exclusions: [{ rule: request.cpsc_rules_cited[0]!, basis }] }),
  }))
  .map(request => JSON.parse(JSON.stringify(request)));

/**
 * Returns every character that a PDF draws as text, in drawing order, decoded with the embedded fonts' Unicode
 * mappings.
 */
async function drawnText(pdf: Uint8Array): Promise<string> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false });
  const latin1 = (stream: PDFRawStream) => Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1');
  const fontDict = document
    .getPage(0)
    .node.lookup(PDFName.of('Resources'), PDFDict)
    .lookup(PDFName.of('Font'), PDFDict);
  const tables = new Map<string, Map<string, string>>();
  for (const [name] of fontDict.entries()) {
    const font = fontDict.lookup(name, PDFDict);
    const table = new Map<string, string>();
    for (const [, code, hex] of latin1(font.lookup(PDFName.of('ToUnicode')) as PDFRawStream).matchAll(
      /^<(\w{4})> <(\w+)>$/gm,
    )) {
      table.set(code!, Buffer.from(hex!, 'hex').swap16().toString('utf16le'));
    }
    expect(font.lookup(PDFName.of('DescendantFonts'), PDFArray).size()).toBe(1);
    tables.set(name.toString().slice(1), table);
  }
  let drawn = '';
  for (const page of document.getPages()) {
    let table = new Map<string, string>();
    for (const [, font, codes] of latin1(page.node.lookup(PDFName.of('Contents')) as PDFRawStream).matchAll(
      /\/(F\d+) [\d.]+ Tf|\(((?:[^()\\]|\\.)*)\) Tj/gs,
    )) {
      if (font) table = tables.get(font)!;
      else for (const code of bytesOf(codes!).toString('hex').match(/.{4}/g)!) drawn += table.get(code) ?? '\ufffd';
    }
  }
  return drawn;
}

/** Returns the bytes of a PDF literal string. `literal` must not include the enclosing parentheses. */
function bytesOf(literal: string): Buffer {
  return Buffer.from(
    literal.replace(/\\(.)/gs, (_, letter) => ({ r: '\r', n: '\n' })[letter as string] ?? letter),
    'latin1',
  );
}

/**
 * Returns a value as it should be drawn: without invisible characters and spaces, and with code points in place of
 * unsupported characters.
 */
function expectedText(value: string): string {
  const gaps = new Set(uncoveredCharacters(value));
  let expected = '';
  for (const character of value) {
    if (/\p{Zs}/u.test(character) || isInvisible(character)) continue;
    expected += gaps.has(character) ? replacement(character) : character;
  }
  return expected;
}

/** Matches right-to-left text and Hangul tone marks, whose drawing order differs from the reading order. */
const REORDERED = /[\u0590-\u08ff\u302e\u302f\ufb1d-\ufdff\ufe70-\ufeff]/;
const NOT_PRINTED = /^language$|\.(role|country|text_version|rule_index)$|^tests\.\d+\.rule$/;

describe('a valid request', () => {
  it(`renders to identical bytes every time without losing any text (${numRuns} requests)`, async () => {
    await fc.assert(
      fc.asyncProperty(request, async input => {
        const record = certificate(input, sampleContext);
        const pdf = await render(record, fonts);
        expect(Buffer.compare(await render(record, fonts), pdf)).toBe(0);
        const drawn = (await drawnText(pdf)).replace(/[\s\p{Zs}\u200c\u200d]/gu, '');
        expect(drawn).not.toContain('\ufffd');
        const counts = new Map<string, number>();
        for (const character of drawn) counts.set(character, (counts.get(character) ?? 0) + 1);
        for (const [path, value] of textsOf(record.request, '')) {
          if (NOT_PRINTED.test(path)) continue;
          const expected = expectedText(value);
          if (!REORDERED.test(value)) expect(drawn.includes(expected), `${path}: ${JSON.stringify(value)}`).toBe(true);
          else
            for (const one of expected)
              expect(counts.get(one) ?? 0, `${path}: ${JSON.stringify(value)}`).toBeGreaterThan(0);
        }
      }),
      { numRuns },
    );
  }, 3_600_000);
});
