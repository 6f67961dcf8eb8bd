import type { ValueBasis } from '../dataset/dataset.ts';
import { NomenclatureError } from '../nomenclature/nomenclature.ts';

/** A heading in subchapter III of Chapter 99, as printed in an HTS edition. */
export interface PrintedHeading {
  heading: string;
  /** The heading's description, preceded by the descriptions of its ancestor rows. */
  text: string;
  /** Printed column 1 general, column 1 special, and column 2 rates. */
  general: string;
  special: string;
  other: string;
}

/** A row whose fields `loadNomenclature` has validated, apart from the rates. */
interface ExportRow {
  htsno: string;
  indent: string | number;
  description: string;
  general?: unknown;
  special?: unknown;
  other?: unknown;
}

/**
 * Returns the headings in subchapter III of Chapter 99 (9903) from an official HTS export that `loadNomenclature` has
 * validated.
 *
 * @throws NomenclatureError if the export has no headings in subchapter III of Chapter 99
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

/** Removes HTML tags and collapses whitespace. Returns an empty string if the value isn't a string. */
export function textOf(value: unknown): string {
  return typeof value === 'string'
    ? value
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim()
    : '';
}

/** A printed rate, parsed for comparison with the data set. */
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
 * Parses the printed rate of a Chapter 99 heading. Special program indicators after the rate are ignored. Returns null
 * if the wording isn't recognized.
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
