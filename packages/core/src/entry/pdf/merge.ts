import { strToU8 } from 'fflate';
import { type PDFDocument, PDFHexString, PDFName, PDFNull, type PDFRef } from 'pdf-lib';
import { sha256Of } from '../attachments/attachments.ts';
import type { CertificateRecord } from '../record/certificate.ts';
import type { Fonts } from '../text/fonts.ts';
import { contentOf } from './document.ts';
import { convertToPdfA3, setInformation } from './metadata.ts';
import { drawOptions, Sheets } from './sheets.ts';
import { StructureElement } from './structure.ts';

/** Maximum number of certificates in a merged file. The limit keeps memory use below 300 MB. */
export const MAX_MERGED = 200;

/**
 * Combines several certificates in one tagged PDF/A-3u and PDF/UA-1 file, for printing or reviewing them together. The
 * pages are identical to those in the certificates' own files, and each certificate has a bookmark. The merged file
 * can't be verified and doesn't contain the records or attachments, so keep the certificates' own files. The same
 * records and package version always produce the same bytes.
 *
 * @param records 1 to {@link MAX_MERGED} certificates
 * @param fonts a font set from `openFonts`
 * @throws RangeError if there are no records or too many records, or Error if a required font can't be loaded
 * @example const pdf = await renderMerged(records, fonts);
 */
export async function renderMerged(records: readonly CertificateRecord[], fonts: Fonts): Promise<Uint8Array> {
  if (records.length === 0 || records.length > MAX_MERGED)
    throw new RangeError(`a merged file can contain 1 to ${MAX_MERGED} certificates`);
  const sheets = await Sheets.create();
  const root = new StructureElement('Document');
  const bookmarks: Bookmark[] = [];
  for (const record of records) {
    const content = contentOf(record);
    const page = sheets.pages.length;
    const { kids } = await sheets.draw(content, drawOptions(content, record, fonts));
    root.add('Part').kids.push(...kids);
    bookmarks.push({ title: `${content.product} · ${content.reference}`, page: sheets.pages[page]! });
  }
  sheets.finish(root, 'PDF/A-3u');
  addBookmarks(sheets.document, bookmarks);
  const ids = records.map(({ id }) => id.toLowerCase()).join(' ');
  const latest = records
    .map(({ issued_at }) => issued_at)
    .sort()
    .at(-1)!;
  setInformation(sheets.document, {
    id: sha256Of(strToU8(ids)).slice(0, 32),
    title: `Copies of ${records.length} certificates`,
    author: null,
    subject: 'Certificate copies for printing',
    date: new Date(latest),
  });
  convertToPdfA3(sheets.document);
  return await sheets.save(false);
}

/** A bookmark that opens a page. */
interface Bookmark {
  readonly title: string;
  readonly page: PDFRef;
}

/** Adds a flat list of bookmarks (ISO 32000-1, 12.3.3). */
function addBookmarks({ catalog, context }: PDFDocument, bookmarks: readonly Bookmark[]): void {
  const outline = context.nextRef();
  const refs = bookmarks.map(() => context.nextRef());
  for (const [at, { title, page }] of bookmarks.entries()) {
    const item = context.obj({ Title: PDFHexString.fromText(title), Parent: outline });
    item.set(PDFName.of('Dest'), context.obj([page, PDFName.of('XYZ'), PDFNull, PDFNull, PDFNull]));
    if (at > 0) item.set(PDFName.of('Prev'), refs[at - 1]!);
    if (at < refs.length - 1) item.set(PDFName.of('Next'), refs[at + 1]!);
    context.assign(refs[at]!, item);
  }
  context.assign(outline, context.obj({ Type: 'Outlines', First: refs[0]!, Last: refs.at(-1)!, Count: refs.length }));
  catalog.set(PDFName.of('Outlines'), outline);
}
