import { parseHtsCode, parseOrigin, type WatchedCode } from '@compliance/core/tariff';
import { CsvError, parse } from 'csv-parse/sync';
import { ApiError, type Issue } from '../errors/api-error.ts';

/** Maximum number of codes in a watch. */
export const MAX_WATCHED_CODES = 50_000;

/** Maximum length of a reference. */
export const MAX_REFERENCE = 200;

/** Maximum number of issues in an error response. */
const MAX_ISSUES = 100;

/** A code in a request. */
interface SubmittedCode {
  reference: string;
  code: string;
  origin?: string | null | undefined;
}

/**
 * Validates a new watch's codes, which are in either JSON or CSV.
 *
 * @param csv CSV with the columns `reference`, `code`, and optionally `origin`
 * @throws ApiError `invalid_request`, with up to 100 issues, one for each invalid field
 */
export function watchedCodesOf({
  codes,
  csv,
}: {
  codes?: SubmittedCode[] | undefined;
  csv?: string | undefined;
}): WatchedCode[] {
  if ((codes === undefined) === (csv === undefined)) {
    throw invalid([{ path: 'codes', code: 'INVALID_VALUE', message: 'Send either `codes` or `csv`.' }]);
  }
  const rows = codes ? codes.map((values, index) => ({ path: `codes.${index}`, ...values })) : rowsOf(csv!);
  const issues: Issue[] = [];
  const watched = rows.map(({ path, reference, code, origin: submitted }): WatchedCode => {
    const report = (field: string, message: string) =>
      issues.push({ path: `${path}.${field}`, code: 'INVALID_VALUE', message });
    const origin = submitted?.trim() ? parseOrigin(submitted.trim()) : null;
    if (reference.trim() === '' || reference.length > MAX_REFERENCE) {
      report('reference', `Enter a reference with 1 to ${MAX_REFERENCE} characters.`);
    }
    if (!parseHtsCode(code).ok) report('code', 'Enter an HTS code with 4, 6, 8, or 10 digits, such as 7318.15.2061.');
    if (submitted?.trim() && origin === null) report('origin', 'Enter an ISO 3166-1 alpha-2 country code, such as DE.');
    return { reference, code, origin };
  });
  if (issues.length > 0) throw invalid(issues.slice(0, MAX_ISSUES));
  return watched;
}

/** Parses CSV. A row's path contains the row number. The header is row 1, and empty lines aren't counted. */
function rowsOf(csv: string): (SubmittedCode & { path: string })[] {
  let records: string[][];
  try {
    records = parse(csv, { bom: true, skip_empty_lines: true, trim: true, relax_column_count: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid([{ path: 'csv', code: 'INVALID_VALUE', message: `The text isn't valid CSV: ${error.message}` }]);
  }
  const [header = [], ...rows] = records;
  const column = (name: string) => header.findIndex(title => title.trim().toLowerCase() === name);
  const [reference, code, origin] = [column('reference'), column('code'), column('origin')];
  const missing = Object.entries({ reference, code }).filter(([, index]) => index < 0);
  if (missing.length > 0) {
    const message = `The header row must contain the reference and code columns. The origin column is optional. Missing: ${missing.map(([name]) => name).join(', ')}.`;
    throw invalid([{ path: 'csv', code: 'INVALID_VALUE', message }]);
  }
  if (rows.length === 0 || rows.length > MAX_WATCHED_CODES) {
    const message = `Send 1 to ${MAX_WATCHED_CODES} codes per watch.`;
    throw invalid([{ path: 'csv', code: 'INVALID_VALUE', message }]);
  }
  return rows.map((cells, index) => ({
    path: `csv.${index + 2}`,
    reference: cells[reference] ?? '',
    code: cells[code] ?? '',
    origin: cells[origin] ?? null,
  }));
}

function invalid(issues: Issue[]): ApiError {
  return new ApiError('invalid_request', { detail: { issues } });
}
