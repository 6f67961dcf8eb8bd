import { describe, expect, it } from 'vitest';
import type { AlternativeHeading, TariffList, Term } from '../dataset/dataset.ts';
import { compareHeadings, type HeadingData, usesOf } from './compare-headings.ts';
import type { PrintedHeading } from './printed-headings.ts';

const PLUS_25 = 'The duty provided in the applicable subheading + 25%';
const cited = { citation: 'Proclamation 1', sources: ['p1'] };
const from2025 = { effective_from: '2025-03-01', effective_to: null, dated_by: { legal: 'Proclamation 1' } };
const term = (heading: string, change: Partial<Term> = {}): Term => ({
  ...from2025,
  annex: null,
  headings: [heading],
  rate_pct: 25,
  rate_type: 'additional',
  value_basis: 'full_customs_value',
  ...cited,
  ...change,
});
const list = (...terms: Term[]): TariffList => ({
  id: 'steel',
  title: 'Steel',
  program: 'steel',
  role: 'article',
  note: 'U.S. note 16(b), subchapter III, chapter 99, HTS',
  terms,
  batches: [{ ...from2025, ...cited, provisions: ['7208'] }],
});
const other = (heading: string, change: Partial<AlternativeHeading> = {}): AlternativeHeading => ({
  ...from2025,
  headings: [heading],
  rate_pct: 10,
  rate_type: 'total_floor',
  lists: ['steel'],
  when: [],
  ...cited,
  ...change,
});
const CONDITIONS: HeadingData['conditions'] = {
  column_1_15: { text: 'column 1', test: { fact: 'column1_rate_pct', at_least: 15 } },
  quota: { text: 'quota', test: { fact: 'quota', is: 'steel:in_quota' } },
  usmca: { text: 'USMCA', test: { fact: 'usmca_qualifying', is: true } },
  russia: { text: 'Russia', test: { fact: 'smelted_or_cast_in', is: 'RU' } },
};
const data = (terms: Term[], headings: AlternativeHeading[] = []): HeadingData => ({
  lists: [list(...terms)],
  headings,
  conditions: CONDITIONS,
});
const printed = (heading: string, change: Partial<PrintedHeading> = {}): PrintedHeading => ({
  heading,
  text: 'Articles of steel, as provided for in U.S. note 16',
  general: PLUS_25,
  special: PLUS_25,
  other: PLUS_25,
  ...change,
});
const all = (rate: string) => ({ general: rate, special: rate, other: rate });
const DAYS = { from: '2025-04-01', to: '2025-04-30' };
const differences = (rows: PrintedHeading[], facts: HeadingData, days = DAYS) =>
  compareHeadings(rows, days, facts).differences.map(({ heading, kind, days: { from, to } }) => [
    heading,
    kind,
    from,
    to,
  ]);
const kinds = (row: Partial<PrintedHeading>, terms: Partial<Term>, alternatives: AlternativeHeading[] = []) =>
  compareHeadings([printed('9903.80.01', row)], DAYS, data([term('9903.80.01', terms)], alternatives))
    .differences.filter(({ heading }) => heading === '9903.80.01')
    .map(({ kind }) => kind);
const kindsOf = (row: Partial<PrintedHeading>, alternative: Partial<AlternativeHeading>) =>
  compareHeadings(
    [
      printed('9903.80.01'),
      printed('9903.80.02', { text: 'Steel the product of Japan', ...all('10%'), other: 'No change', ...row }),
    ],
    DAYS,
    data([term('9903.80.01')], [other('9903.80.02', { origins: ['JP'], ...alternative })]),
  ).differences.map(({ heading, kind }) => [heading, kind]);

