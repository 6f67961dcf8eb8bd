import { loadFace } from '@compliance/fonts';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { PDFArray, PDFDict, PDFDocument, PDFName } from 'pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { sixtyRules } from '../samples/languages.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { openFonts } from '../text/fonts.ts';
import { type CertificateEnd, markEnded } from './mark.ts';
import { render } from './render.ts';

const SUCCESSOR = '8b1d2c3e-6b1d-4e0f-9c77-2a5d1e8b4f61';
const end = { at: '2027-03-01T09:00:00Z', verificationUrl: sampleContext.verificationUrl };
const superseded: CertificateEnd = { ...end, status: 'superseded', successor: SUCCESSOR };
const voided: CertificateEnd = { ...end, status: 'voided' };

const fonts = openFonts(loadFace);
let pdfium: PDFiumLibrary;
beforeAll(async () => {
  pdfium = await PDFiumLibrary.init();
});

const pdfOf = (request: object) => render(certificate(request, sampleContext), fonts);
async function textsOfPages(pdf: Uint8Array): Promise<string[]> {
  const document = await pdfium.loadDocument(pdf);
  const texts = [...document.pages()].map(page => page.getText());
  document.destroy();
  return texts;
}

describe('markEnded', () => {
  it.each([
    [
      'superseded',
      superseded,
      [`SUPERSEDED on 2027-03-01 by ${SUCCESSOR}.`, `current certificate at ${end.verificationUrl}`],
    ],
    ['voided', voided, ['VOIDED on 2027-03-01.', `reason at ${end.verificationUrl}`]],
  ] as const)('states on every page that the certificate was %s', async (_, how, sentences) => {
    const original = await pdfOf(sixtyRules);
    const texts = await textsOfPages(await markEnded(original, how, fonts));
    expect(texts).toHaveLength(3);
    const before = await textsOfPages(original);
    for (const [at, text] of texts.entries()) {
      for (const sentence of sentences) expect(text).toContain(sentence);
      // The rest of the page is unchanged.
      const words = before[at]!.split(/\s+/).filter(word => !text.includes(word));
      expect(words).toEqual([]);
    }
  });

  it('appends the mark to the original bytes without changing the input, and always produces the same output', async () => {
    const original = await pdfOf(completeRequest);
    const copy = original.slice();
    const marked = await markEnded(original, superseded, fonts);
    expect(original).toEqual(copy);
    expect(marked.subarray(0, original.length)).toEqual(original);
    expect(await markEnded(original, superseded, openFonts(loadFace))).toEqual(marked);
    expect(await markEnded(original, voided, fonts)).not.toEqual(marked);
  });

  it('adds the mark to the structure tree before the title, so that screen readers read it first', async () => {
    const { catalog, context } = await PDFDocument.load(await markEnded(await pdfOf(sixtyRules), voided, fonts));
    const tree = catalog.lookup(PDFName.of('StructTreeRoot'), PDFDict);
    const document = tree.lookup(PDFName.of('K'), PDFArray).lookup(0, PDFDict);
    const kids = document.lookup(PDFName.of('K'), PDFArray);
    const typeAt = (at: number) => kids.lookup(at, PDFDict).lookup(PDFName.of('S'), PDFName).asString();
    expect([typeAt(0), typeAt(1)]).toEqual(['/P', '/H1']);
    const mark = kids.lookup(0, PDFDict).lookup(PDFName.of('K'), PDFArray).lookup(0, PDFDict);
    const parents = tree
      .lookup(PDFName.of('ParentTree'), PDFDict)
      .lookup(PDFName.of('Nums'), PDFArray)
      .lookup(1, PDFArray);
    const mcid = Number(mark.get(PDFName.of('MCID'))?.toString());
    expect([mcid, context.lookup(parents.get(mcid))]).toEqual([parents.size() - 1, kids.lookup(0)]);
  });

  it('keeps a long verification URL inside the band', async () => {
    const verificationUrl = `https://compliance.example/${'a'.repeat(270)}`;
    const marked = await markEnded(await pdfOf(completeRequest), { ...voided, verificationUrl }, fonts);
    expect((await textsOfPages(marked))[0]).toContain(verificationUrl);
  });
});
