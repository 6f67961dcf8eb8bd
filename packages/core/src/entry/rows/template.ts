import type { CertificateKind } from '../kinds/kinds.ts';
import { InvalidRequest, type Issue, type IssueCode } from '../request/issues.ts';
import { parseRequest } from '../request/parse.ts';

/** Codes for issues that rows can't resolve by adding fields to a template. */
const FINAL: ReadonlySet<IssueCode> = new Set([
  ...(['INVALID_TYPE', 'INVALID_DATE', 'INVALID_EMAIL', 'INVALID_CHARACTER', 'INVALID_IMAGE'] as const),
  ...(['TOO_LONG', 'TOO_MANY', 'UNKNOWN_FIELD'] as const),
]);

/**
 * Returns the problems with a template, which is a request with the fields that all rows in a table share. Missing
 * fields aren't problems, because each row can add them.
 *
 * @param today the caller's date in YYYY-MM-DD format
 * @param kind the kind of certificate that the rows are for
 * @example templateIssues({ manufcturer: {} }, '2026-11-27', 'GCC')[0]?.path // 'manufcturer'
 */
export function templateIssues(template: unknown, today: string, kind: CertificateKind): readonly Issue[] {
  try {
    parseRequest(template, today, kind);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return error.issues.filter(
      ({ code, path }) => FINAL.has(code) || (path === 'certificate_type' && code !== 'REQUIRED'),
    );
  }
}
