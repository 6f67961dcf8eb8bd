import type { Label } from './layout.ts';
import { labelPdf } from './pdf.ts';
import { labelSvg } from './svg.ts';
import { labelZpl } from './zpl.ts';

/**
 * Functions that write a label's file, by file format. SVG and ZPL files are text, and PDF files are bytes.
 *
 * @example LABEL_WRITERS.zpl(await layOutLabel(record, { size: 'carton', dpi: 203 }, fonts)) // '^XA…^XZ\n'
 */
export const LABEL_WRITERS = { svg: labelSvg, zpl: labelZpl, pdf: labelPdf } as const satisfies Readonly<
  Record<string, (label: Label) => string | Promise<Uint8Array>>
>;

/** File format of a label. */
export type LabelFileFormat = keyof typeof LABEL_WRITERS;
