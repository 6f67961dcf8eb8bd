import { encodeQR } from 'qr';
import { type Message, type PrintedText, printedTexts, type SecondLanguage } from '../translations/messages.ts';
import type { ContentBlock, DocumentContent, PdfField, PdfSection } from './content.ts';
import { type Flow, type FlowRow, heightOf, RUNNING_HEADER, type Style } from './flow.ts';
import type { Color, PdfPage } from './page.ts';
import { StructureElement } from './structure.ts';

const INK: Color = [0.09, 0.11, 0.14];
const QUIET: Color = [0.36, 0.4, 0.45];
const ALARM: Color = [0.7, 0.09, 0.09];
const BAND: Color = [0.93, 0.945, 0.96];
const AMBER: Color = [1, 0.95, 0.84];
/** Background color that hides the status watermark behind the QR code and its quiet zone. */
const PAPER_WHITE: Color = [1, 1, 1];

const VALUE: Style = { size: 8.6, color: INK };
const LABEL: Style = { size: 7.6, color: QUIET };
const GAP: Style = { size: 8.6, color: ALARM, bold: true };
const HEADING: Style = { size: 8.8, color: INK, bold: true, stacked: true };

/** Label widths in English and bilingual documents, in points. */
const LABEL_WIDTH = { english: 74, bilingual: 104 };
const QR_SIZE = 80;
/**
 * Distance from the attestation's heading to the QR code, in points. The distance keeps the QR code's quiet zone clear
 * of the heading.
 */
const QR_GAP = 10;
/** Space for a handwritten signature, in points. */
const SIGNATURE_GAP = 30;
/** Size of the logo box and its distance from the QR code, in points. The box is between the title and the QR code. */
const LOGO = { width: 112, height: 34, gap: 14 };
/** Maximum height, in points, of a section that isn't split across pages. */
const SHORT = 200;

const heightOfAll = (rows: readonly FlowRow[]) => rows.reduce((sum, row) => sum + heightOf(row), 0);

/**
 * Notice on bilingual documents. The required content must be in English, but other languages can be added (15 U.S.C.
 * 2063(g)(2), 16 CFR 1110.9(a)).
 */
export const AUTHORITATIVE = {
  message: 'Only the English text of this document is legally authoritative. The translation is for information only.',
} as const satisfies Message;

/** The logo's resource name on the first page. */
export const LOGO_NAME = 'Logo';

/** Lays out the document and returns its structure tree. */
export function drawDocument(flow: Flow, content: DocumentContent, verificationUrl: string | null): StructureElement {
  const root = new StructureElement('Document');
  drawHeader(flow, content, verificationUrl, root);
  for (const section of content.sections.slice(0, -1)) drawSection(flow, section, root);
  const last = content.sections.at(-1)!;
  if (content.attestation) drawEnd(flow, last, content.attestation, verificationUrl, root);
  else drawSection(flow, last, root);
  return root;
}

function drawHeader(flow: Flow, content: DocumentContent, url: string | null, root: StructureElement): void {
  const { margin } = flow.sheet;
  const width = flow.width - QR_SIZE - 18;
  const top = flow.y;
  const [title, translation] = printedTexts({ message: content.title }, content.language);
  const heading = root.add('H1');
  const line = (text: PrintedText, size: number) =>
    flow.cellOf([text], margin, width, { size, color: INK, bold: true }, heading);
  flow.set({ cells: [line(title!, 18)], gap: 0 });
  if (translation) flow.set({ cells: [line(translation, 12)], gap: 0 });
  flow.set({ cells: [flow.cell(content.subtitle, margin, width, LABEL, root.add('P'))], gap: 1 });
  flow.y -= 4;
  for (const row of fieldRows(flow, content.header, root, width)) flow.set(row);
  const edge = flow.sheet.width - margin - (url === null ? 0 : QR_SIZE + LOGO.gap);
  if (content.logo) drawLogo(flow.page, content.logo, edge, top, root);
  if (url !== null) drawQr(flow.page, url, flow.sheet.width - margin - QR_SIZE, top, root);
  if (url !== null || content.logo) flow.y = Math.min(flow.y, top - QR_SIZE);
  flow.y -= 4;
  if (content.language) {
    const cell = flow.cell(AUTHORITATIVE, margin, flow.width, { ...LABEL, bold: true }, root.add('P'));
    flow.set({ cells: [cell], gap: 0 });
  }
  if (content.notice) {
    const style = { size: 8.8, color: ALARM, bold: true };
    const [, incomplete] = printedTexts({ message: 'This is not a complete certificate.' }, content.language);
    const texts = [{ text: content.notice.text, language: null }, ...(incomplete ? [incomplete] : [])];
    flow.set({
      cells: [flow.cellOf(texts, margin + 6, flow.width - 12, style, root.add('P'))],
      gap: 4,
      tint: AMBER,
    });
  }
}

