import { formatHtsCode, matchedDigits } from './hts-code.ts';

/** One edition of the HTS: which numbers exist, and what they describe. */
export interface Nomenclature {
  /** The name it was loaded with, such as `HTS 2026 Revision 10`. */
  readonly edition: string;
  /** The digits of every number of 8 or 10 digits, each once, in schedule order. */
  readonly numbers: readonly string[];
  /** Whether digits (4, 6, 8 or 10) are a number of this edition, or the stem of one. */
  has(digits: string): boolean;
  /** The descriptions from heading to number; null if there is no such number. */
  describe(digits: string): string[] | null;
}

/** Thrown when a file is no export of the HTS. The message names the row and says what was expected. */
export class NomenclatureError extends TypeError {
  override name = 'NomenclatureError';
}

interface Row {
  description: string;
  parent: Row | null;
}

/**
 * Reads an export of the HTS as the USITC publishes it: a JSON array of rows in schedule order, of which `htsno`, `indent`
 * and `description` are used. The tree is rebuilt from order and indent. Headings and subheadings without a row of their
 * own exist here like any other; they take the description that all of their numbers share.
 *
 * @param officialExport the parsed JSON
 * @param edition its name, repeated in answers
 * @throws NomenclatureError when it is no such export
 * @example
 * const rows = [{ htsno: '7318.15.20.61', indent: '0', description: 'Bolts' }];
 * loadNomenclature(rows, 'HTS 2026 Revision 10').has('73181520') // true
 */
export function loadNomenclature(officialExport: unknown, edition: string): Nomenclature {
  if (!Array.isArray(officialExport)) {
    throw new NomenclatureError('An HTS export is a JSON array of rows with htsno, indent and description.');
  }
  const stems = new Map<string, Row | null>();
  const divided = new Set<string>();
  const printed = new Set<string>();
  const open: Row[] = [];
  officialExport.forEach((entry: unknown, index) => {
    const { digits, indent, description } = readRow(entry, index);
    open.length = Math.min(open.length, indent);
    const parent = open.at(-1) ?? null;
    const row: Row = { description, parent };
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
  if (numbers.length === 0) throw new NomenclatureError('The export has no number of 8 or 10 digits.');

  // A subheading that is not divided is also written with the suffix 00, whether or not the export prints it.
  const key = (digits: string) => (divided.has(digits.slice(0, 8)) ? digits : matchedDigits(digits));
  return {
    edition,
    numbers,
    has: digits => stems.has(key(digits)),
    describe: digits => (stems.has(key(digits)) ? chain(stems.get(key(digits))!) : null),
  };
}

/** A number that an edition of the HTS no longer has, with the new numbers that stand in its place. */
export interface DeletedNumber {
  hts: string;
  description: string[];
  /** New numbers under the longest stem that has any: candidates, not a legal concordance. */
  successors: string[];
}

/**
 * What became of the numbers between two editions of the HTS.
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

function readRow(entry: unknown, index: number): { digits: string; indent: number; description: string } {
  const { htsno, indent, description } = (entry ?? {}) as Record<string, unknown>;
  if (typeof htsno !== 'string' || !/^(\d{4}(\.\d\d){0,3})?$/.test(htsno)) {
    throw new NomenclatureError(`Row ${index}: htsno must be empty or a number such as 7318.15.20.61.`);
  }
  if (!(typeof indent === 'string' || typeof indent === 'number') || !/^\d{1,2}$/.test(`${indent}`)) {
    throw new NomenclatureError(`Row ${index}: indent must be a whole number from 0 to 99.`);
  }
  if (typeof description !== 'string') throw new NomenclatureError(`Row ${index}: description must be a text.`);
  return { digits: htsno.replaceAll('.', ''), indent: Number(indent), description: description.trim() };
}

/** The deepest of the open rows that a row is, or is under. */
function shared(row: Row | null, open: readonly Row[]): Row | null {
  let at = row;
  while (at && !open.includes(at)) at = at.parent;
  return at;
}

function chain(row: Row | null): string[] {
  const descriptions: string[] = [];
  for (let at = row; at; at = at.parent) descriptions.unshift(at.description);
  return descriptions;
}
