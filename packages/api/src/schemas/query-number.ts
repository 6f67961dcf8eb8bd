import { z } from 'zod';

/**
 * Returns a schema for a whole number in a query string. Coercion would also accept `0x10` and an empty string.
 *
 * @param range message for a number outside the range
 * @example wholeNumber(1, 20, 'Enter a number from 1 to 20.').parse('7') // 7
 */
export const wholeNumber = (min: number, max: number, range: string) =>
  z.preprocess(
    value => (typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : value),
    z.int('Enter a whole number.').min(min, range).max(max, range),
  );
