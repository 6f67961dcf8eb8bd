import { loadFace } from '@compliance/fonts';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream } from 'pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { toyRequest } from '../samples/childrens.ts';
import { brandedRequest, sampleAttachments, sampleContext } from '../samples/requests.ts';
import { openFonts } from '../text/fonts.ts';
import { MAX_MERGED, renderMerged } from './merge.ts';
import { render } from './render.ts';

const fonts = openFonts(loadFace);
const records = [
  certificate(brandedRequest, { ...sampleContext, attachments: sampleAttachments }),
  certificate({ ...toyRequest, language: 'ja', paper: 'a4' }, sampleContext),
  certificate(brandedRequest, { ...sampleContext, id: '8b1d2c3e-6b1d-4e0f-9c77-2a5d1e8b4f61' }),
];
let merged: Uint8Array;
let document: PDFDocument;
beforeAll(async () => {
  merged = await renderMerged(records, fonts);
  document = await PDFDocument.load(merged);
});

/** Renders each page and returns its pixels as base64. */
async function pixelsOf(pdf: Uint8Array): Promise<string[]> {
  const library = await PDFiumLibrary.init();
  const opened = await library.loadDocument(pdf);
  const pages: string[] = [];
  for (const page of opened.pages()) {
    const { data } = await page.render({ scale: 0.7, render: 'bitmap' });
    pages.push(Buffer.from(data).toString('base64'));
  }
  opened.destroy();
  library.destroy();
  return pages;
}

describe('renderMerged', () => {
  it('contains the same pages as the certificates’ own files, in order', async () => {
    const own: string[] = [];
    for (const [at, record] of records.entries())
      own.push(...(await pixelsOf(await render(record, fonts, at === 0 ? sampleAttachments : []))));
    const drawn = await pixelsOf(merged);
    expect(drawn).toHaveLength(own.length);
    for (const [at, page] of own.entries()) expect(drawn[at] === page, `page ${at + 1}`).toBe(true);
  });

  it('embeds each font and logo only once', () => {
    const objects = document.context.enumerateIndirectObjects().map(([, object]) => object);
    const images = objects.filter(
      object => object instanceof PDFRawStream && object.dict.get(PDFName.of('Subtype'))?.toString() === '/Image',
    );
    const fontNames = objects.flatMap(object =>
      object instanceof PDFDict && object.get(PDFName.of('Subtype'))?.toString() === '/Type0'
        ? [object.get(PDFName.of('BaseFont'))!.toString().replace(/^.*\+/, '')]
        : [],
    );
    expect([images.length, new Set(fontNames).size]).toEqual([1, fontNames.length]);
  });

  it('contains a tagged part and a bookmark for each certificate', () => {
    const tree = document.catalog.lookup(PDFName.of('StructTreeRoot'), PDFDict).lookup(PDFName.of('K'), PDFArray);
    const parts = tree.lookup(0, PDFDict).lookup(PDFName.of('K'), PDFArray);
    expect(
      Array.from({ length: parts.size() }, (_, at) => parts.lookup(at, PDFDict).get(PDFName.of('S'))?.toString()),
    ).toEqual(['/Part', '/Part', '/Part']);
    const bookmarks: [string, number][] = [];
    const pages = document.getPages().map(({ ref }) => ref);
    let item = document.catalog.lookup(PDFName.of('Outlines'), PDFDict).lookupMaybe(PDFName.of('First'), PDFDict);
    for (; item; item = item.lookupMaybe(PDFName.of('Next'), PDFDict)) {
      const [page] = item.lookup(PDFName.of('Dest'), PDFArray).asArray();
      bookmarks.push([item.lookup(PDFName.of('Title'), PDFHexString).decodeText(), pages.indexOf(page as never)]);
    }
    expect(bookmarks).toEqual([
      ['Road Bicycle Helmet · Certificate CCI-2026-0417', 0],
      [`Painted wooden train set · Certificate ${sampleContext.id}`, 2],
      ['Road Bicycle Helmet · Certificate CCI-2026-0417', 4],
    ]);
  });

  it('produces the same bytes each time', async () => {
    expect(Buffer.compare(await renderMerged(records, fonts), merged)).toBe(0);
  });

  it('rejects an empty certificate list and a list longer than the maximum', async () => {
    await expect(renderMerged([], fonts)).rejects.toThrow(RangeError);
    await expect(renderMerged(Array(MAX_MERGED + 1).fill(records[0]), fonts)).rejects.toThrow('1 to 200');
  });
});
