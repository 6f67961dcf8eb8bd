import {
  type PDFContext,
  PDFDocument,
  PDFName,
  type PDFRef,
  type PDFStream,
  PDFStreamWriter,
  PDFWriter,
} from 'pdf-lib';
import { sha256Of } from '../attachments/attachments.ts';
import type { CertificateRecord } from '../record/certificate.ts';
import type { StoredLogo } from '../request/logo.ts';
import type { Face } from '../text/coverage.ts';
import type { Fonts, OpenFace } from '../text/fonts.ts';
import { openFaces, type TextInLanguage, type TextLine, toLines } from '../text/lines.ts';
import { CATALOGS, type Message, printedTexts } from '../translations/messages.ts';
import type { Conformance } from './conformance.ts';
import type { DocumentContent } from './content.ts';
import { drawDocument, LOGO_NAME } from './draw.ts';
import { EmbeddedFace } from './embed.ts';
import { Flow, HAIRLINE } from './flow.ts';
import type { Color, PdfPage } from './page.ts';
import { statusMark } from './status-mark.ts';
import { type StructureElement, writeStructure } from './structure.ts';

/** Paper widths and heights in points. */
const PAPER = { letter: [612, 792], a4: [595.28, 841.89] } as const;

/** Options for {@link Sheets.draw}: the paper size, the URL in the QR code, and the fonts. */
export interface DrawOptions {
  readonly paper: keyof typeof PAPER;
  readonly url: string | null;
  readonly fonts: Fonts;
}

/** Returns the options for drawing a record's content. */
export function drawOptions(
  content: DocumentContent,
  { request, verification_url }: CertificateRecord,
  fonts: Fonts,
): DrawOptions {
  return { paper: request.paper ?? 'letter', url: content.attestation ? verification_url : null, fonts };
}

/** The pages of a PDF document. Several certificates in one document share their fonts and logos. */
export class Sheets {
  readonly document: PDFDocument;
  /** References to the pages drawn so far. */
  readonly pages: PDFRef[] = [];
  readonly #faces = new Map<Face, OpenFace>();
  readonly #embedded = new Map<Face, EmbeddedFace>();
  readonly #logos = new Map<string, PDFRef>();
  /** Page resources for each call to `draw`, including the logo. */
  readonly #resources: { readonly ref: PDFRef; readonly logo: PDFRef | null }[] = [];

  private constructor(document: PDFDocument) {
    this.document = document;
  }

  /** Creates a document without pages. */
  static async create(): Promise<Sheets> {
    return new Sheets(await PDFDocument.create({ updateMetadata: false }));
  }

  /** Draws a certificate or a sheet on new pages, and returns its structure. */
  async draw(content: DocumentContent, { paper, url, fonts }: DrawOptions): Promise<StructureElement> {
    const [width, height] = PAPER[paper];
    const faces = await openFaces(textsOf(content), fonts);
    for (const [face, open] of faces) this.#faces.set(face, open);
    const first = this.pages.length;
    const embedFace = (face: Face) => this.#embed(face);
    const flow = new Flow({ width, height, margin: 40 }, faces, embedFace, { language: content.language, first });
    const root = drawDocument(flow, content, url);
    for (const [at, page] of flow.pages.entries()) drawFrame(page, at, flow, content, faces);

    const { context } = this.document;
    const resources = context.nextRef();
    this.#resources.push({ ref: resources, logo: content.logo && this.#logo(content.logo) });
    const mark = content.notice ? statusMark(content.notice.status, faces.get('sans-bold')!.font, width, height) : '';
    for (const page of flow.pages) {
      const sheet = this.document.addPage([width, height]);
      sheet.node.set(PDFName.of('Contents'), context.register(context.flateStream(`${mark}${page.content()}`)));
      sheet.node.set(PDFName.of('Resources'), resources);
      sheet.node.set(PDFName.of('StructParents'), context.obj(page.index));
      sheet.node.set(PDFName.of('Tabs'), PDFName.of('S'));
      this.pages.push(sheet.ref);
    }
    return root;
  }

  /** Writes the fonts and the structure. Call this method after drawing everything, and then add the metadata. */
  finish(root: StructureElement, conformance: Conformance): void {
    const { context, catalog } = this.document;
    for (const font of this.#embedded.values()) font.write(context, conformance);
    const fontRefs = Object.fromEntries([...this.#embedded.values()].map(font => [font.name, font.ref]));
    for (const { ref, logo } of this.#resources) {
      const images = logo ? { XObject: { [LOGO_NAME]: logo } } : {};
      context.assign(ref, context.obj({ Font: fontRefs, ...images }));
    }
    catalog.set(PDFName.of('StructTreeRoot'), writeStructure(context, root, this.pages));
    catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));
  }

  /**
   * Returns the finished file.
   *
   * @param compact whether to write object streams, which make the file smaller but take quadratic time to write
   */
  async save(compact: boolean): Promise<Uint8Array> {
    await this.document.flush();
    // Don't use `document.save`, because it would build the metadata a second time.
    const Writer = compact ? PDFStreamWriter : PDFWriter;
    return Writer.forContext(this.document.context, Number.POSITIVE_INFINITY).serializeToBuffer();
  }

  #embed(face: Face): EmbeddedFace {
    let font = this.#embedded.get(face);
    if (!font) {
      const name = `F${this.#embedded.size + 1}`;
      font = new EmbeddedFace(this.#faces.get(face)!, name, this.document.context.nextRef());
      this.#embedded.set(face, font);
    }
    return font;
  }

  #logo(logo: StoredLogo): PDFRef {
    const { context } = this.document;
    const key = sha256Of(logo.pixels);
    const ref = this.#logos.get(key) ?? context.register(imageOf(context, logo));
    this.#logos.set(key, ref);
    return ref;
  }
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

/** Yields all text that the font for the form's own English text might not cover. */
function* textsOf({ header, sections, attestation, reference, language }: DocumentContent): Iterable<TextInLanguage> {
  yield reference;
  // Every message in a catalog uses the same few fonts, so yield the whole catalog instead of only the messages on the
  // form.
  if (language !== null) for (const text of Object.values(CATALOGS[language])) yield { text, language };
  const fields = [...header];
  const contents: (string | Message | null)[] = [];
  for (const { blocks } of [...sections, ...(attestation ? [attestation] : [])]) {
    for (const block of blocks) {
      if (block.kind === 'fields' || block.kind === 'signature') fields.push(...block.fields);
      else if (block.kind === 'table') contents.push(...block.rows.flat());
    }
  }
  contents.push(...fields.map(({ value }) => value));
  for (const content of contents) if (content !== null) yield* printedTexts(content, language);
}

const QUIET: Color = [0.36, 0.4, 0.45];

/**
 * Draws the page number and, on pages after the first, the product name and certificate number or ID to identify the
 * page.
 */
function drawFrame(
  page: PdfPage,
  at: number,
  flow: Flow,
  content: DocumentContent,
  faces: ReadonlyMap<Face, OpenFace>,
): void {
  const { width, height, margin } = flow.sheet;
  const style = [7.5, QUIET] as const;
  const lines = (text: string, room: number) => toLines(text, room, 7.5, faces, false);
  const whole = (text: string) => lines(text, width)[0]!;
  const atRight = (line: TextLine, y: number) => page.text(line, width - margin - line.width, y, ...style);
  page.artifact('Footer', () => {
    page.text(whole(`${content.title} ${content.id}`), margin, margin - 20, ...style);
    atRight(whole(`Page ${at + 1} of ${flow.pages.length}`), margin - 20);
  });
  if (at === 0) return;
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