describe('compareHeadings', () => {
  it('counts the compared headings and returns no differences if the edition matches the data set', () => {
    const { compared, differences } = compareHeadings([printed('9903.80.01')], DAYS, data([term('9903.80.01')]));
    expect([compared, differences]).toEqual([['9903.80.01'], []]);
  });

  it('reports the days when a heading applies but is not printed', () => {
    const facts = data([term('9903.80.01', { effective_from: '2025-04-11', effective_to: '2025-04-20' })]);
    expect(differences([], facts)).toEqual([['9903.80.01', 'not_printed', '2025-04-11', '2025-04-20']]);
    expect(differences([], facts, { from: '2025-04-21', to: '2025-04-30' })).toEqual([]);
  });

  it('reports the days when a printed heading does not apply, and still compares its text', () => {
    const facts = data([term('9903.80.01', { effective_to: '2025-04-10' })]);
    expect(differences([printed('9903.80.01')], facts)).toEqual([
      ['9903.80.01', 'not_in_force', '2025-04-11', '2025-04-30'],
    ]);
    expect(differences([printed('9903.80.01', all('30%'))], facts)).toEqual([
      ['9903.80.01', 'rate', '2025-04-01', '2025-04-10'],
      ['9903.80.01', 'not_in_force', '2025-04-11', '2025-04-30'],
      ['9903.80.01', 'rate', '2025-04-11', '2025-04-30'],
    ]);
    expect(differences([printed('9903.80.01')], facts, { from: '2025-02-01', to: '2025-02-28' })).toEqual([
      ['9903.80.01', 'not_in_force', '2025-02-01', '2025-02-28'],
    ]);
  });

  it('reports a difference in rates only for the days when the rates differ', () => {
    const facts = data([
      term('9903.80.01', { effective_to: '2025-04-20' }),
      term('9903.80.01', { effective_from: '2025-04-21', rate_pct: 50 }),
    ]);
    expect(differences([printed('9903.80.01')], facts)).toEqual([['9903.80.01', 'rate', '2025-04-21', '2025-04-30']]);
  });

  it('compares every row of a heading that is printed twice', () => {
    const rows = [printed('9903.80.01', all('30%')), printed('9903.80.01')];
    expect(differences(rows, data([term('9903.80.01')])).map(([, kind]) => kind)).toEqual(['rate']);
  });

  it('skips headings that an extract does not cover', () => {
    const facts = data([term('9903.80.01'), term('9903.96.01')]);
    expect(compareHeadings([], DAYS, facts, usesOf(facts), { covers: () => false }).compared).toEqual([]);
  });

  it.each<[string, Partial<PrintedHeading>, Partial<Term>, string[]]>([
    ['another rate', all('The duty provided in the applicable subheading + 20%'), {}, ['rate']],
    ['a total rate instead of an additional one', all('25%'), {}, ['rate']],
    ['no additional duty', all('No change'), {}, ['rate']],
    ['an unknown wording', { general: 'Free + 25%' }, {}, ['unreadable']],
    [
      'another value',
      all(`${PLUS_25.replace('25%', 'a duty of 25%')} upon the value of the steel content`),
      {},
      ['value_basis'],
    ],
    ['the full value when only the content is dutiable', {}, { value_basis: 'metal_content_value' }, ['value_basis']],
    ['another rate in column 1 special', { special: '25%' }, {}, ['column']],
    ['no additional duty in column 1 special', { special: 'No change' }, {}, ['column']],
    ['no additional duty in column 2', { other: 'No change' }, {}, ['column']],
    ['no rate in column 2', { other: '' }, {}, ['column']],
    ['a country', { text: 'Articles of steel the product of Japan' }, {}, ['country']],
    ['an excepted country', { text: 'Articles of steel, except products of Japan' }, {}, ['country']],
    [
      'a column 1 limit',
      { text: 'rate of duty under column 1 equal to or greater than 15 percent' },
      {},
      ['condition'],
    ],
    ['a quota', { text: 'Articles of steel, if entered in aggregate quantities' }, {}, ['condition']],
    ['privileged foreign status', { text: 'admitted under "privileged foreign status"' }, {}, ['condition']],
  ])('reports a difference if an edition prints %s', (_, row, terms, expected) => {
    expect(kinds(row, terms)).toEqual(expected);
  });

  it('accepts an empty column 1 special rate', () => {
    expect(kinds({ special: '' }, {})).toEqual([]);
  });

  it('accepts printed exceptions that the data set models as alternative headings', () => {
    const row = { text: 'Articles of steel, except products of Japan', other: 'No change' };
    const elsewhere = [
      other('9903.80.02', { origins: ['JP'] }),
      other('9903.80.03', { origins: ['BY', 'CU', 'KP', 'RU'] }),
    ];
    expect(kinds(row, {}, elsewhere)).toEqual([]);
  });

  it.each<[string, Partial<PrintedHeading>, Partial<AlternativeHeading>, string[]]>([
    ['the same country', { text: 'Steel the product of Japan' }, {}, []],
    ['no country', { text: 'Steel as provided for in subdivision (d)' }, {}, ['country']],
    ['another country', { text: 'Steel the product of Taiwan' }, {}, ['country']],
    ['one country fewer', { text: 'Steel the product of Japan' }, { origins: ['JP', 'TW'] }, ['country']],
    ['the limit of a minimum rate', { text: 'Products of Japan under column 1 less than 10 percent' }, {}, []],
    [
      'a limit other than the minimum rate',
      { text: 'Products of Japan under column 1 less than 15 percent' },
      {},
      ['condition'],
    ],
    ['no limit on the column 1 rate', all('No change'), { rate_type: 'none', when: ['column_1_15'] }, ['condition']],
    [
      'the same limit on the column 1 rate',
      { ...all('No change'), text: 'Products of Japan under column 1 equal to or greater than 15 percent' },
      { rate_type: 'none', when: ['column_1_15'] },
      [],
    ],
    ['the same quota', { text: 'Products of Japan, if entered in aggregate quantities' }, { when: ['quota'] }, []],
  ])('compares an alternative heading with printed text that states %s', (_, row, alternative, expected) => {
    expect(kindsOf(row, alternative)).toEqual(expected.map(kind => ['9903.80.02', kind]));
  });

  it('accepts a rate that is printed only in column 1 special if the heading requires a trade preference', () => {
    const row = { general: 'No change', special: PLUS_25, other: 'No change' };
    const rate = { rate_pct: 25, rate_type: 'additional' as const };
    expect(kindsOf(row, { ...rate, when: ['usmca'] })).toEqual([]);
    expect(kindsOf(row, { ...rate, when: ['quota'] })).toEqual([['9903.80.02', 'column']]);
  });

  it('accepts "No change" in column 1 special for countries without a special rate', () => {
    expect(kindsOf({ special: 'No change', text: 'Products of the United Kingdom' }, { origins: ['GB'] })).toEqual([]);
    expect(kindsOf({ special: 'No change' }, {})).toEqual([['9903.80.02', 'column']]);
  });

  it('compares the country in a country-of-smelt condition', () => {
    const text = 'Aluminum that is the product of Russia, or smelted in Russia';
    const { origins: _, ...anyOrigin } = other('9903.80.02', {
      rate_pct: 25,
      rate_type: 'additional',
      when: ['russia'],
    });
    const facts = data([term('9903.80.01')], [anyOrigin]);
    expect(differences([printed('9903.80.01'), printed('9903.80.02', { text })], facts)).toEqual([]);
    const elsewhere = printed('9903.80.02', { text: text.replaceAll('Russia', 'Japan') });
    expect(differences([printed('9903.80.01'), elsewhere], facts).map(([, kind]) => kind)).toEqual(['country']);
  });

  it('accepts companion headings with the main heading’s rate or without an additional duty', () => {
    const companion_headings = [
      { heading: '9903.80.03', applies_to: 'privileged_foreign_status' as const },
      { heading: '9903.80.04', applies_to: 'us_content' as const },
    ];
    const facts = data([term('9903.80.01', { companion_headings })]);
    const rows = [
      printed('9903.80.01'),
      printed('9903.80.03', { text: 'admitted in privileged foreign status' }),
      printed('9903.80.04', all('No change')),
    ];
    expect(differences(rows, facts)).toEqual([]);
    expect(
      differences([rows[0]!, printed('9903.80.03'), printed('9903.80.04')], facts).map(([heading, kind]) => [
        heading,
        kind,
      ]),
    ).toEqual([
      ['9903.80.03', 'condition'],
      ['9903.80.04', 'rate'],
    ]);
  });
});
