import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { CheckFailure } from './report.ts';

const entry = z.strictObject({
  /** The method and path of each operation. */
  operations: z.array(z.string().regex(/^(GET|POST) \/api\/v[01]\//)).min(1),
  check: z.string().min(1),
  status: z.int(),
  /**
   * Facts from the response: issues, or an error and its reason. `* CODE` matches an issue with this code at any path.
   */
  details: z.array(z.string().min(1)).min(1),
  /** Reason that the service's behavior is correct. */
  reason: z.string().min(40),
  /** Review date. */
  date: z.iso.date(),
});

/** A failed check that a reviewer dismissed because the service's behavior is correct. */
export type ReviewedFailure = z.output<typeof entry>;

/** Parses the YAML list of reviewed failures. @throws ZodError if an entry is incomplete */
export function parseReviewed(yaml: string): ReviewedFailure[] {
  return z.array(entry).parse(parse(yaml));
}

/** The reviewed failures in `reviewed.yaml`. */
export const REVIEWED: readonly ReviewedFailure[] = parseReviewed(
  readFileSync(new URL('reviewed.yaml', import.meta.url), 'utf8'),
);

/**
 * Returns the reviewed entries that together explain a failure, or null if at least one detail of the response isn't
 * covered by an entry.
 *
 * @example entriesFor(failure, REVIEWED)?.[0]?.reason // 'A body that breaks several limits…'
 */
export function entriesFor(failure: CheckFailure, reviewed: readonly ReviewedFailure[]): ReviewedFailure[] | null {
  const { operation, check, status, details } = failure;
  const candidates = reviewed.filter(
    each => each.operations.includes(operation) && each.check === check && each.status === status,
  );
  const found = details.map(detail =>
    candidates.find(each => each.details.includes(detail) || each.details.includes(`* ${detail.split(' ')[1]}`)),
  );
  return found.length > 0 && found.every(each => each !== undefined) ? found : null;
}
