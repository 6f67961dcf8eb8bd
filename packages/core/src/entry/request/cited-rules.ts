import type { CatalogRule } from '../citations/catalog.ts';
import { componentsOf } from './parse.ts';
import { namedRules, type RuleExclusion, rulesMatching } from './rules.ts';
import type { CertificateRequest } from './schema.ts';

/**
 * A test for compliance with a cited rule. `lab` is the lab's index: 0 (the default) is `testing_lab`, and 1 is the
 * first lab in `other_labs`.
 */
export interface RuleTest {
  test_date: string;
  lab: number;
  standard: string | null;
  report_id: string | null;
  report_url: string | null;
  component: string | null;
}

/**
 * A cited rule. If the catalog contains the rule, `standing` is `confirmed` or `recalled`. Otherwise, `standing` is
 * `unknown`, and `citation` is the text from the request. `entry` is the index of the entry in `cpsc_rules_cited` that
 * names the rule. A rule with an `exclusion` doesn't require a test (16 CFR 1110.11(c)), except for the parts of the
 * rule that the exclusion doesn't cover.
 */
export interface CitedRule {
  entry: number;
  as_cited: string;
  citation: string;
  subject: string | null;
  detail: string;
  standing: CatalogRule['standing'] | 'unknown';
  role: CatalogRule['role'] | null;
  certificates: readonly ('GCC' | 'CPC')[];
  tests: readonly RuleTest[];
  exclusion: RuleExclusion | null;
}

/** Returns the rules that a request cites, each with its tests, component tests, and exclusion. */
export function citedRules(request: CertificateRequest): CitedRule[] {
  const { cpsc_rules_cited: cited, tests = [] } = request;
  const named = namedRules(request);
  const components = componentsOf(request).map(({ rules, component, lab_index, test_date, certificate_id }) => ({
    ...{ component, lab_index, test_date, report_id: certificate_id, standard: undefined, report_url: undefined },
    rule_index: undefined,
    rules: rules.flatMap(rule => rulesMatching(cited, named, rule)),
  }));
  const tested = tests.map(test => ({
    ...test,
    rules: test.rule === undefined ? null : rulesMatching(cited, named, test.rule),
  }));
  return named.map(({ entry, resolved: { as_cited, citation, subject, detail, rule }, exclusion }, index) => ({
    entry,
    as_cited,
    citation,
    subject,
    detail,
    standing: rule?.standing ?? 'unknown',
    role: rule?.role ?? null,
    certificates: rule?.certificates ?? [],
    tests: [...tested, ...components]
      .filter(test => test.rules?.includes(index) ?? test.rule_index === entry)
      .map(test => ({
        test_date: test.test_date,
        lab: test.lab_index ?? 0,
        standard: test.standard ?? null,
        report_id: test.report_id ?? null,
        report_url: test.report_url ?? null,
        component: test.component ?? null,
      })),
    exclusion,
  }));
}
