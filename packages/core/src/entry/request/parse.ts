import { attestationText } from '../attestation/texts.ts';
import { resolveCitation } from '../citations/resolve.ts';
import { InvalidRequest, type Issue, toIssues } from './issues.ts';
import { type CertificateRequest, CertificateRequestSchema } from './schema.ts';

/**
 * Parses a request and checks for problems that a single field doesn't reveal, such as dates after `today` and
 * references to missing rules or labs. To allow for time zones, a date can be up to one day after `today`.
 *
 * @param today the caller's date in YYYY-MM-DD format.
 * @throws InvalidRequest with all issues if the request is invalid.
 */
export function parseRequest(input: unknown, today: string): CertificateRequest {
  const parsed = CertificateRequestSchema.safeParse(input);
  if (!parsed.success) throw new InvalidRequest(toIssues(parsed.error, input));
  const issues = [...datesAhead(parsed.data, today), ...danglingReferences(parsed.data)];
  if (issues.length > 0) throw new InvalidRequest(issues);
  return parsed.data;
}

/** Returns the calendar day after `date` (YYYY-MM-DD). */
const dayAfter = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

function datesAhead(request: CertificateRequest, today: string): Issue[] {
  const { product_info, testing_lab, tests, attestation } = request;
  const latest = dayAfter(today);
  const dates: [path: string, date: string | undefined][] = [
    ['product_info.date_of_manufacture', product_info.date_of_manufacture],
    ['product_info.production_start', product_info.production_start],
    ['product_info.production_end', product_info.production_end],
    ['testing_lab.test_date', testing_lab.test_date],
    ...(tests ?? []).map((test, at): [string, string] => [`tests.${at}.test_date`, test.test_date]),
    ['attestation.attested_at', attestation?.attested_at],
  ];
  return dates
    .filter(([, date]) => date !== undefined && date.slice(0, 10) > latest)
    .map(([path]) => ({ path, code: 'DATE_IN_FUTURE', message: 'must not be in the future' }));
}

/**
 * Returns the index of the entry in `cited` that `rule` refers to, or -1. An exact text match takes precedence over a
 * section match, which takes precedence over a rule match.
 *
 * @example indexOfRule(['16 CFR 1203'], '16 C.F.R. part 1203') // 0
 */
export function indexOfRule(cited: readonly string[], rule: string): number {
  const exact = cited.indexOf(rule);
  if (exact >= 0) return exact;
  const wanted = resolveCitation(rule);
  if (wanted.rule === null) return -1;
  const resolved = cited.map(resolveCitation);
  const section = resolved.findIndex(({ rule, detail }) => rule === wanted.rule && detail === wanted.detail);
  return section >= 0 ? section : resolved.findIndex(({ rule }) => rule === wanted.rule);
}

function danglingReferences(request: CertificateRequest): Issue[] {
  const { cpsc_rules_cited: cited, tests = [], exclusions = [], other_labs = [], attestation, product_info } = request;
  const issues: Issue[] = [];
  const refuse = (path: string, message: string) => issues.push({ path, code: 'INVALID_FORMAT', message });
  for (const [at, { rule, rule_index, lab_index }] of tests.entries()) {
    if (rule === undefined && rule_index === undefined) {
      issues.push({ path: `tests.${at}.rule`, code: 'REQUIRED', message: 'rule or rule_index is required' });
    } else if (rule !== undefined && rule_index !== undefined) {
      refuse(`tests.${at}.rule_index`, 'can’t be combined with rule');
    } else if (rule !== undefined && indexOfRule(cited, rule) < 0) {
      refuse(`tests.${at}.rule`, 'must be one of the rules in cpsc_rules_cited');
    } else if (rule_index !== undefined && rule_index >= cited.length) {
      refuse(`tests.${at}.rule_index`, 'must be an index into cpsc_rules_cited');
    }
    if (lab_index !== undefined && lab_index > other_labs.length) {
      refuse(`tests.${at}.lab_index`, 'must be 0 for testing_lab, or 1 or higher for other_labs');
    }
  }
  for (const [at, { rule }] of exclusions.entries()) {
    if (indexOfRule(cited, rule) < 0) refuse(`exclusions.${at}.rule`, 'must be one of the rules in cpsc_rules_cited');
  }
  if (attestation && !attestationText(attestation.text_version)) {
    refuse('attestation.text_version', 'must be a known attestation version');
  }
  const { production_start: start, production_end: end } = product_info;
  if (start !== undefined && end !== undefined && end < start) {
    refuse('product_info.production_end', 'must not be before production_start');
  }
  return issues;
}
