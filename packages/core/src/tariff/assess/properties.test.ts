import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATASET } from '../dataset/dataset.ts';
import { PROVISIONS } from '../dataset/testing/bundled.ts';
import { lookup } from '../lookup/lookup.ts';
import { type Article, type AssessedDuty, type Assessment, assess } from './assess.ts';
import { type AssessFacts, contradictionIn } from './facts.ts';
import { FACT_KINDS, issueInFacts } from './validate-facts.ts';

const RUNS = { numRuns: 300 };

/** Generates listed HTS numbers, their prefixes, and prefixes with two digits appended. */
const code = fc
  .tuple(fc.constantFrom(...PROVISIONS.map(({ prefix }) => prefix)), fc.constantFrom(4, 6, 8, 10), fc.nat(99))
  .map(([prefix, length, suffix]) => {
    const digits = prefix.slice(0, length);
    return suffix < 20 && digits.length < 10 ? `${digits}${`${suffix}`.padStart(2, '0')}` : digits;
  });

/** First and last days of batches, terms, and headings, and the day before each of those days. */
const dates = [
  ...new Set(
    [...DATASET.headings, ...DATASET.lists.flatMap(({ terms, batches }) => [...terms, ...batches])]
      .flatMap(({ effective_from, effective_to }) => [effective_from, effective_to])
      .flatMap(day => (day === null ? [] : [day, dayBefore(day)])),
  ),
].sort();
const as_of = fc.constantFrom(...dates, '2026-10-01', '2026-05-01');
const origin = fc.constantFrom('CN', 'JP', 'DE', 'KR', 'GB', 'CA', 'MX', 'TW', 'CH', 'RU', 'US', 'VN');

const money = fc.oneof(
  fc.constantFrom(0, 1, 0.01, 10000, 1e12, '0.005', '1250.50', '33.335'),
  fc.integer({ min: 0, max: 1e9 }).map(cents => cents / 100),
);
const percent = fc.constantFrom(0, 1, 14.9, 15, 50, 84.9, 85, 94, 95, 99.9, 100);
const rate = fc.constantFrom(0, 2.5, 9.9, 10, 14.999, 15, 25, 100);
const shares = fc.record({ steel: percent, aluminum: percent, copper: percent });
const listedValues = (fact: string) => [
  ...new Set(JSON.stringify(DATASET.conditions).match(new RegExp(`(?<="fact":"${fact}","is":")[^"]+`, 'g')) ?? []),
];
const choice = (fact: string) => fc.constantFrom(...listedValues(fact), 'none', 'other');
const choices = (fact: string) => fc.oneof(choice(fact), fc.uniqueArray(choice(fact), { minLength: 1, maxLength: 3 }));
const countries = fc.oneof(
  fc.constantFrom('US', 'GB', 'RU', 'CN', 'unknown'),
  fc.uniqueArray(fc.constantFrom('US', 'GB', 'RU', 'CN', 'unknown'), { minLength: 1, maxLength: 3 }),
);

const QUOTAS = [...new Set(listedValues('quota').map(value => value.split(':')[0]!))];

const VALUES: { [Name in keyof AssessFacts]-?: fc.Arbitrary<NonNullable<AssessFacts[Name]>> } = {
  customs_value: money,
  column1_rate_pct: rate,
  column1_program: fc.constantFrom('KR', 'S'),
  column2_rate_pct: rate,
  steel_value: money,
  aluminum_value: money,
  copper_value: money,
  steel_weight_pct: percent,
  aluminum_weight_pct: percent,
  copper_weight_pct: percent,
  us_origin_pct: shares,
  uk_origin_pct: shares,
  melted_and_poured_in: countries,
  smelted_or_cast_in: countries,
  us_content_value: money,
  usmca_qualifying: fc.boolean(),
  certification: choices('certification'),
  commerce_approval: choices('commerce_approval'),
  commerce_authorization: choices('commerce_authorization'),
  company_agreement: choices('company_agreement'),
  end_use: choice('end_use'),
  quota: fc.record(Object.fromEntries(QUOTAS.map(name => [name, fc.constantFrom('in_quota', 'over_quota')]))),
  technical: fc.oneof(
    fc.boolean(),
    fc.record({
      total_processing_performance: fc.constantFrom(0, 14000, 15000, 20900, 30000),
      dram_bandwidth_gb_s: fc.constantFrom(0, 4600, 6000, 9000),
    }),
  ),
  patented: fc.boolean(),
  generic: fc.boolean(),
  thermal_imaging: fc.boolean(),
  model_year: fc.integer({ min: 1990, max: 2027 }),
  other_duties: fc.array(fc.record({ program: fc.constantFrom('301', 'AD'), rate_pct: rate }), { maxLength: 2 }),
};
const facts = (fc.record(VALUES, { requiredKeys: [] }) as fc.Arbitrary<AssessFacts>).filter(
  each => contradictionIn(each) === null,
);
const article = fc.record({ code, as_of, origin, facts }) as fc.Arbitrary<Required<Article>>;

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

const outcomesOf = ({ duties, total_232, outcomes }: Assessment) =>
  duties === null ? outcomes : [{ when: [], duties, total_232 }];

/** Returns an outcome's duties without their amounts. */
const rates = (duties: readonly AssessedDuty[]) =>
  duties.map(({ heading, program, base, rate_pct }) => [heading, program, base.kind, rate_pct]);
const amounts = (duties: readonly AssessedDuty[]) => duties.map(({ amount }) => amount);

