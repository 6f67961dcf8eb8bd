import createBig, { type Big as Decimal } from 'big.js';
import { comparisonsOf } from '../dataset/conditions.ts';
import { DATASET, type Dataset, type DateBasis, type ValueBasis } from '../dataset/dataset.ts';
import { indexOf } from '../dataset/dataset-index.ts';
import { COLUMN_2, parseOrigin } from '../dataset/origins.ts';
import type { Program } from '../dataset/programs.ts';
import { isCalendarDate } from '../dates.ts';
import { notice } from '../lookup/lookup.ts';
import { type Caveat, caveatsOf } from '../lookup/match.ts';
import { invalidMessage } from '../lookup/message.ts';
import { formatHtsCode, matchedDigits, parseHtsCode } from '../nomenclature/hts-code.ts';
import type { Nomenclature } from '../nomenclature/nomenclature.ts';
import { suggestCodes } from '../nomenclature/suggest-codes.ts';
import { type Assumption, type AssumptionSet, codeAssumption, simplify } from './assumptions.ts';
import { type DecidedDuty, type Decision, type Decisions, decide, type Step } from './decide.ts';
import { factValuesOf } from './fact-values.ts';
import { type AssessFacts, contradictionIn, factFields, type Metal } from './facts.ts';
import { FACT_KINDS, FACT_MESSAGES, issueInFacts } from './validate-facts.ts';
import { variantsOf } from './variants.ts';

/** A separate big.js constructor, so that this module's settings don't affect other users of the library. */
const Big = createBig();
Big.DP = 20;

/** An article to assess. */
export interface Article {
  /** HTS code in any format that `lookup` accepts. */
  code: string;
  /** Date of entry for consumption in US Eastern time, in YYYY-MM-DD format. */
  as_of: string;
  /** Country of origin as an ISO 3166-1 alpha-2 code. */
  origin: string;
  /** Known facts about the article. */
  facts?: AssessFacts;
}

/** Options for an assessment. */
export interface AssessOptions {
  /** An official HTS export that supplies the column 1 and column 2 rates missing from the facts. */
  nomenclature?: Nomenclature;
  /** A data set from `loadDataset`. The default is the bundled data set. */
  dataset?: Dataset;
}

/** A duty on an article. Amounts are in US dollars, rounded half up to the cent. */
export interface AssessedDuty {
  /** The Chapter 99 heading, or null if it hasn't been published. */
  heading: string | null;
  program: Program;
  /** The part of the article's value that the rate applies to, with its amount if known. */
  base: { kind: ValueBasis; amount: number | null };
  /** Rate as a percentage, or null if the sources don't state the rate. */
  rate_pct: number | null;
  /** Whether the rate includes the column 1 duty. */
  includes_column1: boolean;
  amount: number | null;
  /**
   * The rates to report under the Chapter 99 heading and under the classification, or null if CBP doesn't require
   * filers to report the total rate under the heading.
   */
  filed: { heading: string; rate_pct: number; classification_rate_pct: number; citation: string } | null;
  effective_from: string;
  dated_by: DateBasis;
  citation: string;
  steps: Step[];
}

/** A possible result when facts are missing. */
export interface AssessOutcome {
  /**
   * Sets of assumptions that lead to this result. The result applies if every assumption in at least one set is true.
   */
  when: Assumption[][];
  duties: AssessedDuty[];
  total_232: number | null;
}

/** A missing fact that could change the result or that's needed to compute an amount. */
export interface MissingFact {
  /** Dotted path of the field in `facts`, or `code` if the HTS code has too few digits. */
  fact: string;
  /** For a field with a fixed set of values, the values that lead to different results. */
  values: string[];
  /** The conditions that depend on the fact. */
  decides: { id: string; text: string; outcomes: number[] }[];
}

/**
 * The duties on an article. If the known facts allow several results, `duties` is null and `outcomes` lists every
 * possible result.
 */
