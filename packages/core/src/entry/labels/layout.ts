import { encodeQR } from 'qr';
import { certificateKind, KINDS } from '../kinds/kinds.ts';
import type { CertificateRecord } from '../record/certificate.ts';
import { type CertificateStatus, initialStatus } from '../record/status.ts';
import { printedDate } from '../request/period.ts';
import type { Fonts } from '../text/fonts.ts';
import { type Faces, openFaces, type TextLine, toLines } from '../text/lines.ts';

/** Label stock sizes in inches: for the product or its packaging, and for the shipping carton. */
export const LABEL_SIZES = { product: [2, 1], carton: [4, 3] } as const;

/** Resolutions of thermal printers, in dots per inch. */
export const LABEL_RESOLUTIONS = [203, 300] as const;

/** A label's stock size and the printer's resolution. */
export interface LabelFormat {
  readonly size: keyof typeof LABEL_SIZES;
  readonly dpi: (typeof LABEL_RESOLUTIONS)[number];
}

/** A line of text whose baseline starts at (`x`, `y`). Lengths are in dots. */
interface LabelText {
  readonly text: string;
  readonly bold: boolean;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly line: TextLine;
}

/**
 * A label on the printer's dot grid, with the origin in the upper-left corner. All lengths are whole dots, so printers
 * don't have to scale the label. In `modules`, true represents a dark module of the QR code.
 */
export interface Label {
  readonly dpi: LabelFormat['dpi'];
  readonly width: number;
  readonly height: number;
  /** The QR code with the verification page URL, or null if the certificate isn't published. */
  readonly qr: {
    readonly url: string;
    readonly x: number;
    readonly y: number;
    /** Width of a module, in dots. */
    readonly module: number;
    readonly modules: readonly (readonly boolean[])[];
  } | null;
  readonly texts: readonly LabelText[];
  readonly title: string;
  readonly faces: Faces;
}

/** Minimum width of a QR code module, in inches. Phones can't read smaller modules reliably. */
const MIN_MODULE = 0.013;
/** Maximum width of a module, in inches. */
const MAX_MODULE = 0.04;
/** Width of the quiet zone, in modules (ISO/IEC 18004). */
const QUIET = 4;
/** Space around the text and minimum text size, in inches. A size of 0.07 inches is 5 points. */
const MARGIN = 0.05;
const MIN_TEXT = 0.07;

interface LabelField {
  readonly text: string;
  /** Size relative to the body text. */
  readonly size: number;
  /** Bold text must be ASCII, because the bold font isn't opened for shaping. */
  readonly bold?: boolean;
  readonly most: number;
  /** Whether the label must contain the field. Other fields are omitted if they don't fit. */
  readonly required?: boolean;
  /** Whether to print only the first lines if the whole text doesn't fit. */
  readonly shortens?: boolean;
}

/**
 * Lays out a label with a certificate's unique identifier and a QR code that contains the verification page URL. The
 * identifier must be on the product, its carton, or, for an imported product, the invoice. If the certificate isn't
 * complete, the label starts with the status, so that the label isn't put on products by mistake.
 *
 * Source: 16 CFR 1110.9(c), as amended effective 2026-07-08.
 *
 * @param status the certificate's current status; defaults to the status at the time of issue
 * @throws RangeError if the QR code or the identifier doesn't fit on the label, or Error if a required font can't be
 * loaded
 * @example labelZpl(await layOutLabel(record, { size: 'carton', dpi: 203 }, fonts)) // '^XA…^XZ\n'
 */
export async function layOutLabel(
  record: CertificateRecord,
  { size, dpi }: LabelFormat,
  fonts: Fonts,
  status: CertificateStatus = initialStatus(record),
): Promise<Label> {
  const [width, height] = LABEL_SIZES[size].map(inches => Math.floor(inches * dpi)) as [number, number];
  const fields = fieldsOf(record, status);
  const faces = await openFaces(
    fields.map(({ text }) => text),
    fonts,
  );
  const margin = Math.round(MARGIN * dpi);
  const qr = record.verification_url === null ? null : placeQr(record.verification_url, { width, height, dpi });
  const left = qr ? qr.x + (qr.modules.length + QUIET) * qr.module : margin;
  const space = { left, top: margin, width: width - left - margin, height: height - 2 * margin };
  const texts = placeTexts(fields, space, Math.round(MIN_TEXT * dpi), faces);
  const title = `${KINDS[certificateKind(record)].title} ${record.id}`;
  return { dpi, width, height, qr, texts, title, faces };
}

