import { parseOrigin } from '../dataset/origins.ts';
import { QUOTAS } from './fact-values.ts';
import { type AssessFacts, QUOTA_STATUSES } from './facts.ts';

/** Format of a fact's value. */
export type FactKind =
  | 'money'
  | 'rate'
  | 'percent'
  | 'word'
  | 'words'
  | 'countries'
  | 'flag'
  | 'metal_shares'
  | 'quota'
  | 'technical'
  | 'year'
  | 'other_duties';

/** Format of each fact's value, by field name. */
export const FACT_KINDS: Readonly<Record<keyof AssessFacts, FactKind>> = {
  customs_value: 'money',
  column1_rate_pct: 'rate',
  column1_program: 'word',
  column2_rate_pct: 'rate',
  steel_value: 'money',
  aluminum_value: 'money',
  copper_value: 'money',
  steel_weight_pct: 'percent',
  aluminum_weight_pct: 'percent',
  copper_weight_pct: 'percent',
  us_origin_pct: 'metal_shares',
  uk_origin_pct: 'metal_shares',
  melted_and_poured_in: 'countries',
  smelted_or_cast_in: 'countries',
  us_content_value: 'money',
  usmca_qualifying: 'flag',
  certification: 'words',
  commerce_approval: 'words',
  commerce_authorization: 'words',
  company_agreement: 'words',
  end_use: 'word',
  quota: 'quota',
  technical: 'technical',
  patented: 'flag',
  generic: 'flag',
  thermal_imaging: 'flag',
  model_year: 'year',
  other_duties: 'other_duties',
};

/** Minimum and maximum values for each numeric format, and minimum and maximum lengths for text. */
export const FACT_LIMITS = {
  money: [0, 1_000_000_000_000],
  rate: [0, 1000],
  percent: [0, 100],
  word: [1, 100],
  year: [1880, 2200],
} as const;

/** Messages that explain how to correct an invalid value. */
export const FACT_MESSAGES = {
  facts: 'Use an object with the known facts, or null.',
  money: 'Use an amount in US dollars from 0 to 1,000,000,000,000, such as 1250.5 or "1250.50".',
  rate: 'Use a percentage from 0 to 1000, such as 2.5.',
  percent: 'Use a percentage from 0 to 100.',
  word: 'Use a string of 1 to 100 characters.',
  words: 'Use a string of 1 to 100 characters, or a list of 1 to 20 such strings.',
  countries: 'Use ISO 3166-1 alpha-2 country codes, such as "DE", or use "unknown".',
  flag: 'Use true or false.',
  metal_shares: 'Use an object with a percentage by metal, such as { "steel": 100 }.',
  quota: 'Use an object with a status by quota, such as { "uk_auto_trq": "in_quota" }.',
  quota_status: 'Use in_quota or over_quota.',
  technical: 'Use true, false, or an object with the numbers total_processing_performance and dram_bandwidth_gb_s.',
  figure: 'Use 0 or a positive number.',
  year: 'Use a year from 1880 to 2200, such as 2024.',
  other_duties: 'Use a list of at most 50 duties, such as [{ "program": "301", "rate_pct": 25 }].',
  other_duty: 'Use an object with program and, if known, rate_pct or amount.',
  unknown: 'Unknown field. Remove the field or check its spelling.',
} as const;

/** Maximum number of values for a fact that can have several values. */
export const MAX_VALUES = 20;
export const MAX_OTHER_DUTIES = 50;

/** Matches a decimal amount from 0 to 1,000,000,000,000. */
export const MONEY_TEXT = /^(?:\d{1,12}(?:\.\d{1,6})?|10{12}(?:\.0{1,6})?)$/;

/** An invalid fact, with its path relative to `facts` and a message that explains how to correct the value. */
export interface FactIssue {
  readonly path: readonly string[];
  readonly message: string;
}

type Checker = (value: unknown) => FactIssue | null;

const isWithin = (value: unknown, [from, to]: readonly [number, number]) =>
  typeof value === 'number' && value >= from && value <= to;
const isMoney = (value: unknown) =>
  typeof value === 'string' ? MONEY_TEXT.test(value) : isWithin(value, FACT_LIMITS.money);
/**
 * Returns whether a value is text of a valid length. Counts code points, as JSON Schema does, but first checks the
 * number of code units to reject very long text quickly.
 */
const isWord = (value: unknown) =>
  typeof value === 'string' && value.length <= 2 * FACT_LIMITS.word[1] && isWithin([...value].length, FACT_LIMITS.word);
