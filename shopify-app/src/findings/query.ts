import type { FindingFilter } from '@compliance/store/shop';
import { z } from 'zod';

/** Number of findings per list page. */
export const FINDINGS_PAGE_SIZE = 25;

const querySchema = z.object({
  status: z.enum(['open', 'fixed', 'accepted', 'refuted']).catch('open'),
  severity: z.enum(['error', 'warn', 'info']).optional().catch(undefined),
  rule: z.string().max(100).optional().catch(undefined),
  place: z.string().max(300).optional().catch(undefined),
  cursor: z.string().max(500).optional().catch(undefined),
});

/** Filters in the page URL. */
export type FindingsQuery = z.infer<typeof querySchema>;

/**
 * Parses the findings page's query parameters. Ignores invalid values, because the URL is untrusted.
 *
 * @example
 * parseFindingsQuery(new URL(request.url).searchParams) // { status: 'open', severity: 'error' }
 */
export const parseFindingsQuery = (query: URLSearchParams): FindingsQuery =>
  querySchema.parse(Object.fromEntries(query));

/** Converts the page query to a database query. The database query treats accepted and refuted findings as open. */
export function filterOf({ status, severity, rule, place }: FindingsQuery): FindingFilter {
  const about = { severity, ruleId: rule, place };
  if (status === 'fixed') return { ...about, status: 'fixed' };
  if (status === 'accepted') return { ...about, status: 'open', accepted: true };
  return { ...about, status: 'open', accepted: false, refuted: status === 'refuted' };
}