function fieldsOf(
  { id, request, certifying_party, ...record }: CertificateRecord,
  status: CertificateStatus,
): LabelField[] {
  const { product_info: product, certificate_number: number } = request;
  const identifiers = [
    ...(product.model === undefined ? [] : [`Model ${product.model}`]),
    ...(product.sku === undefined ? [] : [`SKU ${product.sku}`]),
    ...(product.gtin === undefined ? [] : [`GTIN ${product.gtin}`]),
    ...(product.lot_number === undefined ? [] : [`Lot ${product.lot_number}`]),
  ];
  const optional = (text: string | undefined, size = 1) => (text ? [{ text, size, most: 1 }] : []);
  return [
    ...(status === 'complete' ? [] : [{ text: status.toUpperCase(), size: 1.5, bold: true, most: 1, required: true }]),
    { text: product.name, size: 1.5, most: 2, required: true, shortens: true },
    ...optional(identifiers.slice(0, 2).join(' · ')),
    ...optional(identifiers.slice(2).join(' · ')),
    { text: KINDS[certificateKind({ ...record })].title, size: 1, most: 2 },
    // Break the identifier after a hyphen, so that no group of digits is split.
    { text: id.slice(0, 19), size: 1.15, bold: true, most: 1, required: true },
    { text: id.slice(19), size: 1.15, bold: true, most: 1, required: true },
    ...optional(number === undefined ? undefined : `Certificate no. ${number}`),
    ...optional(`Made in ${product.place_of_manufacture}, ${printedDate(product.date_of_manufacture)}`),
    ...optional(certifying_party?.name),
  ];
}

function placeQr(url: string, { width, height, dpi }: { width: number; height: number; dpi: number }): Label['qr'] {
  // The library draws a border of at least one module.
  const modules = encodeQR(url, 'raw', { ecc: 'medium', border: 1 })
    .slice(1, -1)
    .map(line => line.slice(1, -1));
  const across = modules.length + 2 * QUIET;
  const most = Math.floor(Math.min(height, width / 2) / across);
  const module = Math.min(most, Math.floor(MAX_MODULE * dpi));
  if (module < MIN_MODULE * dpi)
    throw new RangeError('the verification page URL is too long for a QR code on this label; use a larger label');
  return { url, x: QUIET * module, y: Math.floor((height - modules.length * module) / 2), module, modules };
}

interface Space {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Stacks the fields at the largest text size that fits. If they don't fit at the smallest size, omits optional fields.
 */
function placeTexts(fields: readonly LabelField[], space: Space, minimum: number, faces: Faces): LabelText[] {
  for (let shown = [...fields]; ; ) {
    for (let size = Math.floor(space.height / 8); size >= minimum; size--) {
      const texts = placeAt(shown, size, space, faces);
      if (texts) return texts;
    }
    const last = shown.findLastIndex(({ required }) => !required);
    if (last < 0) {
      const texts = placeAt(shown, minimum, space, faces, true);
      if (texts) return texts;
      throw new RangeError('the certificate’s identifier doesn’t fit on this label; use a larger label');
    }
    shown = shown.toSpliced(last, 1);
  }
}

/**
 * Places the fields at the given text size, or returns null if they don't fit. If `shortening` is true, shortens the
 * fields that can be shortened.
 */
function placeAt(
  fields: readonly LabelField[],
  body: number,
  { left, top, width, height }: Space,
  faces: Faces,
  shortening = false,
): LabelText[] | null {
  const texts: LabelText[] = [];
  let y = top;
  for (const { text, size: factor, bold = false, most, shortens = false } of fields) {
    const size = Math.round(body * factor);
    let lines = toLines(text, width, size, faces, bold);
    if (shortening && shortens) lines = lines.slice(0, most);
    if (lines.length > most || lines.some(line => line.width > width)) return null;
    for (const line of lines) {
      const shown = line.runs.flatMap(({ shaped }) => shaped.glyphs.map(glyph => glyph.text)).join('');
      texts.push({ text: shown, bold, x: left, y: y + Math.round(0.95 * size), size, line });
      y += Math.ceil((line.tall ? 1.5 : 1.25) * size);
    }
    if (y > top + height) return null;
    y += Math.round(0.15 * size);
  }
  const down = Math.max(0, Math.floor((top + height - y) / 2));
  return texts.map(placed => ({ ...placed, y: placed.y + down }));
}

/** Returns the dark areas of a QR code as rectangles, in dots. */
export function darkRuns({ x, y, module, modules }: NonNullable<Label['qr']>) {
  return modules.flatMap((line, row) => {
    const runs: { x: number; y: number; width: number; height: number }[] = [];
    for (let from = 0; from < line.length; from++) {
      let to = from;
      while (line[to]) to++;
      if (to === from) continue;
      runs.push({ x: x + from * module, y: y + row * module, width: (to - from) * module, height: module });
      from = to;
    }
    return runs;
  });
}
