import { type Assessment, type AssessOptions, assess, parseHtsCode } from '@compliance/core/tariff';

/** Section 232 duty for a row that has a customs value. */
export interface RowDuty {
  /** Amount in US dollars with two decimal places, or null if the amount isn't certain. */
  readonly amount: string | null;
  /** Whether the duty includes the column 1 duty; null if the amount isn't certain. */
  readonly includesColumn1: boolean | null;
  /** Missing facts that the duty depends on; empty if the amount is certain. */
  readonly dependsOn: readonly string[];
}

/** Maximum number of cached results, one for each combination of code, date, and origin. */
const MAX_KEPT = 20_000;

const UNITS_PER_DOLLAR = 1_000_000n;
const UNITS_PER_PERCENT = 10_000n;

/** Duty rates for a code, date, and origin, or the missing facts if the duty isn't certain. */
type Terms =
  | { readonly dependsOn: readonly string[] }
  | { readonly rates: readonly bigint[]; readonly includesColumn1: boolean };

/**
 * Returns a function that computes the Section 232 duty for a row under all programs. The duty is certain only if
 * exactly one result is possible without more facts about the goods.
 *
 * @example createRowDuty()('0101.21.00', '2026-10-01', 'CN', '1,250.50') // { amount: '0.00', … }
 */
export function createRowDuty({
  nomenclature,
  dataset,
}: AssessOptions = {}): (code: string, asOf: string, origin: string | null, value: string) => RowDuty {
  const kept = new Map<string, Terms>();
  const termsOf = (code: string, asOf: string, origin: string): Terms => {
    const key = `${asOf} ${origin} ${code}`;
    const known = kept.get(key);
    if (known) return known;
    const terms = termsOfAssessment(
      assess(
        { code, as_of: asOf, origin, facts: { customs_value: 100 } },
        { ...(nomenclature && { nomenclature }), ...(dataset && { dataset }) },
      ),
    );
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
    kept.set(key, terms);
    return terms;
  };
  return (code, asOf, origin, value) => {
    const parsed = parseHtsCode(code);
    if (!parsed.ok) return uncertain(['code']);
    if (origin === null || origin === 'EU') return uncertain(['origin']);
    const terms = termsOf(parsed.digits, asOf, origin);
    if ('dependsOn' in terms) return uncertain(terms.dependsOn);
    const units = valueInUnits(value);
    if (units === null) return uncertain(['customs_value']);
    const cents = terms.rates.reduce((sum, rate) => sum + centsOf(units, rate), 0n);
    return {
      amount: `${cents / 100n}.${`${cents % 100n}`.padStart(2, '0')}`,
      includesColumn1: terms.includesColumn1,
      dependsOn: [],
    };
  };
}

function uncertain(dependsOn: readonly string[]): RowDuty {
  return { amount: null, includesColumn1: null, dependsOn };
}

function termsOfAssessment({ duties, total_232, missing }: Assessment): Terms {
  const isCertain =
    duties !== null &&
    total_232 !== null &&
    duties.every(duty => duty.amount === 0 || (duty.base.kind === 'full_customs_value' && duty.rate_pct !== null));
  if (!isCertain) {
    const deciding = missing.filter(({ fact, decides }) => decides.length > 0 || !fact.startsWith('column'));
    return { dependsOn: deciding.length > 0 ? deciding.map(({ fact }) => fact) : ['rate'] };
  }
  const charged = duties.filter(({ amount }) => amount !== 0);
  return {
    rates: charged.map(({ rate_pct }) => BigInt(Math.round(rate_pct! * Number(UNITS_PER_PERCENT)))),
    includesColumn1: duties.some(duty => duty.includes_column1),
  };
}

/**
 * Parses an amount such as `1250.5`, `$1,250.50`, or `1,250.50 USD` and returns it in millionths of a dollar. Returns
 * null for any other format.
 */
function valueInUnits(text: string): bigint | null {
  const match = /^\$?\s*(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,6}))?(?:\s*USD)?$/.exec(text.trim());
  if (!match) return null;
  return BigInt(match[1]!.replaceAll(',', '')) * UNITS_PER_DOLLAR + BigInt((match[2] ?? '').padEnd(6, '0'));
}

/** Returns the duty in cents, rounded half up. */
function centsOf(units: bigint, rate: bigint): bigint {
  const unitsPerCent = UNITS_PER_DOLLAR * UNITS_PER_PERCENT;
  return (units * rate + unitsPerCent / 2n) / unitsPerCent;
}
