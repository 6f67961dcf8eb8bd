import type { FuzzTarget } from '@compliance/fuzz';
import {
  checkLists,
  compareNomenclatures,
  formatHtsCode,
  loadNomenclature,
  lookup,
  type Nomenclature,
  NomenclatureError,
} from '../index.ts';

const AS_OF = '2026-11-21';
const row = (htsno: string, indent: number | string, description: string, more = {}) => ({
  ...{ htsno, indent, description },
  ...more,
});
const PARTS = [row('8541', '0', 'Semiconductor devices:'), row('8541.90.00', '1', 'Parts')];
const SCREWS = [
  row('7318', '0', 'Screws:'),
  row('', '1', 'Threaded articles:'),
  row('7318.15', '2', 'Other screws:'),
  row('7318.15.20', '3', 'Bolts'),
  row('7318.15.20.10', '4', 'Thin'),
  row('7318.15.20.61', 4, 'Thick'),
];
const WITH_CHAPTER_99 = [
  ...SCREWS,
  row('9903.82.02', '0', 'Except as provided in U.S. note 16', {
    ...{ general: 'The duty provided in the applicable subheading + 50%', special: '', other: '50%' },
  }),
  row('9903.99.01', '0', 'Articles of U.S. note 16', { general: 'No change' }),
];

/** Checks the invariants of an HTS edition. */
function checkEdition(hts: Nomenclature): void {
  for (const number of hts.numbers) {
    if (!/^(\d{8}|\d{10})$/.test(number)) throw new Error('has a number with an invalid length');
    for (let length = 4; length <= number.length; length += 2) {
      if (!hts.has(number.slice(0, length))) throw new Error('is missing a number or a shorter stem of it');
    }
    const described = hts.describe(number);
    if (!described?.every(text => typeof text === 'string')) throw new Error('has a number without a description');
  }
  if (hts.has('') || hts.has('731') || hts.describe('__proto__') !== null) throw new Error('has an invalid number');
  const { added, deleted } = compareNomenclatures(hts, hts);
  if (added.length + deleted.length > 0) throw new Error('reports differences from itself');

  const codes = hts.numbers.slice(0, 20).map(formatHtsCode);
  for (const { status, exists, description } of lookup(codes, { asOf: AS_OF, nomenclature: hts }).results) {
    if (status === 'invalid' ? exists !== 'unknown' : exists !== true)
      throw new Error('does not find one of its numbers');
    if (exists === true && !description) throw new Error('finds a number without a description');
  }
}

/** Checks the invariants of a comparison between two HTS editions. */
function checkComparison(older: Nomenclature, newer: Nomenclature): void {
  const { added, deleted } = compareNomenclatures(older, newer);
  const printed = (hts: Nomenclature) => new Set(hts.numbers.map(formatHtsCode));
  const [before, after] = [printed(older), printed(newer)];
  if (added.some(number => before.has(number) || !after.has(number)))
    throw new Error('adds a number that already existed');
  for (const { hts, successors } of deleted) {
    if (after.has(hts) || !before.has(hts)) throw new Error('deletes a number that still exists');
    if (successors.some(number => !added.includes(number))) throw new Error('returns a successor that is not new');
  }
  for (const numbers of [added, deleted.map(({ hts }) => hts)]) {
    if (new Set(numbers).size !== numbers.length) throw new Error('returns a number twice');
  }
}

/**
 * Fuzz target for HTS exports. The input is one export, or an object with two exports, such as
 * `{"older":[…],"newer":[…]}`.
 */
export default {
  covers: ['packages/core/src/tariff/nomenclature/', 'packages/core/src/tariff/history/check-lists.ts'],
  seeds: [SCREWS, WITH_CHAPTER_99, { older: PARTS, newer: [...PARTS, row('8541.90.00.10', '2', 'Of wafers')] }].map(
    value => JSON.stringify(value),
  ),
  words: ['7318.15.20.61', '7318.15.20.00', '7318.15', '7601', '9903.82.02', 'U.S. note 33', '25%', '__proto__', '99'],
  shape: 'json',
  maxLength: 6_000,
  holds(input) {
    const { older, newer = older } = editionsOf(JSON.parse(input));
    try {
      const [before, after] = [loadNomenclature(older, 'Older'), loadNomenclature(newer, 'Newer')];
      for (const hts of new Set([before, after])) checkEdition(hts);
      checkComparison(before, after);
      const { gone, differences } = checkLists(newer, 'Newer', { asOf: AS_OF });
      if (gone.some(({ hts }) => after.has(hts.replaceAll('.', ''))))
        throw new Error('reports an existing number as missing');
      if (gone.some(({ successors }) => successors.some(number => !after.has(number.replaceAll('.', '')))))
        throw new Error('returns a successor that does not exist');
      const missing = differences.filter(({ kind }) => kind === 'not_printed');
      if (missing.some(({ heading }) => after.numbers.includes(heading.replaceAll('.', ''))))
        throw new Error('reports an existing heading as missing');
    } catch (error) {
      if (!(error instanceof NomenclatureError)) throw error;
    }
  },
} satisfies FuzzTarget;

function editionsOf(value: unknown): { older?: unknown; newer?: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { older: value };
}
