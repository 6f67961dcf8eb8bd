import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadFace } from '@compliance/fonts';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { create } from 'fontkit';
import { PDFDocument, PDFName } from 'pdf-lib';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { SAMPLE_REQUEST } from '../request/sample.ts';
import { pajamaRequest, sampleLabs, toyRequest } from '../samples/childrens.ts';
import { requestIn, scripts, sixtyRules } from '../samples/languages.ts';
import { brandedRequest, completeRequest, sampleAttachments, sampleContext } from '../samples/requests.ts';
import type { Face } from '../text/coverage.ts';
import { openFonts } from '../text/fonts.ts';
import { openFaces, type TextLine, toLines } from '../text/lines.ts';
import { SECOND_LANGUAGES } from '../translations/messages.ts';
import { EmbeddedFace } from './embed.ts';
import { PdfPage } from './page.ts';
import { render, renderTrackingLabel } from './render.ts';

const fonts = openFonts(loadFace);
let pdfium: PDFiumLibrary;
beforeAll(async () => {
  pdfium = await PDFiumLibrary.init();
});

/** Renders each PDF page as a PNG image. */
async function draw(pdf: Uint8Array, scale: number): Promise<PNG[]> {
  const document = await pdfium.loadDocument(pdf);
  const images: PNG[] = [];
  for (const page of document.pages()) {
    const { data, width, height } = await page.render({ scale, render: 'bitmap' });
    const image = new PNG({ width, height });
    image.data.set(data);
    images.push(image);
  }
  document.destroy();
  return images;
}

const inkOf = ({ data }: PNG) => {
  let ink = 0;
  for (let at = 0; at < data.length; at += 4) ink += 255 - data[at]!;
  return ink;
};

/** The parts of a fontkit font used in the comparison with our subsets. */
interface FullFont {
  readonly unitsPerEm: number;
  getGlyph(glyph: number): { readonly path: { readonly commands: { command: string; args: number[] }[] } };
}

/** Opens a full font with fontkit, which shares no code with our font subsetting. */
const fullFont = async (face: Face) => create(Buffer.from(await loadFace(face))) as unknown as FullFont;

/** Returns a fontkit outline as PDF operators. Converts quadratic curves to PDF's cubic curves. */
function outlineOf(commands: readonly { command: string; args: number[] }[]): string {
  let from = [0, 0];
  return commands
    .map(({ command, args }) => {
      const start = from;
      if (args.length > 0) from = args.slice(-2);
      if (command === 'moveTo') return `${args.join(' ')} m`;
      if (command === 'lineTo') return `${args.join(' ')} l`;
      if (command === 'closePath') return 'h';
      const control = (point: number[], axis: number) => point[axis]! + (2 / 3) * (args[axis]! - point[axis]!);
      return `${[control(start, 0), control(start, 1), control(from, 0), control(from, 1), ...from].join(' ')} c`;
    })
    .join(' ');
}

const SIZE = 30;

/** Draws a line of text on a page, either with an embedded subset or as outlines from the full font. */
async function oneLine(line: TextLine, how: 'subset' | 'outlines'): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const embedded = new Map<Face, EmbeddedFace>();
  const opened = new Map(await Promise.all(line.runs.map(async ({ face }) => [face, await fonts.open(face)] as const)));
  const page = new PdfPage(0, face => {
    const font = embedded.get(face) ?? new EmbeddedFace(opened.get(face)!, `F${embedded.size + 1}`, context.nextRef());
    embedded.set(face, font);
    return font;
  });
  if (how === 'subset') page.artifact('Layout', () => page.text(line, 20, 40, SIZE, [0, 0, 0]));
  else {
    for (const { x, face, shaped } of line.runs) {
      const font = await fullFont(face);
      const unit = SIZE / font.unitsPerEm;
      let pen = 0;
      for (const { parts, advance } of shaped.glyphs) {
        for (const part of parts) {
          const left = 20 + x + (pen * SIZE) / 1000 + part.x * unit;
          const place = [unit, 0, 0, unit, left, 40 + part.y * unit];
          const outline = outlineOf(font.getGlyph(part.id).path.commands);
          if (outline) page.path(`${place.map(value => value.toFixed(5)).join(' ')} cm ${outline}`, [0, 0, 0]);
        }
        pen += advance;
      }
    }
  }
  const sheet = document.addPage([40 + line.width, 100]);
  sheet.node.set(PDFName.of('Contents'), context.register(context.flateStream(page.content())));
  for (const font of embedded.values()) font.write(context, 'PDF/A-3u');
  const refs = Object.fromEntries([...embedded.values()].map(font => [font.name, font.ref]));
  sheet.node.set(PDFName.of('Resources'), context.obj({ Font: refs }));
  return document.save();
}

/** Sample text with combining marks that a font raises, lowers, or shifts. */
const marks = ['x\u0302 q\u0323\u0302 ẍ\u0323', 'مُحَمَّد', 'שָׁלוֹם', 'ที่นี่ ผู้ใหญ่'];