const isOneOrList = (value: unknown, isValid: (each: unknown) => boolean) =>
  Array.isArray(value) ? value.length >= 1 && value.length <= MAX_VALUES && value.every(isValid) : isValid(value);

/**
 * Returns whether a value is a country code or `unknown`.
 *
 * @example isOriginOrUnknown('DE') // true
 */
export function isOriginOrUnknown(text: unknown): boolean {
  return typeof text === 'string' && (text === 'unknown' || (parseOrigin(text) ?? 'EU') !== 'EU');
}

const check =
  (kind: keyof typeof FACT_MESSAGES, isValid: (value: unknown) => boolean): Checker =>
  value =>
    isValid(value) ? null : { path: [], message: FACT_MESSAGES[kind] };

const percent = check('percent', value => isWithin(value, FACT_LIMITS.percent));
const quotaStatus = check('quota_status', value => (QUOTA_STATUSES as readonly unknown[]).includes(value));
const figure = check('figure', value => isWithin(value, [0, Number.MAX_VALUE]));
const rate = check('rate', value => isWithin(value, FACT_LIMITS.rate));
const money = check('money', isMoney);
const word = check('word', isWord);
const flag = check('flag', value => typeof value === 'boolean');
const metalShares = checkObject('metal_shares', { steel: percent, aluminum: percent, copper: percent });
const figures = checkObject('technical', { total_processing_performance: figure, dram_bandwidth_gb_s: figure }, [
  'total_processing_performance',
  'dram_bandwidth_gb_s',
]);
const otherDuty = checkObject('other_duty', { program: word, rate_pct: rate, amount: money }, ['program']);

const CHECKERS: Readonly<Record<Exclude<FactKind, 'quota'>, Checker>> = {
  money,
  rate,
  percent,
  word,
  words: check('words', value => isOneOrList(value, isWord)),
  countries: check('countries', value => isOneOrList(value, isOriginOrUnknown)),
  flag,
  metal_shares: metalShares,
  technical: value => (typeof value === 'boolean' ? null : figures(value)),
  year: check('year', value => Number.isInteger(value) && isWithin(value, FACT_LIMITS.year)),
  other_duties(value) {
    if (!Array.isArray(value) || value.length > MAX_OTHER_DUTIES) {
      return { path: [], message: FACT_MESSAGES.other_duties };
    }
    return firstIssue(
      value.map((duty, index) => [`${index}`, duty] as const),
      () => otherDuty,
    );
  },
};

/**
 * Returns the first invalid fact, or null if all facts are valid.
 *
 * @param quotas names of the data set's quotas
 * @example issueInFacts({ steel_weight_pct: 120 })?.path // ['steel_weight_pct']
 */
export function issueInFacts(facts: unknown, quotas: readonly string[] = QUOTAS): FactIssue | null {
  let check = checkers.get(quotas);
  if (!check) checkers.set(quotas, (check = createChecker(quotas)));
  return check(facts);
}

/** Checkers for the data sets in use, keyed by each data set's quotas. */
const checkers = new WeakMap<readonly string[], Checker>();

function createChecker(quotas: readonly string[]): Checker {
  const quota = checkObject('quota', Object.fromEntries(quotas.map(name => [name, quotaStatus])));
  const fields = Object.entries(FACT_KINDS).map(([name, kind]) => [name, kind === 'quota' ? quota : CHECKERS[kind]]);
  return checkObject('facts', Object.fromEntries(fields));
}

/** Creates a checker for an object with the given fields. Fields that aren't required can be null. */
function checkObject(
  kind: keyof typeof FACT_MESSAGES,
  fields: Readonly<Record<string, Checker>>,
  required: readonly string[] = [],
): Checker {
  return value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { path: [], message: FACT_MESSAGES[kind] };
    }
    const entries = Object.entries(value);
    const unknown = entries.find(([name]) => !Object.hasOwn(fields, name));
    if (unknown) return { path: [unknown[0]], message: FACT_MESSAGES.unknown };
    const missing = required.find(name => !Object.hasOwn(value, name));
    if (missing !== undefined) return { path: [missing], message: fields[missing]!(undefined)!.message };
    return firstIssue(
      entries.filter(([name, each]) => required.includes(name) || (each !== null && each !== undefined)),
      name => fields[name]!,
    );
  };
}

function firstIssue(
  entries: readonly (readonly [string, unknown])[],
  checkerOf: (name: string) => Checker,
): FactIssue | null {
  for (const [name, value] of entries) {
    const issue = checkerOf(name)(value);
    if (issue) return { path: [name, ...issue.path], message: issue.message };
  }
  return null;
}
