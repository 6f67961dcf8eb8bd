import { z } from 'zod';

/**
 * Returns a schema that also accepts a whole number as text, as in a query string. Zod's coercion would also accept
 * `0x10` and an empty string.
 *
 * @example numberInQuery(z.int()).parse('7') // 7
 */
export const numberInQuery = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(value => (typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : value), schema);

/**
 * Returns a schema for a whole number in a query string.
 *
 * @param range error message for a number outside the range
 * @example wholeNumber(1, 20, 'Enter a number from 1 to 20.').parse('7') // 7
 */
export const wholeNumber = (min: number, max: number, range: string) =>
  numberInQuery(z.int('Enter a whole number.').min(min, range).max(max, range));