function drawSection(flow: Flow, section: PdfSection, root: StructureElement): void {
  const rows = sectionRows(flow, section, root, flow.width);
  const height = heightOfAll(rows);
  // Short sections aren't split. A long section keeps its heading on the same page as its first two rows.
  flow.keep(height < SHORT ? height : heightOfAll(rows.slice(0, 3)));
  for (const row of rows) flow.set(row);
}

/** Number of rows that stay with the attestation if the preceding section is too long to keep whole. */
const COMPANY = 3;

/**
 * Draws the last section and the attestation. The attestation isn't split across pages and never starts a page alone:
 * the preceding section, or the end of a long section, moves to the next page with the attestation. If the attestation
 * isn't on the first page, repeats the QR code next to it.
 */
function drawEnd(
  flow: Flow,
  last: PdfSection,
  attestation: PdfSection,
  url: string | null,
  root: StructureElement,
): void {
  const rows = sectionRows(flow, last, root, flow.width);
  const wide = new StructureElement('Document');
  const full = sectionRows(flow, attestation, wide, flow.width);
  const beside = new StructureElement('Document');
  const narrow = sectionRows(flow, attestation, beside, flow.width - QR_SIZE - 18);
  const drop = heightOf(narrow[0]!) + QR_GAP;
  const onNewPage = url === null ? heightOfAll(full) : Math.max(heightOfAll(narrow), QR_SIZE + drop);
  const needed = () => (flow.pages.length === 1 ? heightOfAll(full) : onNewPage);
  const room = flow.sheet.height - 2 * flow.sheet.margin - RUNNING_HEADER;
  // If a section fits on one page with the attestation, don't split the section. Otherwise, only the end of the section
  // is kept on the same page as the attestation.
  const split = heightOfAll(rows) + onNewPage <= room ? 0 : Math.max(0, rows.length - COMPANY);
  if (split > 0) flow.keep(heightOfAll(rows.slice(0, 3)));
  for (const row of rows.slice(0, split)) flow.set(row);
  const company = rows.slice(split);
  if (flow.free < heightOfAll(company) + needed()) flow.keep(heightOfAll(company) + onNewPage);
  for (const row of company) flow.set(row);
  if (flow.free < needed()) flow.keep(onNewPage);
  if (flow.pages.length === 1 || url === null) {
    root.kids.push(...wide.kids);
    for (const row of full) flow.set(row);
    return;
  }
  root.kids.push(...beside.kids);
  const { page, y: top } = flow;
  for (const row of narrow) flow.set(row);
  drawQr(page, url, flow.sheet.width - flow.sheet.margin - QR_SIZE, top - drop, root);
}

function sectionRows(flow: Flow, { heading, blocks }: PdfSection, root: StructureElement, width: number): FlowRow[] {
  const { margin } = flow.sheet;
  const title = flow.cell({ message: heading }, margin + 6, flow.width - 12, HEADING, root.add('H2'));
  const rows: FlowRow[] = [{ cells: [title], gap: 5, tint: BAND }];
  for (const [at, block] of blocks.entries()) {
    const [first, ...rest] = blockRows(flow, block, root, width);
    // Add space between a block of fields and the next block, such as a second laboratory or a table.
    const apart = blocks[at - 1]?.kind === 'fields' ? 3 : 0;
    if (first) rows.push({ ...first, gap: first.gap + apart }, ...rest);
  }
  return rows;
}

function blockRows(flow: Flow, block: ContentBlock, root: StructureElement, width: number): FlowRow[] {
  const x = flow.sheet.margin + 6;
  if (block.kind === 'paragraph') {
    return [{ cells: [flow.cell(block.text, x, width - 12, VALUE, root.add('P'))], gap: 2 }];
  }
  if (block.kind === 'signature') return signatureRows(flow, block, root, width);
  if (block.kind === 'fields') return fieldRows(flow, block.fields, root, width, 6);
  return tableRows(flow, block, root, width);
}

/** Draws labeled values in one or two columns. Two half-width fields share a row. */
function fieldRows(
  flow: Flow,
  fields: readonly PdfField[],
  root: StructureElement,
  width: number,
  indent = 0,
): FlowRow[] {
  const list = root.add('L');
  const left = flow.sheet.margin + indent;
  const inner = width - 2 * indent;
  const half = inner / 2;
  const labelWidth = flow.language === null ? LABEL_WIDTH.english : LABEL_WIDTH.bilingual;
  const rows: FlowRow[] = [];
  let open: FlowRow | null = null;
  for (const field of fields) {
    const second: boolean = open !== null && field.half === true;
    const x = second ? left + half + 6 : left;
    const room = (field.half ? half - 6 : inner) - labelWidth;
    const item = list.add('LI');
    const text = typeof field.label === 'string' ? { message: field.label } : field.label;
    const label = flow.cell(text, x, labelWidth - 6, LABEL, item.add('Lbl'));
    const body = item.add('LBody');
    const value = flow.cell(
      field.value ?? { message: 'Not provided' },
      x + labelWidth,
      room,
      field.value === null ? GAP : VALUE,
      body,
    );
    if (second && open) {
      open.cells = [...open.cells, label, value];
      open = null;
    } else {
      const row: FlowRow = { cells: [label, value], gap: 1 };
      rows.push(row);
      open = field.half ? row : null;
    }
  }
  return rows;
}