export interface Assessment {
  code: string;
  normalized: string;
  as_of: string;
  origin: string;
  duties: AssessedDuty[] | null;
  total_232: number | null;
  /** Sum of the column 1 or column 2 duty and the Section 232 duties. */
  combined_column1_and_232: number | null;
  /** Sum of `combined_column1_and_232` and the declared duties outside Section 232. */
  total: number | null;
  /** `total` as a percentage of the customs value. */
  total_rate_pct: number | null;
  /** Reasons why duties aren't owed, one for each duty that another program's duty excludes. */
  not_owed: Step[];
  missing: MissingFact[];
  outcomes: AssessOutcome[];
  total_232_range: { min: number; max: number } | null;
  not_computed: string[];
  data_set: { version: string; sha256: string };
  known_through: string;
  caveats: Caveat[];
}

/**
 * Error thrown for an article that can't be assessed. `path` is the path of the invalid field, and the message explains
 * how to correct the error.
 */
export class AssessError extends RangeError {
  override name = 'AssessError';
  readonly path: string;
  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

const NOT_COMPUTED = [
  'Section 301 duties',
  'Section 338 duties',
  'Section 122 duties',
  'antidumping and countervailing duties',
  'merchandise processing and harbor maintenance fees',
];

/**
 * Determines the Section 232 duties on an article from the known facts. The function makes no assumptions about missing
 * facts. If a missing fact could change the result, the assessment lists that fact and every possible result. The rules
 * are based on the U.S. notes in HTS chapter 99, subchapter III, and on the acts cited for each duty.
 *
 * @throws AssessError if the code, the date, the origin, or a fact is invalid
 * @example
 * const sofa = { code: '9401.61.4011', as_of: '2025-11-01', origin: 'VN' };
 * assess({ ...sofa, facts: { customs_value: 1000, certification: 'none' } }).total_232 // 250
 */
export function assess(article: Article, options: AssessOptions = {}): Assessment {
  const { code, as_of: date } = article;
  const { dataset = DATASET } = options;
  const index = indexOf(dataset);
  if (typeof code !== 'string') throw new AssessError('code', 'code must be a string that contains an HTS code.');
  const parsed = parseHtsCode(code);
  if (!parsed.ok) {
    throw new AssessError('code', invalidMessage(parsed.reason, suggestCodes(code, options.nomenclature)));
  }
  if (typeof date !== 'string' || !isCalendarDate(date)) {
    throw new AssessError('as_of', 'as_of must be a calendar date in YYYY-MM-DD format.');
  }
  const origin = typeof article.origin === 'string' ? parseOrigin(article.origin) : null;
  if (origin === null || origin === 'EU') {
    throw new AssessError('origin', 'origin must be an ISO 3166-1 alpha-2 country code, such as DE.');
  }
  const facts = withColumn1(readFacts(article.facts ?? {}, dataset), parsed.digits, origin, options.nomenclature);

  const digits = matchedDigits(parsed.digits);
  const variants = variantsOf(index, digits, date).map(({ codes, listed }) => ({
    codes,
    decisions: decide(index, listed, date, origin, facts),
  }));
  const outcomes = outcomesOf(variants, facts, digits, dataset);
  const [only] = outcomes;
  const decided = outcomes.length === 1 ? only! : null;
  const combined = decided ? combinedOf(decided.duties, facts, origin) : null;
  const total = combined === null ? null : totalOf(combined, facts);
  const sums = outcomes.map(outcome => outcome.total_232);
  return {
    code,
    normalized: formatHtsCode(parsed.digits),
    as_of: date,
    origin,
    duties: decided?.duties ?? null,
    total_232: decided?.total_232 ?? null,
    combined_column1_and_232: combined && toCents(combined),
    total: total && toCents(total),
    total_rate_pct: total && rateOf(total, facts),
    not_owed: decided?.notOwed ?? [],
    missing: missingOf(variants, outcomes, facts, origin, dataset),
    outcomes: decided ? [] : outcomes.map(({ when, duties, total_232 }) => ({ when, duties, total_232 })),
    total_232_range:
      decided || sums.includes(null)
        ? null
        : { min: Math.min(...(sums as number[])), max: Math.max(...(sums as number[])) },
    not_computed: NOT_COMPUTED,
    data_set: { version: dataset.version, sha256: dataset.sha256 },
    known_through: dataset.known_through,
    caveats: allCaveats(outcomes, variants, date, facts, dataset),
  };
}

function readFacts(facts: AssessFacts, dataset: Dataset): AssessFacts {
  const issue = issueInFacts(facts, factValuesOf(dataset).quotas);
  if (issue) {
    const path = ['facts', ...issue.path].join('.');
    const isUnknownFact = issue.path.length === 1 && issue.message === FACT_MESSAGES.unknown;
    const known = isUnknownFact ? ` Supported facts: ${Object.keys(FACT_KINDS).join(', ')}.` : '';
    throw new AssessError(path, `${path}: ${issue.message}${known}`);
  }
  const contradiction = contradictionIn(facts);
  if (contradiction === null) return facts;
  const made = contradiction.endsWith('steel') ? 'melted_and_poured_in' : 'smelted_or_cast_in';
  const path = `facts.${contradiction}`;
  throw new AssessError(path, `${path} contradicts facts.${made}. Correct or remove one of them.`);
}

/** Adds the column 1 or column 2 rate from an HTS export if the facts don't contain the rate. */
function withColumn1(
  facts: AssessFacts,
  digits: string,
  origin: string,
  nomenclature: Nomenclature | undefined,
): AssessFacts {
  if (COLUMN_2.includes(origin)) {
    const rate = facts.column2_rate_pct ?? nomenclature?.ratesOf(digits)?.column2_pct ?? null;
    return { ...facts, column2_rate_pct: rate, column1_rate_pct: null };
  }
  if (facts.column1_rate_pct != null || !nomenclature) return facts;
  const rates = nomenclature.ratesOf(digits);
  const program = facts.column1_program;
  // Don't fall back to the general rate if the export has no ad valorem rate for the claimed program.
  const rate = program == null ? rates?.general_pct : ownValue(rates?.special_pct, program);
  return { ...facts, column1_rate_pct: rate ?? null };
}

function ownValue(values: Readonly<Record<string, number>> | undefined, name: string): number | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** HTS numbers that the submitted code could refer to, with the decisions for those numbers. */
interface DecidedVariant {
  readonly codes: readonly (string | null)[];
  readonly decisions: Decisions;
}

interface ComputedOutcome extends AssessOutcome {
  readonly notOwed: Step[];
}

/** Merges decisions with the same duties into outcomes, in order of first appearance. */
function outcomesOf(
  variants: readonly DecidedVariant[],
  facts: AssessFacts,
  digits: string,
  dataset: Dataset,
): ComputedOutcome[] {
  const found = new Map<string, { duties: AssessedDuty[]; first: Decision; sets: AssumptionSet[] }>();
  for (const { codes, decisions } of variants) {
    for (const decision of decisions.decisions) {
      const { assumptions } = decision;
      const duties = decision.duties.map(duty => assessedDuty(duty, facts));
      const key = JSON.stringify(
        duties.map(({ heading, program, base, rate_pct, amount }) => [heading, program, base, rate_pct, amount]),
      );
      const known = found.get(key);
      if (known) known.sets.push({ codes, assumptions });
      else found.set(key, { duties, first: decision, sets: [{ codes, assumptions }] });
    }
  }
  const isOnly = found.size === 1;
  const all = variants.flatMap(({ codes }) => codes);
  return [...found.values()].map(({ duties, first, sets }) => {
    // Include the reasons why other headings don't apply only if the result doesn't depend on any assumption.
    // Otherwise, the reasons aren't certain.
    const isCertain = isOnly && sets.length === 1 && first.assumptions.length === 0;
    if (isCertain) {
      duties.forEach((duty, index) => {
        const [listed, ...others] = duty.steps;
        duty.steps = [listed!, ...first.duties[index]!.rejected, ...others];
      });
    }
    const amounts = duties.map(({ amount }) => amount);
    return {
      when: isOnly
        ? []
        : simplify(sets, dataset).map(({ codes, assumptions }) => {
            const code = codeAssumption(codes, all, digits);
            return code ? [code, ...assumptions] : [...assumptions];
          }),
      duties,
      total_232: amounts.includes(null) ? null : toCents(sum((amounts as number[]).map(amount => Big(amount)))),
      notOwed: [...first.notOwed],
    };
  });
}

function assessedDuty(duty: DecidedDuty, facts: AssessFacts): AssessedDuty {
  const base = baseOf(duty, facts);
  const isZero = duty.rate_type === 'none' || duty.rate_pct === 0;
  const rate = duty.rate_type === 'none' ? 0 : duty.rate_pct;
  const exact = isZero ? Big(0) : base === null || rate === null ? null : base.times(rate).div(100);
  const amount = exact && toCents(exact);
  const steps = [...duty.steps];
  if (amount !== null && !isZero) {
    steps.push({ text: `${rate}% of ${dollars(base!)} is ${dollars(Big(amount))}.`, citation: duty.citation });
  }
  return {
    heading: duty.heading,
    program: duty.program,
    base: { kind: duty.value_basis, amount: base && toCents(base) },
    rate_pct: rate,
    includes_column1: duty.rate_type === 'total_floor',
    amount,
    filed:
      duty.whole_rate && duty.heading && rate !== null
        ? { heading: duty.heading, rate_pct: rate, classification_rate_pct: 0, citation: 'CSMS 66319804' }
        : null,
    effective_from: duty.effective_from,
    dated_by: duty.dated_by,
    citation: duty.citation,
    steps,
  };
}

/** Returns the value that a duty applies to, or null if the value isn't known. */
function baseOf({ value_basis, program, us_content_cap_pct }: DecidedDuty, facts: AssessFacts): Decimal | null {
  const customs = amountOf(facts.customs_value);
  switch (value_basis) {
    case 'full_customs_value':
      return customs;
    case 'metal_content_value':
      return amountOf(facts[`${program as Metal}_value`]);
    case 'copper_content_value':
      return amountOf(facts.copper_value);
    case 'non_us_content_value': {
      const content = amountOf(facts.us_content_value);
      if (!customs || !content) return null;
      const cap = customs.times(us_content_cap_pct).div(100);
      const counted = content.gt(cap) ? cap : content;
      return customs.gt(counted) ? customs.minus(counted) : Big(0);
    }
  }
}

/**
 * Returns the sum of the column 1 or column 2 duty and the Section 232 duties, or null if any of these duties is
 * unknown.
 */
function combinedOf(duties: readonly AssessedDuty[], facts: AssessFacts, origin: string): Decimal | null {
  if (duties.some(({ amount }) => amount === null)) return null;
  const own = sum(duties.map(({ amount }) => Big(amount!)));
  if (duties.some(duty => duty.includes_column1)) return own;
  const customs = amountOf(facts.customs_value);
  const rate = COLUMN_2.includes(origin) ? facts.column2_rate_pct : facts.column1_rate_pct;
  if (rate === 0) return own;
  if (!customs || rate == null) return null;
  return own.plus(Big(toCents(customs.times(rate).div(100))));
}

/**
 * Adds the declared duties outside Section 232 to a sum, or returns null if the amount of a declared duty is unknown.
 */
function totalOf(combined: Decimal, facts: AssessFacts): Decimal | null {
  const customs = amountOf(facts.customs_value);
  const others = (facts.other_duties ?? []).map(({ rate_pct, amount }) => {
    if (amount != null) return amountOf(amount);
    if (rate_pct == null) return null;
    return customs && Big(toCents(customs.times(rate_pct).div(100)));
  });
  return others.includes(null) ? null : combined.plus(sum(others as Decimal[]));
}

function rateOf(total: Decimal, facts: AssessFacts): number | null {
  const customs = amountOf(facts.customs_value);
  return customs?.gt(0) ? Number(total.div(customs).times(100).round(4, Big.roundHalfUp)) : null;
}

function missingOf(
  variants: readonly DecidedVariant[],
  outcomes: readonly ComputedOutcome[],
  facts: AssessFacts,
  origin: string,
  dataset: Dataset,
): MissingFact[] {
  const missing = new Map<string, MissingFact>();
  const add = (fact: string, values: string[] = [], decides: MissingFact['decides'] = []) => {
    if (!missing.has(fact)) missing.set(fact, { fact, values, decides });
  };
  if (outcomes.length > 1) {
    const codes = variants.flatMap(variant => variant.codes).flatMap(code => (code === null ? [] : [code]));
    const byCode = indexesOf(outcomes, ({ id }) => id === 'code');
    if (byCode.length > 0) {
      add('code', codes.sort().map(formatHtsCode), [{ id: 'code', text: 'the full HTS number', outcomes: byCode }]);
    }
    for (const { open, tests } of variants.flatMap(({ decisions }) => decisions.openFacts)) {
      const conditions = new Map(
        outcomes.flatMap(({ when }) =>
          when.flat().flatMap(({ id, text }) => {
            const { test } = dataset.conditions[id] ?? {};
            return test && comparisonsOf(test).some(({ fact }) => fact === open.fact) ? [[id, text] as const] : [];
          }),
        ),
      );
      const decides = [...conditions].map(([id, text]) => ({
        id,
        text,
        outcomes: indexesOf(outcomes, assumption => assumption.id === id),
      }));
      if (decides.length === 0) continue;
      for (const { field, values } of factFields(open.fact, tests, open.metals, facts, factValuesOf(dataset))) {
        add(field, values, decides);
      }
    }
  }
  for (const { duties } of outcomes) {
    for (const duty of duties) {
      if (duty.amount !== null || duty.rate_pct === null) continue;
      for (const field of baseFields(duty)) if (facts[field] == null) add(field);
    }
  }
  const column = COLUMN_2.includes(origin) ? 'column2_rate_pct' : 'column1_rate_pct';
  const needsColumn1 = outcomes.some(({ duties }) => duties.every(duty => !duty.includes_column1));
  if (needsColumn1 && facts[column] == null) add(column);
  const hasRate = (facts.other_duties ?? []).some(({ amount, rate_pct }) => amount == null && rate_pct != null);
  if ((hasRate || (needsColumn1 && facts[column] !== 0)) && facts.customs_value == null) add('customs_value');
  facts.other_duties?.forEach(({ amount, rate_pct }, index) => {
    if (amount == null && rate_pct == null) add(`other_duties.${index}.rate_pct`);
  });
  return [...missing.values()];
}

/** Returns the indexes of the outcomes that have a matching assumption. */
function indexesOf(outcomes: readonly ComputedOutcome[], matches: (assumption: Assumption) => boolean): number[] {
  return outcomes.flatMap(({ when }, index) => (when.flat().some(matches) ? [index] : []));
}

function baseFields({ base, program }: AssessedDuty): ('customs_value' | 'us_content_value' | `${Metal}_value`)[] {
  switch (base.kind) {
    case 'full_customs_value':
      return ['customs_value'];
    case 'metal_content_value':
      return [`${program as Metal}_value`];
    case 'copper_content_value':
      return ['copper_value'];
    case 'non_us_content_value':
      return ['customs_value', 'us_content_value'];
  }
}

function allCaveats(
  outcomes: readonly ComputedOutcome[],
  variants: readonly DecidedVariant[],
  date: string,
  { certification }: AssessFacts,
  dataset: Dataset,
): Caveat[] {
  const caveats = caveatsOf(
    dataset,
    variants.flatMap(({ decisions }) =>
      decisions.decisions.flatMap(({ duties }) => duties.flatMap(duty => duty.caveats)),
    ),
  );
  const printed = outcomes.flatMap(({ duties }) => duties.filter(({ dated_by }) => 'first_printed' in dated_by));
  if (printed.length > 0) {
    const headings = [...new Set(printed.map(({ heading }) => heading))].join(', ');
    caveats.push({
      id: 'first_printed_date',
      text: `For ${headings}, the effective date is the date of the first HTS edition that includes the heading. The legal effective date might be earlier.`,
    });
  }
  const isCertified = certification != null && certification !== 'none';
  if (
    isCertified &&
    !outcomes.some(({ duties }) =>
      duties.some(({ heading }) => factValuesOf(dataset).certifiedHeadings.has(heading ?? '')),
    )
  ) {
    caveats.push({
      id: 'certification_not_assessed',
      text: 'For this code, the data set doesn’t contain a heading that requires the specified certification. A certified part that isn’t on the lists can be subject to the duty in U.S. note 33(p) or 38(j). The assessment doesn’t compute that duty.',
    });
  }
  const outdated = notice(date, dataset);
  if (outdated !== null) caveats.push({ id: 'after_known_through', text: outdated });
  return caveats;
}

function amountOf(value: number | string | null | undefined): Decimal | null {
  return value == null ? null : Big(value);
}

function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((total, amount) => total.plus(amount), Big(0));
}

/** Formats an amount as US dollars, for example `$12,345.67`. */
function dollars(amount: Decimal): string {
  return `$${amount.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`;
}

/** Rounds an amount half up to the cent. */
function toCents(amount: Decimal): number {
  return Number(amount.round(2, Big.roundHalfUp));
}
