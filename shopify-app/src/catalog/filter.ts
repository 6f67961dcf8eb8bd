import { z } from 'zod';
import { DIGIT_STATES, STATUSES } from './answer.ts';

/** Variants on a page of the list. */
export const PAGE_SIZE = 25;

const asked = z.object({
  status: z.enum(STATUSES).optional().catch(undefined),
  digits: z.enum(DIGIT_STATES).optional().catch(undefined),
  text: z.string().trim().max(200).optional().catch(undefined),
  /** Those whose answer the lists of this release made another one; nothing else can be asked beside it. */
  changed: z.literal('yes').optional().catch(undefined),
  cursor: z.string().max(2000).optional().catch(undefined),
});

/** What a merchant asked to see, as it stands in the address of the page. */
export type Asked = z.infer<typeof asked>;

/**
 * Reads the query of a page. What makes no sense is left out, as if it had not been asked: an address may come from anywhere.
 *
 * @example readAsked(new URL(request.url).searchParams) // { status: 'hit' }
 */
export const readAsked = (query: URLSearchParams): Asked => asked.parse(Object.fromEntries(query));
