import { attestationText } from '../attestation/texts.ts';
import type { CertificateKind } from '../kinds/kinds.ts';
import { gradeAge } from './age-grading.ts';
import { InvalidRequest, type Issue, toIssues } from './issues.ts';
import { periodOf } from './period.ts';
import { namedRules, needsTest, rulesMatching } from './rules.ts';
import {
  type CertificateRequest,
  CertificateRequestSchema,
  type ChildrensCertificateRequest,
  REQUEST_SCHEMAS,
  TESTED_SCHEMAS,
} from './schema.ts';

/**
 * Returns the kind of certificate that a request is for, before the request is validated. Only requests that specify
 * `CPC` are for a Children's Product Certificate.
 *
 * @example kindOfRequest({ certificate_type: 'CPC' }) // 'CPC'
 */
export function kindOfRequest(input: unknown): CertificateKind {
  const isChildrens =
    typeof input === 'object' && input !== null && 'certificate_type' in input && input.certificate_type === 'CPC';
  return isChildrens ? 'CPC' : 'GCC';
}

/**
 * Parses a request and checks for problems that the schema can't detect, such as dates after `today` and references to
 * nonexistent rules or labs. To allow for time zones, a date can be up to one day after `today`.
 *
 * @param today the caller's date in YYYY-MM-DD format.
 * @param kind the only kind of certificate to accept. By default, the kind that the request specifies.
 * @throws InvalidRequest if the request is invalid. Problems that the schema can't detect are listed only if the
 * request matches the schema.
 */
export function parseRequest(
  input: unknown,
  today: string,
  kind: CertificateKind = kindOfRequest(input),
): CertificateRequest {
  const parsed = (isTestNeeded(input) ? TESTED_SCHEMAS : REQUEST_SCHEMAS)[kind].safeParse(input);
  if (!parsed.success) throw new InvalidRequest(toIssues(parsed.error, input).map(withExclusionHint));
  const issues = [...datesAhead(parsed.data, today), ...danglingReferences(parsed.data), ...ageIssues(parsed.data)];
  if (issues.length > 0) throw new InvalidRequest(issues);
  return parsed.data;
}

/**
 * Returns an issue if a request asks for a Children's Product Certificate for a product that isn't for children. Not
 * even a draft is created for such a product.
 */
function ageIssues(request: CertificateRequest): Issue[] {
  const { decision, reasons } = gradeAge(request);
  if (request.certificate_type !== 'CPC' || decision !== 'GCC') return [];
  const message = `must describe a children’s product. Request a General Certificate of Conformity instead. ${reasons.map(({ text }) => text).join(' ')}`;
  return [{ path: 'age_grading', code: 'NOT_A_CHILDRENS_PRODUCT', message }];
}

const CitedRules = CertificateRequestSchema.pick({ cpsc_rules_cited: true, exclusions: true }).strip();

/** Returns whether any cited rule needs a test, or true if the rules are invalid. */
function isTestNeeded(input: unknown): boolean {
  const { data } = CitedRules.safeParse(input);
  return (
    !data ||
    namedRules(data).some(({ resolved, exclusion }) => needsTest({ role: resolved.rule?.role ?? null, exclusion }))
  );
}

/** Replaces the message about a missing testing lab or test date with one that explains when the field is optional. */
const withExclusionHint = (issue: Issue): Issue =>
  issue.code === 'REQUIRED' && /^testing_lab(\.test_date)?$/.test(issue.path)
    ? { ...issue, message: 'is required unless every cited rule is listed in exclusions or doesn’t need a test' }
    : issue;

/** Returns the calendar day after `date` (YYYY-MM-DD). */
const dayAfter = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

function datesAhead(request: CertificateRequest, today: string): Issue[] {
  const { product_info, testing_lab, tests, attestation } = request;
  const latest = dayAfter(today);
  const dates: [path: string, date: string | undefined][] = [
    ['product_info.date_of_manufacture', product_info.date_of_manufacture],
    ['product_info.production_start', product_info.production_start],
    ['product_info.production_end', product_info.production_end],
    ['testing_lab.test_date', testing_lab?.test_date],
    ...(tests ?? []).map((test, at): [string, string] => [`tests.${at}.test_date`, test.test_date]),
    ...componentsOf(request).map(({ test_date }, at): [string, string] => [
      `component_certificates.${at}.test_date`,
      test_date,
    ]),
    ['attestation.attested_at', attestation?.attested_at],
  ];
  return dates
    .filter(([, date]) => date !== undefined && periodOf(date.slice(0, 10)).first > latest)
    .map(([path]) => ({ path, code: 'DATE_IN_FUTURE', message: 'must not be in the future' }));
}

function danglingReferences(request: CertificateRequest): Issue[] {
  const { cpsc_rules_cited: cited, tests = [], exclusions = [], other_labs = [], attestation, product_info } = request;
  const rules = namedRules(request);
  const isCited = (rule: string) => rulesMatching(cited, rules, rule).length > 0;
  const issues: Issue[] = [];
  const refuse = (path: string, message: string) => issues.push({ path, code: 'INVALID_FORMAT', message });
  for (const [at, { rule, rule_index, lab_index }] of tests.entries()) {
    if (rule === undefined && rule_index === undefined) {
      issues.push({ path: `tests.${at}.rule`, code: 'REQUIRED', message: 'rule or rule_index is required' });
    } else if (rule !== undefined && rule_index !== undefined) {
      refuse(`tests.${at}.rule_index`, 'can’t be combined with rule');
    } else if (rule !== undefined && !isCited(rule)) {
      refuse(`tests.${at}.rule`, 'must be one of the rules in cpsc_rules_cited');
    } else if (rule_index !== undefined && rule_index >= cited.length) {
      refuse(`tests.${at}.rule_index`, 'must be the index of a rule in cpsc_rules_cited');
    }
    if (request.testing_lab === undefined && (lab_index ?? 0) === 0) {
      issues.push({ path: 'testing_lab', code: 'REQUIRED', message: `is required because tests.${at} refers to it` });
    } else if (lab_index !== undefined && lab_index > other_labs.length) {
      refuse(
        `tests.${at}.lab_index`,
        'must be 0 (testing_lab) or the position of a lab in other_labs (the first is 1)',
      );
    }
  }
  for (const [at, { rules: named, lab_index }] of componentsOf(request).entries()) {
    for (const [which, rule] of named.entries())
      if (!isCited(rule))
        refuse(`component_certificates.${at}.rules.${which}`, 'must be one of the rules in cpsc_rules_cited');
    if (lab_index > other_labs.length || (lab_index === 0 && request.testing_lab === undefined))
      refuse(
        `component_certificates.${at}.lab_index`,
        'must be 0 (testing_lab) or the position of a lab in other_labs (the first is 1)',
      );
  }
  for (const [at, { rule }] of exclusions.entries()) {
    if (!isCited(rule)) refuse(`exclusions.${at}.rule`, 'must be one of the rules in cpsc_rules_cited');
  }
  if (attestation && !attestationText(attestation.text_version)) {
    refuse('attestation.text_version', 'must be a known attestation version');
  }
  const { production_start: start, production_end: end } = product_info;
  if (start !== undefined && end !== undefined && periodOf(end).last < periodOf(start).first) {
    refuse('product_info.production_end', 'must not be before production_start');
  }
  return issues;
}

/** Returns the component certificates. Only requests for Children's Product Certificates can contain them. */
export function componentsOf(
  request: CertificateRequest,
): NonNullable<ChildrensCertificateRequest['component_certificates']> {
  return request.certificate_type === 'CPC' ? (request.component_certificates ?? []) : [];
}
