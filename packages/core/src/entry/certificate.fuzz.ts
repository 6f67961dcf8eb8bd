import { loadFace } from '@compliance/fonts';
import type { FuzzTarget } from '@compliance/fuzz';
import {
  type CertificateRecord,
  certificate,
  explain,
  InvalidRequest,
  ISSUE_CODES,
  openFonts,
  REGISTRY_COLUMNS,
  registryRow,
  render,
  WARNING_CODES,
} from './index.ts';
import { SAMPLE_REQUEST } from './request/sample.ts';
import { bunkBedRequest, pajamaRequest, toyRequest } from './samples/childrens.ts';
import { completeRequest, sampleContext } from './samples/requests.ts';

const fonts = openFonts(loadFace);
/**
 * On average, one in this many parsed inputs is also rendered as a PDF. Rendering takes a hundred times as long as
 * parsing.
 */
const DRAWN_OF = 64;
const MOST_PDF_BYTES = 4_000_000;

function holdsRefused({ issues, message }: InvalidRequest): void {
  if (issues.length === 0) throw new Error('request is rejected without an issue');
  for (const issue of issues) {
    if (!ISSUE_CODES.includes(issue.code)) throw new Error('issue code is not in ISSUE_CODES');
  }
  if (message.length > 100_000) throw new Error('error message is too long');
}

function holdsRecord(record: CertificateRecord): void {
  const again = certificate(JSON.parse(JSON.stringify(record.request)), sampleContext);
  if (JSON.stringify(again) !== JSON.stringify(record))
    throw new Error('record changes when its request is parsed again');
  if (record.certifying_party && 'importer_of_record_number' in record.certifying_party) {
    throw new Error('record shows the importer number');
  }
  for (const { code } of record.warnings) {
    if (!WARNING_CODES.includes(code)) throw new Error('warning code is not in WARNING_CODES');
  }
  if (explain(record).length === 0) throw new Error('explanation is empty');
  const cells = cellsOf(registryRow(record));
  if (cells.length !== REGISTRY_COLUMNS.length) throw new Error('row has the wrong number of columns');
  if (cells.some(cell => /^[=+\-@\t\r]/.test(cell) && !/^\+[\d\s().-]+$/.test(cell))) {
    throw new Error('row contains a spreadsheet formula');
  }
}

/** Parses one line of an RFC 4180 CSV file. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)) {
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
  }
  return cells;
}

export default {
  covers: ['packages/core/src/entry/'],
  seeds: [SAMPLE_REQUEST, completeRequest, toyRequest, pajamaRequest, bunkBedRequest].map(request =>
    JSON.stringify(request),
  ),
  words: [
    '__proto__',
    'constructor',
    '16 CFR 1203',
    '§ 1512',
    'ASTM F963-23',
    'US',
    'CN',
    '2026-11-21',
    '2028-02-29',
    '頭盔',
    'خوذة',
    'หมวก',
    '헬멧',
    'mũ',
  ],
  shape: 'json',
  maxLength: 20_000,
  async holds(input) {
    let record: CertificateRecord;
    try {
      record = certificate(JSON.parse(input), sampleContext);
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      return holdsRefused(error);
    }
    holdsRecord(record);
    if (input.length % DRAWN_OF !== 0) return;
    const pdf = await render(record, fonts);
    if (Buffer.from(pdf.subarray(0, 5)).toString() !== '%PDF-') throw new Error('output is not a PDF');
    if (pdf.length > MOST_PDF_BYTES) throw new Error('PDF is too large');
  },
} satisfies FuzzTarget;
