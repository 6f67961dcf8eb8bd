import { loadFace } from '@compliance/fonts';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import fc from 'fast-check';
import jsQR from 'jsqr';
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
} from 'pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { currentAttestation } from '../attestation/texts.ts';
import { certificateKind, KINDS } from '../kinds/kinds.ts';
import { type CertificateRecord, certificate } from '../record/certificate.ts';
import { readLogo } from '../request/logo.ts';
import { SAMPLE_REQUEST } from '../request/sample.ts';
import { textsOf } from '../request/text.ts';
import { bunkBedRequest, pajamaRequest, toyRequest } from '../samples/childrens.ts';
import { requestIn, type Script, scripts, sixtyRules } from '../samples/languages.ts';
import { brandedRequest, completeRequest, sampleAttachments, sampleContext } from '../samples/requests.ts';
import { familyRequest } from '../samples/variants.ts';
import { openFonts } from '../text/fonts.ts';
import { CATALOGS, type MessageText, SECOND_LANGUAGES } from '../translations/messages.ts';
import { AUTHORITATIVE } from './draw.ts';
import { render, renderTrackingLabel } from './render.ts';

const fonts = openFonts(loadFace);
let pdfium: PDFiumLibrary;
beforeAll(async () => {
  pdfium = await PDFiumLibrary.init();
});

// The package's types describe an ES module, but Node loads the package as CommonJS.
const decodeQr = jsQR as unknown as typeof jsQR.default;

const recordOf = (request: object) => certificate(request, sampleContext);
const records: Record<string, CertificateRecord> = {
  bare: recordOf(SAMPLE_REQUEST),
  complete: recordOf(completeRequest),
  branded: recordOf(brandedRequest),
  'sixty rules': recordOf(sixtyRules),
  toy: recordOf(toyRequest),
  pajama: recordOf(pajamaRequest),
  'bunk bed': recordOf({
    ...bunkBedRequest,
    component_certificates: [
      {
        ...{ component: 'White lacquer', rules: ['16 CFR 1303'], kind: 'certificate', certificate_id: 'HC-26-7' },
        issuer: { name: 'Harbor Coatings', address: '12 Dock Road, Long Beach, CA 90802, USA' },
        ...{ lab_index: 0, test_date: '2026-07-01' },
      },
    ],
    small_batch: { registration_id: 'SBM-77', year: 2026 },
  }),
  variants: recordOf(familyRequest),
  hostile: recordOf({
    ...completeRequest,
    product_info: {
      ...completeRequest.product_info,
      name: ') Tj ET Q /JS (app.alert(1)) <script>alert(1)</script>',
      description: '=HYPERLINK("https://evil.example") \'; DROP TABLE x; -- \\( \\) <</AA 1 0 R>> </rdf:li>]]>',
    },
  }),
  replaced: recordOf({
    ...completeRequest,
    product_info: { ...completeRequest.product_info, name: 'Helmet 🚲 A\u030a \u{20000}' },
  }),
};
for (const script of Object.keys(scripts) as Script[]) records[script] = recordOf(requestIn(script));
const names = Object.keys(records);

const pdfs = new Map<string, Promise<Uint8Array>>();
const pdfOf = (name: string) => {
  const pdf = pdfs.get(name) ?? render(records[name]!, fonts);
  pdfs.set(name, pdf);
  return pdf;
};

async function textOf(pdf: Uint8Array): Promise<string> {
  const document = await pdfium.loadDocument(pdf);
  const text = [...document.pages()].map(page => page.getText()).join('\n');
  document.destroy();
  return text;
}

const bare = (text: string) => text.normalize('NFC').replace(/[\s\u00a0]+/g, '');

/**
 * Returns the values that a certificate prints unchanged. Excludes the importer number and values that are printed in
 * another form, such as country codes.
 */
