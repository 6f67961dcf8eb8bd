import { PDFDocument, PDFName, type PDFRef } from 'pdf-lib';
import type { CertificateRecord } from '../record/certificate.ts';
import type { Face } from '../text/coverage.ts';
import type { Fonts, OpenFace } from '../text/fonts.ts';
import { openFaces, toLines } from '../text/lines.ts';
import { contentOf, type DocumentContent } from './document.ts';
import { draftMark } from './draft.ts';
import { drawDocument } from './draw.ts';
import { EmbeddedFace } from './embed.ts';
import { Flow } from './flow.ts';
import { addMetadata, type Conformance } from './metadata.ts';
import type { Color, PdfPage } from './page.ts';
import { writeStructure } from './structure.ts';

/** Paper widths and heights in points. */
const PAPER = { letter: [612, 792], a4: [595.28, 841.89] } as const;

/**
 * Renders a certificate as a tagged PDF/A-3u and PDF/UA-1 file. The file contains embedded font subsets and the record
 * as `gcc.json`, but no active content. The output, including the paper size, depends only on the record. The same
 * record and package version always produce the same bytes.
 *
 * @param fonts a font set from `openFonts`. You can reuse the same set for several calls.
 * @throws Error if a required font can't be loaded.
 * @example const pdf = await render(record, fonts);
 */
export function render(record: CertificateRecord, fonts: Fonts): Promise<Uint8Array> {
  return renderAs('PDF/A-3u', record, fonts);
}

/**
 * Renders a certificate in the same way as {@link render}, but at any conformance level. Validators that support only
 * PDF/A-1b can then check the same pages, fonts, and colors.
 */
export async function renderAs(conformance: Conformance, record: CertificateRecord, fonts: Fonts): Promise<Uint8Array> {
  const [width, height] = PAPER[record.request.paper ?? 'letter'];
  const content = contentOf(record);
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
  const root = drawDocument(flow, content, record.verification_url);
  for (const page of flow.pages) drawFooter(page, flow, record, faces);

  const resources = context.nextRef();
  const mark = content.draft === null ? '' : draftMark(faces.get('sans-bold')!.font, width, height);
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
  context.assign(resources, context.obj({ Font: fontRefs }));
  document.catalog.set(PDFName.of('StructTreeRoot'), writeStructure(context, root, pages));
  document.catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));

  await addMetadata(document, record, conformance);
  return document.save({
    useObjectStreams: conformance !== 'PDF/A-1b',
    objectsPerTick: Number.POSITIVE_INFINITY,
    updateFieldAppearances: false,
    addDefaultPage: false,
  });
}

function* textsOf({ header, sections, attestation }: DocumentContent): Iterable<string> {
  const fields = [...header];
  for (const { blocks } of [...sections, attestation]) {
    for (const block of blocks) {
      if (block.kind === 'fields') fields.push(...block.fields);
      else if (block.kind === 'table') yield* block.rows.flat();
    }
  }
  for (const { value } of fields) if (value !== null) yield value;
}

const QUIET: Color = [0.36, 0.4, 0.45];

function drawFooter(page: PdfPage, flow: Flow, record: CertificateRecord, faces: ReadonlyMap<Face, OpenFace>): void {
  const { width, margin } = flow.sheet;
  const style = [7.5, QUIET] as const;
  const line = (text: string) => toLines(text, width, 7.5, faces, false)[0]!;
  const left = line(`General Certificate of Conformity ${record.id}`);
  const right = line(`Page ${page.index + 1} of ${flow.pages.length}`);
  page.artifact('Footer', () => {
    page.text(left, margin, margin - 20, ...style);
    page.text(right, width - margin - right.width, margin - 20, ...style);
  });
}
