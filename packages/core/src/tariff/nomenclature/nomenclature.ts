import { formatHtsCode, matchedDigits } from './hts-code.ts';

/** An HTS edition with its numbers and descriptions. */
export interface Nomenclature {
  /** The edition's name, such as `HTS 2026 Revision 10`, as passed to `loadNomenclature`. */
  readonly edition: string;
  /** All 8-digit and 10-digit numbers, written without dots and listed in schedule order without duplicates. */
  readonly numbers: readonly string[];
  /** Returns whether this edition contains a number that equals or starts with the given 4, 6, 8, or 10 digits. */
  has(digits: string): boolean;
  /** Returns the descriptions from the heading down to the number, or null if the number doesn't exist. */
  describe(digits: string): string[] | null;
  /**
   * Returns the rates for an HTS number, inherited from the nearest ancestor row if necessary, or null if the number
   * doesn't exist.
   */
  ratesOf(digits: string): PrintedRates | null;
}

/**
 * The ad valorem rates for an HTS number, as percentages. A rate is null if the export doesn't state an ad valorem
 * rate.
 */
export interface PrintedRates {
  readonly general_pct: number | null;
  /** Special rates by special program indicator, such as `KR`. */
  readonly special_pct: Readonly<Record<string, number>>;
  readonly column2_pct: number | null;
}

/**
 * Error thrown if a file isn't an HTS export, an extract of Chapter 99 headings, or the text of Chapter 99. For an
 * invalid row, the message includes the row number and the expected format.
 */
export class NomenclatureError extends TypeError {
  override name = 'NomenclatureError';
}

interface Row {
  description: string;
  rates: { general: string; special: string; other: string };
  parent: Row | null;
}

/**
 * Loads an HTS export published by the USITC as a JSON array of rows in schedule order. Only `htsno`, `indent`,
 * `description`, and the rates are used, and the hierarchy is rebuilt from the row order and indents. Headings and
 * subheadings without a row are also included, with the description that all their numbers share.
 *
 * @param officialExport the HTS export as parsed JSON
 * @param edition the edition's name, copied to lookup results
 * @throws NomenclatureError if the file isn't an HTS export
 * @example
 * const rows = [{ htsno: '7318.15.20.61', indent: '0', description: 'Bolts' }];
 * loadNomenclature(rows, 'HTS 2026 Revision 10').has('73181520') // true
 */
export function loadNomenclature(officialExport: unknown, edition: string): Nomenclature {
  if (!Array.isArray(officialExport)) {
    throw new NomenclatureError('An HTS export must be a JSON array of rows with htsno, indent, and description.');
  }
  const stems = new Map<string, Row | null>();
  const divided = new Set<string>();
  const printed = new Set<string>();
  const open: Row[] = [];
  officialExport.forEach((entry: unknown, index) => {
    const { digits, indent, description, rates } = readRow(entry, index);
    open.length = Math.min(open.length, indent);
    const parent = open.at(-1) ?? null;
    const row: Row = { description, rates, parent };
    open.push(row);
    if (digits === '') return;
    if (digits.length >= 8) printed.add(digits);
    if (digits.length === 10) divided.add(digits.slice(0, 8));
    for (let length = 4; length < digits.length; length += 2) {
      const stem = digits.slice(0, length);
      stems.set(stem, stems.has(stem) ? shared(stems.get(stem)!, open) : row);
    }
    stems.set(digits, row);
  });
  const numbers = [...printed];
  if (numbers.length === 0)
    throw new NomenclatureError("The export doesn't contain any 8-digit or 10-digit HTS numbers.");

  // An undivided subheading can also be written with the suffix 00, even if the export omits the suffix.
  const key = (digits: string) => (divided.has(digits.slice(0, 8)) ? digits : matchedDigits(digits));
  return {
    edition,
    numbers,
    has: digits => stems.has(key(digits)),
    describe: digits => (stems.has(key(digits)) ? chain(stems.get(key(digits))!) : null),
    ratesOf: digits => (stems.has(key(digits)) ? printedRates(stems.get(key(digits))!) : null),
  };
}

/** A number deleted in a newer HTS edition, with new numbers that might replace it. */
export interface DeletedNumber {
  hts: string;
  description: string[];
  /**
   * New numbers that share the most leading digits with the deleted number. These are candidates, not a legal
   * concordance.
   */
  successors: string[];
}

