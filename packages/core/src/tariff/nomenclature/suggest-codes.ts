import { formatHtsCode } from './hts-code.ts';
import { type InvalidCode, invalidDigits, readMessyCode } from './messy-code.ts';
import type { Nomenclature } from './nomenclature.ts';

/** Maximum number of suggested codes. */
export const MAX_SUGGESTIONS = 5;

const DIGITS = [...'0123456789'];

/**
 * Suggests possible corrections for an invalid code, in HTS format. For example, a correction can be the submitted code
 * with a leading zero. With an HTS export, only codes in the export are suggested. Without an export, the suggested
 * codes might not exist. Returns an empty array for a valid code and for text that doesn't resemble a code.
 *
 * @example suggestCodes('302.11') // ['0302.11']
 */
export function suggestCodes(text: string, nomenclature?: Nomenclature): string[] {
  const read = readMessyCode(text);
  if ('digits' in read) return [];
  if (!nomenclature) return read.possible.slice(0, MAX_SUGGESTIONS).map(formatHtsCode);
  const exists = (digits: string) => invalidDigits(digits) === null && nomenclature.has(digits);
  if (read.range) return fewest(numbersBetween(read.range, nomenclature)).map(formatHtsCode);
  const shortened = (length: number) => read.possible.map(digits => digits.slice(0, length));
  const steps = [read.possible, shortened(8), appended(read), edited(read), shortened(6), shortened(4)];
  for (const step of steps) {
    const likely = [...new Set(step)].filter(exists);
    if (likely.length > 0) return fewest(likely).map(formatHtsCode);
  }
  return [];
}

/** Returns all codes that result from appending a missing digit. */
function appended({ reason, present }: InvalidCode): string[] {
  return reason === 'length' && present.length > 4 ? DIGITS.map(digit => present + digit) : [];
}

/** Returns all codes that result from inserting a missing digit or removing an extra digit. */
function edited({ reason, present }: InvalidCode): string[] {
  const places = Array.from(present, (_, place) => place);
  if (reason === 'length' && present.length > 4) {
    return places.flatMap(place => DIGITS.map(digit => present.slice(0, place) + digit + present.slice(place)));
  }
  if (reason === 'too_long' && present.length === 11) {
    return places.map(place => present.slice(0, place) + present.slice(place + 1));
  }
  return [];
}

const sortedNumbers = new WeakMap<Nomenclature, string[]>();

/** Returns the export's numbers, padded to 10 digits, that are at least `low` and less than `high`. */
function numbersBetween([low, high]: readonly [string, string], nomenclature: Nomenclature): string[] {
  let numbers = sortedNumbers.get(nomenclature);
  if (!numbers) {
    const tenDigits = nomenclature.numbers.map(number => number.padEnd(10, '0'));
    sortedNumbers.set(nomenclature, (numbers = [...new Set(tenDigits)].sort()));
  }
  return numbers.slice(indexOfFirst(numbers, low), indexOfFirst(numbers, high));
}

/** Returns the index of the first number in a sorted array that is greater than or equal to a limit. */
function indexOfFirst(sorted: readonly string[], limit: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Shortens codes to their common subheadings or headings until there are few enough codes to suggest. */
function fewest(codes: readonly string[]): string[] {
  for (const length of [10, 8, 6, 4]) {
    const stems = [...new Set(codes.map(digits => digits.slice(0, length)))];
    if (stems.length <= MAX_SUGGESTIONS) return stems;
  }
  return [];
}
