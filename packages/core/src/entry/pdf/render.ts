import {
  type PDFContext,
  PDFDocument,
  PDFName,
  type PDFRef,
  type PDFStream,
  PDFStreamWriter,
  PDFWriter,
} from 'pdf-lib';
import type { CertificateRecord } from '../record/certificate.ts';
import type { StoredLogo } from '../request/logo.ts';
import type { Face } from '../text/coverage.ts';
import type { Fonts, OpenFace } from '../text/fonts.ts';
import { openFaces, type TextLine, toLines } from '../text/lines.ts';
import type { Conformance } from './conformance.ts';
import type { DocumentContent } from './content.ts';
import { contentOf } from './document.ts';
import { drawDocument, LOGO_NAME } from './draw.ts';
import { EmbeddedFace } from './embed.ts';
import { Flow, HAIRLINE } from './flow.ts';
import { addMetadata } from './metadata.ts';
import type { Color, PdfPage } from './page.ts';
import { statusMark } from './status-mark.ts';
import { writeStructure } from './structure.ts';
import { trackingLabelOf } from './tracking-label.ts';

/** Paper widths and heights in points. */
const PAPER = { letter: [612, 792], a4: [595.28, 841.89] } as const;

/**
 * Renders a certificate as a tagged PDF/A-3u and PDF/UA-1 file. The file contains embedded font subsets and the record
 * as `gcc.json` or `cpc.json`, but no active content. The output, including the paper size, depends only on the record. The same
 * record and package version always produce the same bytes.
 *
 * @param fonts a font set from `openFonts`. You can reuse the same font set for several calls.
 * @throws Error if a required font can't be loaded.
 * @example const pdf = await render(record, fonts);
 */
export function render(record: CertificateRecord, fonts: Fonts): Promise<Uint8Array> {
  return renderAs('PDF/A-3u', record, fonts);
}

/**
 * Renders the tracking label sheet of a Children's Product Certificate, as a PDF file with the same properties as the
 * certificate. The sheet lists the information that permanent marks on the product and its packaging must contain.
 *
 * @throws RangeError if the record isn't a Children's Product Certificate, or Error if a required font can't be loaded
 * @example const sheet = await renderTrackingLabel(record, fonts);
 */
export function renderTrackingLabel(record: CertificateRecord, fonts: Fonts): Promise<Uint8Array> {
  return renderContent(trackingLabelOf(record), 'PDF/A-3u', record, fonts);
}

/**
 * Renders a certificate in the same way as {@link render}, but at any conformance level. Validators that support only
 * PDF/A-1b can then check the same pages, fonts, and colors.
 */
export function renderAs(conformance: Conformance, record: CertificateRecord, fonts: Fonts): Promise<Uint8Array> {
  return renderContent(contentOf(record), conformance, record, fonts);
}

async function renderContent(
  content: DocumentContent,
  conformance: Conformance,
  record: CertificateRecord,
  fonts: Fonts,
): Promise<Uint8Array> {
  const [width, height] = PAPER[record.request.paper ?? 'letter'];
  const faces = await openFaces(textsOf(content), fonts);
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;

  const embedded = new Map<Face, EmbeddedFace>();
  const embedFace = (face: Face) => {
    let font = embedded.get(face);
    if (!font) {
      font = new EmbeddedFace(faces.get(face)!, `F${embedded.size + 1}`, context.nextRef());
      embedded.set(face, font);
    }
    return font;
  };

  const flow = new Flow({ width, height, margin: 40 }, faces, embedFace);
  const root = drawDocument(flow, content, content.attestation ? record.verification_url : null);
  for (const page of flow.pages) drawFrame(page, flow, content, faces);

  const resources = context.nextRef();
  const mark = content.notice ? statusMark(content.notice.status, faces.get('sans-bold')!.font, width, height) : '';
  const pages: PDFRef[] = flow.pages.map((page, index) => {
    const sheet = document.addPage([width, height]);
    sheet.node.set(PDFName.of('Contents'), context.register(context.flateStream(`${mark}${page.content()}`)));
    sheet.node.set(PDFName.of('Resources'), resources);
    sheet.node.set(PDFName.of('StructParents'), context.obj(index));
    sheet.node.set(PDFName.of('Tabs'), PDFName.of('S'));
    return sheet.ref;
  });
  for (const font of embedded.values()) font.write(context, conformance);
  const fontRefs = Object.fromEntries([...embedded.values()].map(font => [font.name, font.ref]));
  const images = content.logo ? { XObject: { [LOGO_NAME]: context.register(imageOf(context, content.logo)) } } : {};
  context.assign(resources, context.obj({ Font: fontRefs, ...images }));
  document.catalog.set(PDFName.of('StructTreeRoot'), writeStructure(context, root, pages));
  document.catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));

  await addMetadata(document, record, content.title, conformance);
  await document.flush();
  // Don't use `document.save`, because it would build the metadata a second time. PDF/A-1 forbids object streams.
  const Writer = conformance === 'PDF/A-1b' ? PDFWriter : PDFStreamWriter;
  return Writer.forContext(context, Number.POSITIVE_INFINITY).serializeToBuffer();
}

/** Returns a PDF image with the pixels of a re-encoded PNG. */
function imageOf(context: PDFContext, { width, height, pixels }: StoredLogo): PDFStream {
  return context.stream(pixels, {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: 'DeviceRGB',
    BitsPerComponent: 8,
    Filter: 'FlateDecode',
    DecodeParms: { Predictor: 15, Colors: 3, BitsPerComponent: 8, Columns: width },
  });
}

function* textsOf({ header, sections, attestation, reference }: DocumentContent): Iterable<string> {
  yield reference;
  const fields = [...header];
  for (const { blocks } of [...sections, ...(attestation ? [attestation] : [])]) {
    for (const block of blocks) {
      if (block.kind === 'fields' || block.kind === 'signature') fields.push(...block.fields);
      else if (block.kind === 'table') yield* block.rows.flat();
    }
  }
  for (const { value } of fields) if (value !== null) yield value;
}

const QUIET: Color = [0.36, 0.4, 0.45];

/** Draws the page number and, on pages after the first, the product name and certificate number or ID to identify the page. */
function drawFrame(page: PdfPage, flow: Flow, content: DocumentContent, faces: ReadonlyMap<Face, OpenFace>): void {
  const { width, height, margin } = flow.sheet;
  const style = [7.5, QUIET] as const;
  const lines = (text: string, room: number) => toLines(text, room, 7.5, faces, false);
  const whole = (text: string) => lines(text, width)[0]!;
  const atRight = (line: TextLine, y: number) => page.text(line, width - margin - line.width, y, ...style);
  page.artifact('Footer', () => {
    page.text(whole(`${content.title} ${content.id}`), margin, margin - 20, ...style);
    atRight(whole(`Page ${page.index + 1} of ${flow.pages.length}`), margin - 20);
  });
  if (page.index === 0) return;
  const y = height - margin - 7;
  const certificate = lines(content.reference, flow.width * 0.45)[0]!;
  const product = lines(content.product, flow.width - certificate.width - 24);
  page.artifact('Header', () => {
    page.text(product[0]!, margin, y, ...style);
    if (product.length > 1) page.text(whole('…'), margin + product[0]!.width + 2, y, ...style);
    atRight(certificate, y);
    page.fill(margin, y - 6, flow.width, 0.5, HAIRLINE);
  });
}