/** Draws a line for the signature with the signer's name below it, and a line for the date. */
function signatureRows(
  flow: Flow,
  { fields: [signature, date] }: Extract<ContentBlock, { kind: 'signature' }>,
  root: StructureElement,
  width: number,
): FlowRow[] {
  const left = flow.sheet.margin + 6;
  const split = 0.68 * (width - 12);
  const right = left + split + 12;
  const columns = [
    { x: left, width: split, texts: signatureTexts(signature, flow.language) },
    { x: right, width: width - 12 - split - 12, texts: signatureTexts(date, flow.language) },
  ];
  const cells = columns.map(column => flow.cellOf(column.texts, column.x, column.width, LABEL, root.add('P')));
  return [{ cells, gap: SIGNATURE_GAP, lines: columns }];
}

/** Returns the text below a signature line: the label, the signer's name if it's known, and the label's translation. */
function signatureTexts({ label, value }: PdfField, language: SecondLanguage | null): PrintedText[] {
  const [english, ...translation] = printedTexts(typeof label === 'string' ? { message: label } : label, language);
  const named = typeof value === 'string' ? `${english!.text}: ${value}` : english!.text;
  return [{ text: named, language: null }, ...translation];
}

function tableRows(
  flow: Flow,
  table: Extract<ContentBlock, { kind: 'table' }>,
  root: StructureElement,
  width: number,
): FlowRow[] {
  const element = root.add('Table');
  const inner = width - 12;
  const total = table.columns.reduce((sum, { share }) => sum + share, 0);
  let x = flow.sheet.margin + 6;
  const columns = table.columns.map(({ title, share }) => {
    const column = { title, x, width: (inner * share) / total - 8 };
    x += (inner * share) / total;
    return column;
  });
  const head = element.add('TR');
  const header: FlowRow = {
    cells: columns.map(column =>
      flow.cell({ message: column.title }, column.x, column.width, { ...LABEL, bold: true }, head.add('TH')),
    ),
    gap: 2,
    ruled: true,
  };
  const body = table.rows.map(texts => {
    const row = element.add('TR');
    const cells = texts.map((text, at) => {
      const cell = row.add('TD');
      return flow.cell(text, columns[at]!.x, columns[at]!.width, { ...VALUE, size: 8.2 }, cell);
    });
    return { cells, gap: 1, ruled: true, repeat: header };
  });
  return [header, ...body];
}

/** Draws the logo in a box whose upper-right corner is at (`right`, `top`). */
function drawLogo(
  page: PdfPage,
  logo: NonNullable<DocumentContent['logo']>,
  right: number,
  top: number,
  root: StructureElement,
): void {
  const scale = Math.min(LOGO.width / logo.width, LOGO.height / logo.height);
  const [width, height] = [logo.width * scale, logo.height * scale];
  const figure = root.add('Figure');
  figure.alt = logo.alt;
  figure.bounds = [right - width, top - height, right, top];
  page.mark(figure, () => page.image(LOGO_NAME, right - width, top - height, width, height));
}

function drawQr(page: PdfPage, url: string, x: number, top: number, root: StructureElement): void {
  // The library draws a border of at least one module.
  const data = encodeQR(url, 'raw', { ecc: 'medium', border: 1 }).slice(1, -1);
  const size = data.length;
  const figure = root.add('Figure');
  figure.alt = `QR code for ${url}`;
  figure.bounds = [x, top - QR_SIZE, x + QR_SIZE, top];
  // Each run of dark modules becomes one rectangle on an integer grid.
  const rectangles: string[] = [];
  for (const [line, modules] of data.entries()) {
    for (let from = 1; from <= size; from++) {
      let to = from;
      while (modules[to]) to++;
      if (to > from) rectangles.push(`${from - 1} ${size - 1 - line} ${to - from} 1 re`);
      from = Math.max(from, to);
    }
  }
  const scale = QR_SIZE / size;
  page.mark(figure, () => {
    page.fill(x - 4 * scale, top - QR_SIZE - 4 * scale, QR_SIZE + 8 * scale, QR_SIZE + 8 * scale, PAPER_WHITE);
    page.path(rectangles.join(' '), INK, [scale, 0, 0, scale, x, top - QR_SIZE]);
  });
}