describe('assess with any code, date, origin, and facts', () => {
  it('generates a value for every supported fact', () => {
    expect(Object.keys(VALUES)).toEqual(Object.keys(FACT_KINDS));
  });

  it('returns the same assessment for the same article', () => {
    fc.assert(
      fc.property(article, each => {
        expect(assess(structuredClone(each))).toEqual(assess(each));
      }),
      RUNS,
    );
  });

  it('returns a Section 232 total that equals the sum of its duties and never exceeds the combined totals', () => {
    fc.assert(
      fc.property(article, each => {
        const result = assess(each);
        for (const { duties, total_232 } of outcomesOf(result)) {
          const parts = amounts(duties);
          if (parts.includes(null)) expect(total_232).toBeNull();
          else
            expect(total_232).toBeCloseTo(
              (parts as number[]).reduce((sum, part) => sum + part, 0),
              1,
            );
        }
        const { total, combined_column1_and_232: combined, total_232 } = result;
        if (combined !== null) expect(combined).toBeGreaterThanOrEqual(total_232!);
        if (total !== null) expect(total).toBeGreaterThanOrEqual(combined!);
      }),
      RUNS,
    );
  });

  it('doesn’t add an outcome when another fact becomes known', () => {
    const names = Object.keys(VALUES) as (keyof AssessFacts)[];
    fc.assert(
      fc.property(article, facts, fc.shuffledSubarray(names, { minLength: 1 }), (each, added, order) => {
        let known: AssessFacts = { ...each.facts };
        let before = outcomesOf(assess({ ...each, facts: known }));
        for (const name of order) {
          if (known[name] != null || added[name] == null) continue;
          const more = { ...known, [name]: added[name] };
          if (contradictionIn(more) !== null) continue;
          known = more;
          const after = outcomesOf(assess({ ...each, facts: known }));
          const possible = before.map(({ duties }) => JSON.stringify(rates(duties)));
          for (const { duties } of after) {
            expect(possible, `with ${name}`).toContain(JSON.stringify(rates(duties)));
            const same = before.filter(
              outcome => JSON.stringify(rates(outcome.duties)) === JSON.stringify(rates(duties)),
            );
            const isPossible = same.some(outcome =>
              amounts(outcome.duties).every((amount, index) => amount === null || amount === duties[index]!.amount),
            );
            expect(isPossible, `the amounts with ${name}`).toBe(true);
          }
          before = after;
        }
      }),
      RUNS,
    );
  });

  it('returns either the duties or at least two possible outcomes', () => {
    fc.assert(
      fc.property(article, each => {
        const { duties, outcomes, total_232, total_232_range, missing } = assess(each);
        if (duties !== null) {
          expect([outcomes, total_232_range]).toEqual([[], null]);
          return;
        }
        expect(outcomes.length).toBeGreaterThan(1);
        expect([total_232, missing.length > 0]).toEqual([null, true]);
        const distinct = new Set(
          outcomes.map(outcome => JSON.stringify([rates(outcome.duties), amounts(outcome.duties)])),
        );
        expect(distinct.size).toBe(outcomes.length);
        for (const { when } of outcomes) expect(when.flat().length).toBeGreaterThan(0);
      }),
      RUNS,
    );
  });

  it('lists missing facts whose field names and sample values are valid input', () => {
    fc.assert(
      fc.property(article, each => {
        for (const { fact, values } of assess(each).missing) {
          if (fact === 'code') continue;
          const [field] = fact.split('.') as [keyof AssessFacts];
          expect(Object.keys(VALUES)).toContain(field);
          for (const value of fact.includes('.') ? [] : values) {
            const accepted = ['true', 'false'].includes(value) ? value === 'true' : value;
            expect(issueInFacts({ [field]: accepted })).toBeNull();
          }
        }
      }),
      RUNS,
    );
  });

  it('returns one of the previously listed outcomes once every fact is known', () => {
    fc.assert(
      fc.property(article, each => {
        const { duties, outcomes, missing } = assess({ ...each, facts: {} });
        if (duties !== null || missing.some(({ fact }) => fact === 'code')) return;
        const known = assess({ ...each, facts: COMPLETE });
        expect(known.duties).not.toBeNull();
        expect(outcomes.map(outcome => JSON.stringify(rates(outcome.duties)))).toContain(
          JSON.stringify(rates(known.duties!)),
        );
      }),
      RUNS,
    );
  });

  it('returns only duties that lookup also lists as outcomes for the code', () => {
    fc.assert(
      fc.property(article, each => {
        const { results } = lookup([each.code], { asOf: each.as_of, origin: each.origin });
        const possible = results[0]!.matches.flatMap(({ outcomes }) =>
          outcomes.map(({ headings, program, rate_pct, rate_type, value_basis }) =>
            JSON.stringify([headings[0] ?? null, program, value_basis, rate_type === 'none' ? 0 : rate_pct]),
          ),
        );
        for (const { duties } of outcomesOf(assess(each))) {
          for (const duty of duties) expect(possible).toContain(JSON.stringify(rates([duty])[0]));
        }
      }),
      RUNS,
    );
  });
});

/** Facts with a value for every field that conditions refer to. */
const COMPLETE: AssessFacts = {
  column1_rate_pct: 2.5,
  column2_rate_pct: 2.5,
  steel_weight_pct: 20,
  aluminum_weight_pct: 20,
  copper_weight_pct: 20,
  us_origin_pct: { steel: 0, aluminum: 0, copper: 0 },
  uk_origin_pct: { steel: 0, aluminum: 0, copper: 0 },
  melted_and_poured_in: 'CN',
  smelted_or_cast_in: 'CN',
  usmca_qualifying: false,
  certification: 'none',
  commerce_approval: 'none',
  commerce_authorization: 'none',
  company_agreement: 'none',
  end_use: 'other',
  quota: Object.fromEntries(QUOTAS.map(name => [name, 'over_quota' as const])),
  technical: false,
  patented: false,
  generic: false,
  thermal_imaging: false,
  model_year: 2024,
};
