import type { FindingFilter } from '@compliance/store';
import { z } from 'zod';

/** Findings on a page of the list. */
export const PAGE_SIZE = 25;

const asked = z.object({
  status: z.enum(['open', 'fixed', 'accepted']).catch('open'),
  severity: z.enum(['error', 'warn', 'info']).optional().catch(undefined),
  rule: z.string().max(100).optional().catch(undefined),
  place: z.string().max(300).optional().catch(undefined),
  cursor: z.string().max(500).optional().catch(undefined),
});

/** What a merchant asked to see, as it stands in the address of the page. */
export type Asked = z.infer<typeof asked>;

/**
 * Reads the query of a page. What makes no sense is left out, as if it had not been asked: an address may come from anywhere.
 *
 * @example
 * readAsked(new URL(request.url).searchParams) // { status: 'open', severity: 'error' }
 */
export const readAsked = (query: URLSearchParams): Asked => asked.parse(Object.fromEntries(query));

/** The same for the store: an accepted finding is an open one. */
export function filterOf({ status, severity, rule, place }: Asked): FindingFilter {
  const about = { severity, ruleId: rule, place };
  if (status === 'fixed') return { ...about, status: 'fixed' };
  return { ...about, status: 'open', accepted: status === 'accepted' };
}