const printedValues = ({ request }: CertificateRecord) =>
  [...textsOf(request, '')]
    .filter(
      ([path]) =>
        !/^logo\.|^language$|\.(role|type|kind|country|text_version|attested_at|importer_of_record_number)$|^tests\.\d+\.rule$|^certificate_type$|^age_grading\.|^childrens_product\.|^component_certificates\.\d+\.rules\./.test(
          path,
        ),
    )
    .map(([, value]) => value);

describe('text extracted from a certificate PDF', () => {
  it.each(names.filter(name => !['arabic', 'hebrew', 'replaced'].includes(name)))(
    'contains every value in the %s certificate, unchanged',
    async name => {
      const text = bare(await textOf(await pdfOf(name)));
      for (const value of printedValues(records[name]!)) expect(text).toContain(bare(value));
    },
  );

  it.each(['arabic', 'hebrew'])(
    'contains every word, number, and punctuation mark in the %s certificate',
    async name => {
      const text = bare(await textOf(await pdfOf(name)));
      for (const value of printedValues(records[name]!)) {
        // If a line is mostly right to left, PDFium reorders the whole line as right-to-left text and mirrors its
        // brackets.
        for (const word of value.split(/(?![\u0590-\u05ff])[\p{P}\s]+/u)) expect(text).toContain(bare(word));
        for (const mark of value.match(/[,،–]/g) ?? []) expect(text).toContain(mark);
      }
    },
  );

  it.each([
    ['chinese', 'zh'],
    ['traditional', 'zh'],
    // A value that contains Han characters but no kana is marked as Chinese.
    ['japanese', 'ja', 'zh'],
    ['korean', 'ko'],
    ['arabic', 'ar'],
    ['hebrew', 'he'],
    ['thai', 'th'],
    ['greek', 'el'],
    ['khmer', 'km'],
    ['tamil', 'ta'],
  ])('marks each non-English text run in the %s certificate with its language', async (name, ...languages) => {
    const document = await PDFDocument.load(await pdfOf(name));
    const content = utf8.decode(contentsOf(document.getPage(0).node.lookup(PDFName.of('Contents')) as PDFRawStream));
    const marked = new Set(Array.from(content.matchAll(/\/Span <<\/Lang \((\w+)\)>> BDC/g), ([, tag]) => tag!));
    expect([...marked]).toEqual(languages);
  });

  it.each(SECOND_LANGUAGES)(
    'contains every value, and each label in English followed by a translation that is marked as %s',
    async language => {
      const record = recordOf({ ...toyRequest, language });
      const pdf = await render(record, fonts);
      const text = bare(await textOf(pdf));
      for (const value of printedValues(record)) expect(text).toContain(bare(value));
      for (const message of ['1. Identification of the product covered by this certificate', 'Manufacturer'] as const)
        expect(text).toContain(bare(message + CATALOGS[language][message]));
      expect(text).toContain(bare(CATALOGS[language][AUTHORITATIVE.message]));
      for (const sentence of currentAttestation.sentences)
        expect(text).toContain(bare(sentence + CATALOGS[language][sentence as MessageText]));
      const document = await PDFDocument.load(pdf);
      const content = utf8.decode(contentsOf(document.getPage(0).node.lookup(PDFName.of('Contents')) as PDFRawStream));
      const marked = new Set(Array.from(content.matchAll(/\/Span <<\/Lang \((\w+)\)>> BDC/g), ([, tag]) => tag!));
      expect([...marked]).toEqual([language]);
    },
  );

  it('follows the order of the certificate’s headings', async () => {
    const text = bare(await textOf(await pdfOf('complete')));
    const order = [
      'Certificate ID',
      '1. Identification',
      'Road Bicycle Helmet',
      '2. Citation',
      'Bicycle helmets',
      '3. Identification',
    ]
      .concat([
        'Cascade Cycle Imports',
        '4. Contact',
        'Compliance manager',
        '5. Date',
        'Shenzhen Velo',
        '6. Date',
        '7. Identification',
      ])
      .concat(['Pacific Test', '8. Attestation', 'I hereby certify', 'I understand and acknowledge', 'Dana Whitfield']);
    let at = 0;
    for (const mark of order) {
      at = text.indexOf(bare(mark), at);
      expect(at, mark).toBeGreaterThan(0);
    }
  });

  it('shows unsupported characters as code points, and never as empty boxes', async () => {
    expect(await textOf(await pdfOf('replaced'))).toContain('Helmet [U+1F6B2] Å [U+20000]');
  });

  it('shows “DRAFT” and “Not provided” only if required values are missing', async () => {
    const draft = await textOf(await pdfOf('bare'));
    expect(draft).toContain('DRAFT.');
    expect(draft).toContain(
      'Certifier: not stated. For imported products, the U.S. importer must certify (16 CFR 1110.7).',
    );
    expect(draft).toContain('Not attested.');
    expect(draft.match(/Not provided/g)!.length).toBeGreaterThanOrEqual(records.bare!.completeness.missing.length);
    expect(await textOf(await pdfOf('complete'))).not.toMatch(/DRAFT|Not provided/);
  });

  it('never contains the importer number', async () => {
    expect(await textOf(await pdfOf('complete'))).not.toContain('98-7654321');
  });
});