describe('a font subset', () => {
  it.each([...Object.entries(scripts), ['marks', marks] as const])(
    'draws the same pixels as the full font for %s',
    async (_, texts) => {
      for (const text of texts) {
        const faces = await openFaces([text], fonts);
        const line = toLines(text, 10_000, SIZE, faces, false)[0]!;
        const [subset] = await draw(await oneLine(line, 'subset'), 4);
        const [outlines] = await draw(await oneLine(line, 'outlines'), 4);
        const ratio = inkOf(subset!) / inkOf(outlines!);
        expect(ratio, text).toBeGreaterThan(0.99);
        expect(ratio, text).toBeLessThan(1.01);
        // The total amount of ink is the same even if a glyph is misplaced, so compare the pixels, too.
        const differing = pixelmatch(subset!.data, outlines!.data, undefined, subset!.width, subset!.height, {
          threshold: 0.3,
        });
        expect(differing / (subset!.width * subset!.height), text).toBeLessThan(0.002);
      }
    },
  );
});

/** Whether to redraw the golden images (`UPDATE=goldens`). Review the redrawn images before committing them. */
const update = process.env.UPDATE === 'goldens';
const folder = new URL('./goldens/', import.meta.url);

function expectGolden(name: string, image: PNG): void {
  const file = new URL(`${name}.png`, folder);
  const gray = PNG.sync.write(image, { colorType: 0, deflateLevel: 9 });
  if (update) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, gray);
  }
  expect(existsSync(file), `${name}.png exists`).toBe(true);
  const golden = PNG.sync.read(readFileSync(file));
  const drawn = PNG.sync.read(gray);
  expect([drawn.width, drawn.height]).toEqual([golden.width, golden.height]);
  expect(pixelmatch(drawn.data, golden.data, undefined, golden.width, golden.height, { threshold: 0.1 })).toBe(0);
}

describe('the PDF renderer', () => {
  it.each(['latin', 'vietnamese', 'chinese', 'korean', 'arabic', 'hebrew', 'thai', 'bengali', 'khmer'] as const)(
    'renders the %s certificate on one page that matches its golden image',
    async script => {
      const pages = await draw(await render(certificate(requestIn(script), sampleContext), fonts), 1.25);
      expect(pages).toHaveLength(1);
      expectGolden(script, pages[0]!);
    },
  );

  it('renders a certificate with sixty rules on three pages that match its golden images', async () => {
    const pages = await draw(await render(certificate(sixtyRules, sampleContext), fonts), 1);
    expect(pages).toHaveLength(3);
    for (const [at, page] of pages.entries()) expectGolden(`sixty-rules-${at + 1}`, page);
  });

  it('renders a Children’s Product Certificate and a tracking label sheet that match their golden images', async () => {
    const record = certificate(toyRequest, { ...sampleContext, acceptedLabs: sampleLabs });
    const pages = await draw(await render(record, fonts), 1.25);
    expect(pages).toHaveLength(2);
    for (const [at, page] of pages.entries()) expectGolden(`toy-${at + 1}`, page);
    const sheets = await draw(await renderTrackingLabel(record, fonts), 1.25);
    expect(sheets).toHaveLength(1);
    expectGolden('toy-tracking-label', sheets[0]!);
  });

  it('renders a Children’s Product Certificate without an accepted laboratory as a draft', async () => {
    const { cpsc_lab_id: _, ...lab } = pajamaRequest.testing_lab;
    const record = certificate({ ...pajamaRequest, testing_lab: lab }, sampleContext);
    const pages = await draw(await render(record, fonts), 1.25);
    for (const [at, page] of pages.entries()) expectGolden(`pajama-draft-${at + 1}`, page);
  });

  it.each(SECOND_LANGUAGES)(
    'renders a certificate in English and %s on two pages that match their golden images',
    async language => {
      const record = certificate({ ...toyRequest, language }, { ...sampleContext, acceptedLabs: sampleLabs });
      const pages = await draw(await render(record, fonts), 1.25);
      expect(pages).toHaveLength(2);
      for (const [at, page] of pages.entries()) expectGolden(`english-${language}-${at + 1}`, page);
    },
  );

  it('renders a bilingual draft with the missing values and the draft notice in both languages', async () => {
    const record = certificate({ ...SAMPLE_REQUEST, language: 'es' }, { ...sampleContext, verificationUrl: null });
    const pages = await draw(await render(record, fonts), 1.25);
    for (const [at, page] of pages.entries()) expectGolden(`english-es-draft-${at + 1}`, page);
  });

  it('renders a certificate with attached files as two pages, and matches the golden image of the first page', async () => {
    const record = certificate(completeRequest, { ...sampleContext, attachments: sampleAttachments });
    const pages = await draw(await render(record, fonts, sampleAttachments), 1.25);
    expect(pages).toHaveLength(2);
    expectGolden('attached-1', pages[0]!);
  });

  it('renders a certificate with a logo, a number, and a signature block as two pages that match their golden images', async () => {
    const pages = await draw(await render(certificate(brandedRequest, sampleContext), fonts), 1.25);
    expect(pages).toHaveLength(2);
    for (const [at, page] of pages.entries()) expectGolden(`branded-${at + 1}`, page);
  });
});
