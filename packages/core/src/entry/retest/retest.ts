import type { ThirdPartyTesting } from '../childrens/facts.ts';
import type { CertificateRecord } from '../record/certificate.ts';

/**
 * Maximum number of years between third-party tests, by how the manufacturer ensures compliance between tests: 1 with a
 * periodic test plan alone, 2 with a production testing plan, and 3 with testing by a laboratory accredited to ISO/IEC
 * 17025.
 *
 * Source: 16 CFR 1107.21(b)(2), (c)(1), and (d)(1).
 */
export const RETEST_YEARS = { periodic: 1, production: 2, accredited: 3 } as const;

/** One of the plans in {@link RETEST_YEARS}. */
export type RetestPlan = keyof typeof RETEST_YEARS;

/** A rule and the due date of its next periodic third-party test. Dates are in YYYY-MM-DD format. */
export interface Retest {
  readonly citation: string;
  readonly subject: string | null;
  /** Date of the latest test for the rule. */
  readonly tested: string;
  /** Due date of the next test. */
  readonly due: string;
}

/** Third-party testing results for rules that don't require periodic testing. */
const WITHOUT_RETEST: readonly ThirdPartyTesting[] = ['excluded', 'not_required'];

/**
 * Returns the due date of the next test for each tested rule on a Children's Product Certificate, earliest date first.
 * Assumes that production continues. Omits rules that don't require third-party testing. The interval is the maximum
 * allowed by law. If a product changes materially, a new test is required sooner (16 CFR 1107.23). Returns an empty
 * list for a general certificate, because the certifier's testing program sets the interval.
 *
 * @example retestsOf(record, 'periodic')[0]?.due // '2027-08-30'
 */
export function retestsOf({ request, rules, childrens }: CertificateRecord, plan: RetestPlan): Retest[] {
  if (!childrens) return [];
  return rules
    .flatMap(({ citation, subject, tests }, at) => {
      const result = childrens.third_party_testing[at];
      const dates = [
        ...tests.map(({ test_date }) => test_date),
        ...(tests.length === 0 ? [request.testing_lab?.test_date] : []),
      ];
      const tested = dates
        .filter(date => date !== undefined)
        .sort()
        .at(-1);
      if (result === undefined || WITHOUT_RETEST.includes(result) || tested === undefined) return [];
      return [{ citation, subject, tested, due: yearsAfter(tested, RETEST_YEARS[plan]) }];
    })
    .sort((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0));
}

/**
 * Returns the date that is the given number of years (1 to 3) after a date. February 29 becomes February 28, because
 * none of the three years after a leap year is a leap year.
 */
function yearsAfter(date: string, years: number): string {
  return `${Number(date.slice(0, 4)) + years}${date.slice(4)}`.replace(/-02-29$/, '-02-28');
}