/** Returns each page's text without spaces. */
async function pagesOf(request: object): Promise<string[]> {
  const document = await pdfium.loadDocument(await render(recordOf(request), fonts));
  const pages = [...document.pages()].map(page => bare(page.getText()));
  document.destroy();
  return pages;
}

const ATTESTATION = [
  '8.Attestation',
  'Iherebycertify',
  'Iunderstandandacknowledge',
  'Attestedby',
  'DirectorofCompliance',
];

describe('certificate page breaks', () => {
  it('keeps the attestation with the end of the preceding section, regardless of how many fields are filled in', async () => {
    const words = (most: number) => fc.integer({ min: 1, max: most }).map(count => 'word '.repeat(count).trim());
    const sizes = fc.record({
      rules: fc.integer({ min: 1, max: 70 }),
      description: words(80),
      address: words(90),
      tests: fc.integer({ min: 0, max: 30 }),
      labs: fc.integer({ min: 0, max: 20 }),
      supersedes: fc.boolean(),
      signature: fc.boolean(),
      number: fc.boolean(),
      paper: fc.constantFrom('letter', 'a4'),
      language: fc.constantFrom(undefined, ...SECOND_LANGUAGES),
    });
    await fc.assert(
      fc.asyncProperty(
        sizes,
        async ({ rules, description, address, tests, labs, supersedes, signature, number, paper, language }) => {
          const pages = await pagesOf({
            ...completeRequest,
            product_info: { ...completeRequest.product_info, description },
            testing_lab: { ...completeRequest.testing_lab, address },
            cpsc_rules_cited: Array.from({ length: rules }, (_, at) => `Rule ${at}`),
            tests: Array.from({ length: tests }, () => ({ rule_index: 0, test_date: '2026-08-30' })),
            other_labs: Array.from({ length: labs }, (_, at) => ({ name: `Laboratory ${at}`, address })),
            ...(supersedes && { supersedes: sampleContext.id }),
            ...(signature && { signature_block: {} }),
            ...(number && { certificate_number: 'CCI-2026-0417' }),
            paper,
            language,
          });
          const on = ATTESTATION.map(part => pages.findIndex(page => page.includes(part)));
          expect(new Set(on).size, String(on)).toBe(1);
          expect(on[0]).toBe(pages.length - 1);
          // The page also contains the end of section 7: the last laboratory's name or the fields that follow it.
          expect(pages[on[0]!]).toMatch(/(Laboratory|Address|Telephone|Accreditation|Reports).*8\.Attestation/);
          for (const [at, page] of pages.entries()) {
            // A heading is never left alone at the bottom of a page.
            expect(page).not.toMatch(/(citedabove|manufactured|depends)GeneralCertificateofConformity[-0-9a-f]+Page/);
            if (at > 0) {
              expect(page).toContain('RoadBicycleHelmet');
              expect(page).toContain(number ? 'CertificateCCI-2026-0417' : `Certificate${sampleContext.id}`);
            }
            expect(page).toContain(`Page${at + 1}of${pages.length}`);
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  it('keeps the attestation on one page, no matter where the preceding tables end', async () => {
    for (let count = 1; count <= 70; count += 3) {
      const rules = Array.from({ length: count }, (_, at) => `Rule ${at}`);
      const pages = await pagesOf({ ...completeRequest, cpsc_rules_cited: rules, tests: [] });
      const on = ATTESTATION.map(part => pages.findIndex(page => page.includes(part)));
      expect(new Set(on).size, `${count} rules: ${on}`).toBe(1);
    }
  });
});

describe('a certificate with its own number, a signature block, and a logo', () => {
  it('includes the certificate number, the signature and date lines, and the signer’s name', async () => {
    const text = bare(await textOf(await pdfOf('branded')));
    expect(text).toContain('Certificateno.CCI-2026-0417');
    expect(text).toContain('Signature:DanaWhitfield,DirectorofComplianceDate');
    expect(bare(await textOf(await pdfOf('complete')))).not.toMatch(/Signature|Certificateno/);
  });

  it('shortens a long product name at the top of the second page', async () => {
    const name = 'Helmet '.repeat(35).trim();
    const [, second] = await pagesOf({ ...sixtyRules, product_info: { ...sixtyRules.product_info, name } });
    expect(second).toMatch(/(Helmet)+…Certificate/);
  });

  it('contains the logo’s pixels but nothing else from the uploaded file', async () => {
    const { context } = await PDFDocument.load(await pdfOf('branded'));
    const images = context
      .enumerateIndirectObjects()
      .flatMap(([, object]) =>
        object instanceof PDFRawStream && object.dict.get(PDFName.of('Subtype'))?.toString() === '/Image'
          ? [object]
          : [],
      );
    expect(images).toHaveLength(1);
    expect(images[0]!.dict.has(PDFName.of('SMask'))).toBe(false);
    const { pixels } = readLogo(records.branded!.request.logo!.image);
    expect(Buffer.from(images[0]!.getContents()).equals(Buffer.from(pixels))).toBe(true);
  });
});

describe('a certificate with attached files', () => {
  const attached = recordOfAttached();

  it('embeds the attached files as associated files, with their names, types, and content', async () => {
    const document = await PDFDocument.load(await attached.pdf);
    const files = document.catalog.lookup(PDFName.of('AF'), PDFArray);
    const found = Array.from({ length: files.size() }, (_, at) => {
      const spec = files.lookup(at, PDFDict);
      const stream = spec.lookup(PDFName.of('EF'), PDFDict).lookup(PDFName.of('F')) as PDFRawStream;
      return {
        name: spec.lookup(PDFName.of('F'), PDFString).asString(),
        description: spec.lookup(PDFName.of('Desc'), PDFHexString).decodeText(),
        relationship: spec.get(PDFName.of('AFRelationship'))?.toString(),
        type: stream.dict.get(PDFName.of('Subtype'))?.toString(),
        content: Buffer.from(contentsOf(stream)),
      };
    });
    expect(found.slice(1)).toEqual([
      {
        ...{ name: '1-PTL-26-08817.pdf', description: 'PTL-26-08817.pdf', relationship: '/Supplement' },
        ...{ type: '/application#2Fpdf', content: Buffer.from(sampleAttachments[0]!.bytes) },
      },
      {
        ...{ name: '2-_1_.png', description: '样品照片 (1).png', relationship: '/Supplement' },
        ...{ type: '/image#2Fpng', content: Buffer.from(sampleAttachments[1]!.bytes) },
      },
    ]);
    const record = JSON.parse(found[0]!.content.toString());
    expect(record.attachments).toEqual(attached.record.attachments);
  });

  it('prints each file’s name and hash', async () => {
    const text = bare(await textOf(await attached.pdf));
    for (const { filename, sha256 } of attached.record.attachments!) {
      expect(text).toContain(bare(filename));
      expect(text).toContain(sha256);
    }
  });

  it('rejects files that don’t match the record', async () => {
    const [report, photo] = sampleAttachments;
    const mismatch = /don’t match the record/;
    await expect(render(attached.record, fonts)).rejects.toThrow(mismatch);
    await expect(render(attached.record, fonts, [photo!, report!])).rejects.toThrow(mismatch);
    await expect(render(records.complete!, fonts, sampleAttachments)).rejects.toThrow(mismatch);
  });
});

/** Returns the complete certificate with attached files. */
function recordOfAttached() {
  const record = certificate(completeRequest, { ...sampleContext, attachments: sampleAttachments });
  return { record, pdf: render(record, fonts, sampleAttachments) };
}

describe('a row taller than a page', () => {
  it('continues on the next page without losing any text', async () => {
    const name = '🚲'.repeat(250);
    const request = {
      ...SAMPLE_REQUEST,
      cpsc_rules_cited: [name],
      exclusions: [{ rule: name, basis: '🔥'.repeat(500) }],
    };
    const pdf = await render(
      recordOf({ ...request, product_info: { ...SAMPLE_REQUEST.product_info, description: name } }),
      fonts,
    );
    const text = bare(await textOf(pdf));
    expect(text.match(/\[U\+1F6B2\]/g)).toHaveLength(500);
    expect(text.match(/\[U\+1F525\]/g)).toHaveLength(500);
  });
});

describe('the QR code', () => {
  it.each(['complete', 'bare', 'sixty rules'])(
    'appears with the verification URL on the first page and the attestation page of the %s certificate',
    async name => {
      const document = await pdfium.loadDocument(await pdfOf(name));
      const found: string[] = [];
      const count = document.getPageCount();
      for (const page of document.pages()) {
        const { data, width, height } = await page.render({ scale: 2, render: 'bitmap' });
        const code = decodeQr(Uint8ClampedArray.from(data), width, height);
        if (code) found.push(code.data);
      }
      document.destroy();
      // The QR code is on the first page. If the attestation is on another page, the code is repeated there.
      expect(found).toEqual(Array(count === 1 ? 1 : 2).fill(sampleContext.verificationUrl));
    },
  );
});

const string = (value: PDFObject | undefined) => {
  if (value instanceof PDFHexString || value instanceof PDFString) return value.decodeText();
  throw new TypeError('not a string');
};
const utf8 = new TextDecoder();
const contentsOf = (stream: PDFRawStream) => decodePDFRawStream(stream).decode();

describe.each(names)('the %s PDF file', name => {
  const load = async () => PDFDocument.load(await pdfOf(name), { updateMetadata: false });

  it('declares PDF/A-3u and PDF/UA-1 conformance, a title, and a language', async () => {
    const { catalog } = await load();
    const xmp = utf8.decode((catalog.lookup(PDFName.of('Metadata')) as PDFRawStream).getContents());
    expect(xmp).toMatch(/<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>U</);
    expect(xmp).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(xmp).toContain(`${KINDS[certificateKind(records[name]!)].title} ${sampleContext.id}`);
    expect(string(catalog.lookup(PDFName.of('Lang')))).toBe('en-US');
    expect(catalog.lookup(PDFName.of('MarkInfo'), PDFDict).get(PDFName.of('Marked'))?.toString()).toBe('true');
    expect(
      catalog.lookup(PDFName.of('ViewerPreferences'), PDFDict).get(PDFName.of('DisplayDocTitle'))?.toString(),
    ).toBe('true');
    const intents = catalog.lookup(PDFName.of('OutputIntents'), PDFArray);
    expect(intents.lookup(0, PDFDict).has(PDFName.of('DestOutputProfile'))).toBe(true);
  });

  it('contains no active content', async () => {
    const { context } = await load();
    const forbidden = [
      'JS',
      'JavaScript',
      'AA',
      'OpenAction',
      'URI',
      'AcroForm',
      'Launch',
      'Encrypt',
      'RichMedia',
      'XFA',
    ];
    for (const [, object] of context.enumerateIndirectObjects()) {
      const dict = object instanceof PDFDict ? object : object instanceof PDFRawStream ? object.dict : null;
      for (const key of forbidden) expect(dict?.has(PDFName.of(key)) ?? false).toBe(false);
    }
  });

  it('contains every font as an embedded subset with a Unicode mapping', async () => {
    const { context } = await load();
    const dicts = context
      .enumerateIndirectObjects()
      .flatMap(([, object]) => (object instanceof PDFDict ? [object] : []));
    const typed = (type: string) => dicts.filter(dict => dict.get(PDFName.of('Subtype'))?.toString() === `/${type}`);
    expect(typed('Type0').length).toBeGreaterThan(0);
    for (const font of typed('Type0')) {
      expect(font.get(PDFName.of('BaseFont'))?.toString()).toMatch(/^\/[A-Z]{6}\+Noto/);
      expect(font.has(PDFName.of('ToUnicode'))).toBe(true);
    }
    expect(typed('Type1').concat(typed('TrueType'), typed('Type3'))).toEqual([]);
    for (const font of typed('CIDFontType2')) {
      expect(font.lookup(PDFName.of('FontDescriptor'), PDFDict).has(PDFName.of('FontFile2'))).toBe(true);
    }
  });

  it('contains the record as an attachment named gcc.json or cpc.json', async () => {
    const { catalog } = await load();
    const spec = catalog.lookup(PDFName.of('AF'), PDFArray).lookup(0, PDFDict);
    expect(string(spec.lookup(PDFName.of('UF')))).toBe(KINDS[certificateKind(records[name]!)].attachment);
    const file = spec.lookup(PDFName.of('EF'), PDFDict).lookup(PDFName.of('F')) as PDFRawStream;
    const attached = JSON.parse(utf8.decode(contentsOf(file)));
    const expected = JSON.parse(JSON.stringify(records[name]));
    delete expected.request.certifier?.importer_of_record_number;
    expect(attached).toEqual(expected);
    expect(JSON.stringify(attached)).not.toContain('98-7654321');
  });

  it('includes all tagged content in the structure tree and marks everything else as an artifact', async () => {
    const document = await load();
    const { catalog } = document;
    const tree = catalog.lookup(PDFName.of('StructTreeRoot'), PDFDict);
    const pageOf = new Map(document.getPages().map((page, at) => [page.ref, at]));
    const reached: string[] = [];
    const types: string[] = [];
    const visit = (element: PDFDict) => {
      types.push(element.get(PDFName.of('S'))!.toString().slice(1));
      if (types.at(-1) === 'Figure')
        expect(string(element.lookup(PDFName.of('Alt')))).toMatch(/^QR code for https:|^Cascade Cycle Imports$/);
      const kids = element.lookup(PDFName.of('K'), PDFArray);
      for (let at = 0; at < kids.size(); at++) {
        const kid = kids.lookup(at);
        // Content on the element's own page is referenced by its ID alone.
        const [mcid, owner] =
          kid instanceof PDFNumber ? [kid, element] : [(kid as PDFDict).get(PDFName.of('MCID')), kid as PDFDict];
        if (mcid instanceof PDFNumber) {
          const page = owner.get(PDFName.of('Pg'));
          expect(page).toBeInstanceOf(PDFRef);
          reached.push(`${pageOf.get(page as PDFRef)} ${mcid.asNumber()}`);
        } else visit(owner);
      }
    };
    visit(tree.lookup(PDFName.of('K'), PDFArray).lookup(0, PDFDict));
    expect(types.filter(type => type === 'H1')).toHaveLength(1);
    expect(types.filter(type => type === 'H2')).toHaveLength(8);

    const drawn: string[] = [];
    for (const [at, page] of document.getPages().entries()) {
      const content = utf8.decode(contentsOf(page.node.lookup(PDFName.of('Contents')) as PDFRawStream));
      expect(page.node.get(PDFName.of('Tabs'))?.toString()).toBe('/S');
      let open: string | null = null;
      for (const line of content.split('\n')) {
        const begin = /^\/(\w+) <<(?:\/MCID (\d+))?.*BDC$/.exec(line);
        if (begin) {
          expect(open).toBeNull();
          open = begin[1]!;
          expect(open === 'Artifact').toBe(begin[2] === undefined);
          if (begin[2] !== undefined) drawn.push(`${at} ${begin[2]}`);
        } else if (line === 'EMC') open = null;
        else expect(open, line).not.toBeNull();
      }
      expect(open).toBeNull();
    }
    expect(reached.toSorted()).toEqual(drawn.toSorted());
    expect(new Set(reached).size).toBe(reached.length);
  });
});

describe('certificate rendering', () => {
  it('produces identical bytes when rendered repeatedly, in parallel, or with newly opened fonts', async () => {
    for (const name of ['complete', 'arabic', 'japanese']) {
      const record = records[name]!;
      const first = await render(record, openFonts(loadFace));
      expect(await render(record, fonts)).toEqual(first);
      const fresh = openFonts(loadFace);
      for (const again of await Promise.all([1, 2, 3].map(() => render(record, fresh)))) expect(again).toEqual(first);
    }
  });

  it('uses the record’s paper size', async () => {
    const document = await PDFDocument.load(await render(recordOf({ ...completeRequest, paper: 'a4' }), fonts));
    expect(document.getPage(0).getSize()).toEqual({ width: 595.28, height: 841.89 });
    expect((await PDFDocument.load(await pdfOf('complete'))).getPage(0).getSize()).toEqual({ width: 612, height: 792 });
  });

  it('produces PDF files smaller than 40 kB for Latin text and 60 kB for Chinese text', async () => {
    expect((await pdfOf('latin')).length).toBeLessThan(40_000);
    expect((await pdfOf('chinese')).length).toBeLessThan(60_000);
  });

  it('throws the font loader’s error if a font can’t be loaded, and retries on the next call', async () => {
    let broken = true;
    const flaky = openFonts(face =>
      broken && face === 'thai' ? Promise.reject(new Error('no thai')) : loadFace(face),
    );
    await expect(render(records.thai!, flaky)).rejects.toThrow('no thai');
    broken = false;
    expect(await render(records.thai!, flaky)).toEqual(await pdfOf('thai'));
  });
});

describe('the tracking label sheet', () => {
  it('includes the manufacturer, the place and date of production, and the batch, but no QR code', async () => {
    const sheet = await renderTrackingLabel(records.toy!, fonts);
    const text = bare(await textOf(sheet));
    for (const part of ['Shenzhen Little Oak Co., Ltd.', 'Shenzhen, China', '2026-09-14', 'L2026-37', 'TR-12'])
      expect(text).toContain(bare(part));
    const { catalog } = await PDFDocument.load(sheet);
    const xmp = utf8.decode((catalog.lookup(PDFName.of('Metadata')) as PDFRawStream).getContents());
    expect(xmp).toContain(`Tracking label ${sampleContext.id}`);
  });

  it('shows “Not provided” if there is no batch, and can’t be rendered for a general certificate', async () => {
    const { lot_number: _, ...product } = toyRequest.product_info;
    const sheet = await renderTrackingLabel(recordOf({ ...toyRequest, product_info: product }), fonts);
    expect(await textOf(sheet)).toContain('Not provided');
    expect(() => renderTrackingLabel(records.complete!, fonts)).toThrow(RangeError);
  });
});
