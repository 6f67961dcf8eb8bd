import type { ValueBasis } from '../dataset/dataset.ts';
import { NomenclatureError } from '../nomenclature/nomenclature.ts';

/** A heading of subchapter III of Chapter 99 as an HTS edition prints it. */
export interface PrintedHeading {
  heading: string;
  /** The heading's description, preceded by the descriptions of the rows it's indented under. */
  text: string;
  /** Rate texts of column 1 general, column 1 special, and column 2. */
  general: string;
  special: string;
  other: string;
}

/** A row validated by `loadNomenclature`, except for its rates. */
interface ExportRow {
  htsno: string;
  indent: string | number;
  description: string;
  general?: unknown;
  special?: unknown;
  other?: unknown;
}

/**
 * Returns the headings of subchapter III of Chapter 99 (9903) in an official HTS export, validated by `loadNomenclature`.
 *
 * @throws NomenclatureError if the export has no such heading
 * @example
 * const rows = [{ htsno: '9903.82.02', indent: '0', description: 'Articles of steel', general: 'No change' }];
 * printedHeadings(rows)[0].general // 'No change'
 */
export function printedHeadings(officialExport: unknown): PrintedHeading[] {
  const open: string[] = [];
  const headings: PrintedHeading[] = [];
  for (const { htsno, indent, description, general, special, other } of officialExport as readonly ExportRow[]) {
    if (htsno !== '' && !htsno.startsWith('99')) {
      open.length = 0;
      continue;
    }
    open.length = Math.min(open.length, Number(indent));
    open.push(textOf(description));
    if (!htsno.startsWith('9903.')) continue;
    const text = open.join(' ');
    headings.push({ heading: htsno, text, general: textOf(general), special: textOf(special), other: textOf(other) });
  }
  if (headings.length === 0) {
    throw new NomenclatureError("The export doesn't contain Chapter 99 headings. Use an export of the entire HTS.");
  }
  return headings;
}

/** Returns a text without HTML tags and with single spaces. */
export function textOf(value: unknown): string {
  return typeof value === 'string'
    ? value
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim()
    : '';
}

/** A rate text in a form that can be compared. */
export type PrintedRate =
  | { type: 'additional'; pct: number; basis: ValueBasis }
  | { type: 'total'; pct: number }
  | { type: 'none' }
  | { type: 'blank' };

const CONTENT: Record<string, ValueBasis> = {
  steel: 'metal_content_value',
  aluminum: 'metal_content_value',
  copper: 'copper_content_value',
  'non-U.S.': 'non_us_content_value',
};
const SUBHEADING = 'The duty provided (?:for )?in ?the applicable subheading';
const ADDITIONAL = new RegExp(
  `^${SUBHEADING} ?(?:\\+|plus) ?(?:a duty of )?(\\d+(?:\\.\\d+)?) ?%(?: upon the value of the (\\S+) content)?$`,
  'i',
);
const NONE = new RegExp(`^(?:No change|Free|${SUBHEADING})$`, 'i');

/**
 * Parses a rate text of a Chapter 99 heading. The special program indicators after a rate aren't part of the result. Returns
 * null for any other wording.
 *
 * @example parsePrintedRate('The duty provided in the applicable subheading + 25%') // { type: 'additional', pct: 25, … }
 * @example parsePrintedRate('The duty provided in the applicable subheading less 5%') // null
 */
export function parsePrintedRate(text: string): PrintedRate | null {
  const rate = text.replace(/ ?\([A-Z+*, ]+\)$/, '').replace(/\.$/, '');
  if (rate === '') return { type: 'blank' };
  if (NONE.test(rate)) return { type: 'none' };
  const whole = /^(\d+(?:\.\d+)?) ?%$/.exec(rate)?.[1];
  if (whole !== undefined) return { type: 'total', pct: Number(whole) };
  const [, pct, content] = ADDITIONAL.exec(rate) ?? [];
  if (pct === undefined) return null;
  const basis = content === undefined ? 'full_customs_value' : CONTENT[content];
  return basis === undefined ? null : { type: 'additional', pct: Number(pct), basis };
}