/**
 * Returns the numbers added and deleted between two HTS editions.
 *
 * @example
 * const older = loadNomenclature([{ htsno: '8541.90.00.00', indent: '0', description: 'Parts' }], 'HTS 2025 Basic');
 * const newer = loadNomenclature([{ htsno: '8541.90.00.10', indent: '0', description: 'Of wafers' }], 'HTS 2026 Basic');
 * compareNomenclatures(older, newer).deleted[0].successors // ['8541.90.00.10']
 */
export function compareNomenclatures(
  older: Nomenclature,
  newer: Nomenclature,
): { added: string[]; deleted: DeletedNumber[] } {
  const before = new Set(older.numbers);
  const after = new Set(newer.numbers);
  const added = newer.numbers.filter(number => !before.has(number));
  const addedUnder = new Map<string, string[]>();
  for (const number of added) {
    for (let length = 4; length < number.length; length += 2) {
      const stem = number.slice(0, length);
      addedUnder.set(stem, [...(addedUnder.get(stem) ?? []), formatHtsCode(number)]);
    }
  }
  const deleted = older.numbers
    .filter(number => !after.has(number))
    .map(number => {
      const stem = [8, 6, 4].map(length => number.slice(0, length)).find(digits => addedUnder.has(digits));
      return {
        hts: formatHtsCode(number),
        description: older.describe(number)!,
        successors: stem === undefined ? [] : addedUnder.get(stem)!,
      };
    });
  return { added: added.map(formatHtsCode), deleted };
}

function readRow(
  entry: unknown,
  index: number,
): { digits: string; indent: number; description: string; rates: Row['rates'] } {
  const { htsno, indent, description, general, special, other } = (entry ?? {}) as Record<string, unknown>;
  if (typeof htsno !== 'string' || !/^(\d{4}(\.\d\d){0,3})?$/.test(htsno)) {
    throw new NomenclatureError(`Row ${index}: htsno must be empty or a number such as 7318.15.20.61.`);
  }
  if (!(typeof indent === 'string' || typeof indent === 'number') || !/^\d{1,2}$/.test(`${indent}`)) {
    throw new NomenclatureError(`Row ${index}: indent must be a whole number from 0 to 99.`);
  }
  if (typeof description !== 'string') throw new NomenclatureError(`Row ${index}: description must be a string.`);
  const text = (rate: unknown) => (typeof rate === 'string' ? rate.trim() : '');
  const rates = { general: text(general), special: text(special), other: text(other) };
  return { digits: htsno.replaceAll('.', ''), indent: Number(indent), description: description.trim(), rates };
}

/**
 * Returns the rates in the given row or, if the row doesn't state a column 1 rate, in the nearest ancestor row that
 * does.
 */
function printedRates(row: Row | null): PrintedRates {
  let current = row;
  while (current && current.rates.general === '') current = current.parent;
  const { general, special, other } = current?.rates ?? { general: '', special: '', other: '' };
  const special_pct: Record<string, number> = {};
  // Special rates have a format such as `Free (A,AU,BH) 2.1% (KR)`.
  for (const [, rate, indicators] of special.matchAll(/(Free|\d+(?:\.\d+)?%)\s*\(([^)]*)\)/g)) {
    for (const indicator of indicators!.split(',')) special_pct[indicator.trim()] = adValorem(rate!)!;
  }
  return { general_pct: adValorem(general), special_pct, column2_pct: adValorem(other) };
}

/** Returns an ad valorem rate as a percentage, or null for a specific or compound rate. */
function adValorem(rate: string): number | null {
  if (/^Free$/i.test(rate)) return 0;
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(rate)?.[1];
  return percent === undefined ? null : Number(percent);
}

/** Returns the deepest row in `open` that is the given row or one of its ancestors. */
function shared(row: Row | null, open: readonly Row[]): Row | null {
  let current = row;
  while (current && !open.includes(current)) current = current.parent;
  return current;
}

function chain(row: Row | null): string[] {
  const descriptions: string[] = [];
  for (let current = row; current; current = current.parent) descriptions.unshift(current.description);
  return descriptions;
}
