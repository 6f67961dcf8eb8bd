import { ParseSpeeds, PDFArray, PDFDict, PDFDocument, PDFName, type PDFObject, type PDFRef } from 'pdf-lib';
import type { Face } from '../text/coverage.ts';
import type { Fonts } from '../text/fonts.ts';
import { toLines } from '../text/lines.ts';
import { EmbeddedFace } from './embed.ts';
import { setFileVersion, versionOfTime } from './file-identifier.ts';
import { type Color, PdfPage } from './page.ts';
import { StructureElement } from './structure.ts';

/**
 * The status of a superseded or voided certificate, the time when it changed (RFC 3339, UTC), and the verification page
 * URL.
 */
export type CertificateEnd = { at: string; verificationUrl: string } & (
  | { status: 'voided' }
  | { status: 'superseded' /** ID of the certificate that supersedes this one. */; successor: string }
);

const RED: Color = [0.7, 0.09, 0.09];
const WHITE: Color = [1, 1, 1];
/** Distances, in points, from the paper's edge to the band and from the band's edge to the text. */
const EDGE = 12;
const PAD = 8;
const BAND_HEIGHT = 26;
/** Width, in points, of the strip along the first page's right edge that's left blank for the QR code's quiet zone. */
const QR_COLUMN = 134;

/**
 * Marks every page of a certificate PDF as superseded or voided, with a band in the upper margin. The marked file is
 * the original file followed by an incremental update (ISO 32000-1, 7.5.6), so the SHA-256 hash of the original bytes
 * doesn't change. The marked file is still tagged and conforms to PDF/A-3u and PDF/UA-1, and screen readers read the
 * mark first. The same arguments and package version always produce the same bytes.
 *
 * @param pdf a file from {@link render}. The file isn't modified.
 * @param fonts a font set from `openFonts`
 * @throws Error if the file isn't a tagged PDF from this package, or if a font can't be loaded
 * @example
 * const marked = await markEnded(pdf, { status: 'voided', at: '2027-03-01T09:00:00Z', verificationUrl }, fonts);
 * marked.subarray(0, pdf.length); // the original file
 */
export async function markEnded(pdf: Uint8Array, end: CertificateEnd, fonts: Fonts): Promise<Uint8Array> {
  const document = await PDFDocument.load(pdf, {
    ...{ updateMetadata: false, forIncrementalUpdate: true, parseSpeed: ParseSpeeds.Fastest },
  });
  const { context, catalog } = document;
  const changed = context.snapshot!;
  const open = await Promise.all((['sans-bold', 'sans'] as const).map(face => fonts.open(face)));
  const faces = new Map(open.map(each => [each.face, each]));
  const embedded = new Map<Face, EmbeddedFace>(
    open.map((each, at) => [each.face, new EmbeddedFace(each, `M${at + 1}`, context.nextRef())]),
  );

  const paragraph = new StructureElement('P');
  const marksOfFirst = context.lookup(parentsOf(catalog, 0), PDFArray);
  const sheets = document.getPages();
  for (const [at, sheet] of sheets.entries()) {
    const page = new PdfPage(at, face => embedded.get(face)!, at === 0 ? marksOfFirst.size() : 0);
    const draw = () => drawBand(page, sheet.getSize(), end, faces);
    if (at === 0) page.mark(paragraph, draw);
    else page.artifact('Header', draw);
    const contents = sheet.node.get(PDFName.of('Contents'))!;
    sheet.node.set(
      PDFName.of('Contents'),
      context.obj([contents, context.register(context.flateStream(page.content()))]),
    );
    changed.markRefForSave(sheet.ref);
  }
  tagFirst(document, paragraph, sheets[0]!.ref);

  const resources = sheets[0]!.node.get(PDFName.of('Resources')) as PDFRef;
  const fontDict = context.lookup(resources, PDFDict).lookup(PDFName.of('Font'), PDFDict);
  for (const font of embedded.values()) {
    font.write(context, 'PDF/A-3u');
    fontDict.set(PDFName.of(font.name), font.ref);
  }
  changed.markRefForSave(resources);

  setFileVersion(context, end.status === 'superseded' ? end.successor.replaceAll('-', '') : versionOfTime(end.at));
  return document.save({ objectsPerTick: Number.POSITIVE_INFINITY });
}

function drawBand(
  page: PdfPage,
  { width, height }: { width: number; height: number },
  end: CertificateEnd,
  faces: ReadonlyMap<Face, Awaited<ReturnType<Fonts['open']>>>,
): void {
  const date = end.at.slice(0, 10);
  const [status, pointer] =
    end.status === 'voided'
      ? [`VOIDED on ${date}. This certificate isn’t in force.`, `See the reason at ${end.verificationUrl}`]
      : [`SUPERSEDED on ${date} by ${end.successor}.`, `Find the current certificate at ${end.verificationUrl}`];
  const bottom = height - EDGE - BAND_HEIGHT;
  const length = width - EDGE - (page.index === 0 ? QR_COLUMN : EDGE);
  page.fill(EDGE, bottom, length, BAND_HEIGHT, RED);
  const room = length - 2 * PAD;
  const put = (text: string, size: number, bold: boolean, y: number) => {
    const { width: natural } = toLines(text, Number.POSITIVE_INFINITY, size, faces, bold)[0]!;
    // If the text is too wide, for example because of a long URL, reduce the font size instead of wrapping the text.
    const fitted = size * Math.min(1, room / natural);
    page.text(toLines(text, Number.POSITIVE_INFINITY, fitted, faces, bold)[0]!, EDGE + PAD, y, fitted, WHITE);
  };
  put(status, 10, true, bottom + 15);
  put(pointer, 8, false, bottom + 5.5);
}

/** Returns a page's structure elements, indexed by marked-content ID. */
function parentsOf(catalog: PDFDict, page: number): PDFObject | undefined {
  const numbers = catalog
    .lookup(PDFName.of('StructTreeRoot'), PDFDict)
    .lookup(PDFName.of('ParentTree'), PDFDict)
    .lookup(PDFName.of('Nums'), PDFArray);
  return numbers.get(2 * page + 1);
}

/**
 * Adds an element to the structure tree as the first child of the `Document` element. Its marked content must be on the
 * first page.
 */
function tagFirst({ catalog, context }: PDFDocument, element: StructureElement, page: PDFRef): void {
  const root = catalog.lookup(PDFName.of('StructTreeRoot'), PDFDict).lookup(PDFName.of('K'), PDFArray).get(0) as PDFRef;
  const kids = element.kids.map(kid =>
    context.obj({ Type: 'MCR', Pg: page, MCID: (kid as { page: number; mcid: number }).mcid }),
  );
  const ref = context.register(context.obj({ Type: 'StructElem', S: element.type, P: root, K: kids }));
  context.lookup(root, PDFDict).lookup(PDFName.of('K'), PDFArray).insert(0, ref);
  const parents = parentsOf(catalog, 0) as PDFRef;
  context.lookup(parents, PDFArray).push(ref);
  context.snapshot!.markRefsForSave([root, parents]);
}
