import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATASET, type Dataset } from '../dataset/dataset.ts';
import { PROVISIONS } from '../dataset/testing/bundled.ts';
import { addDays } from '../dates.ts';
import { prepareLookup } from '../lookup/lookup.ts';
import { changedDataset, listNamed } from './testing/changed-dataset.ts';
import { changesInEffect, compareWatchedCodes, type WatchChange, type WatchedCode } from './watch.ts';
import { resultKey, watchedResultOf } from './watched-result.ts';

const TODAY = '2026-11-23';
const BOLT: WatchedCode = { reference: 'BOLT', code: '7318.15.2061', origin: 'CN' };
const SOFA: WatchedCode = { reference: 'SOFA', code: '9401.61.4011', origin: null };
const HORSE: WatchedCode = { reference: 'HORSE', code: '0101.21.00', origin: 'DE' };

/** Ends the last term of a list's duty and adds a new term. */
function changeRate(dataset: Dataset, list: string, from: string, rate_pct: number): void {
  const { terms } = listNamed(dataset, list);
  const last = terms.at(-1)!;
  last.effective_to = addDays(from, -1);
  const dated_by = { legal: 'Proclamation 12345' };
  terms.push({ ...last, effective_from: from, effective_to: null, dated_by, rate_pct, citation: 'Proclamation 12345' });
}

const summary = ({ reference, date, until, before, after, citations }: WatchChange) => ({
  ...{ reference, date, until, citations },
  before: before.duties.map(({ rate_pct }) => rate_pct),
  after: after.duties.map(({ rate_pct }) => rate_pct),
});

describe('compareWatchedCodes', () => {
  it('reports a rate that changes today, with the old duty, the new duty, and the citation', () => {
    const after = changedDataset(dataset => changeRate(dataset, 'steel-16c-iv', '2026-11-20', 60));
    const result = compareWatchedCodes([HORSE, BOLT, SOFA], { before: DATASET, after, asOf: TODAY });
    expect(result.changes.map(summary)).toEqual([
      {
        reference: 'BOLT',
        date: TODAY,
        until: null,
        before: [50],
        after: [60],
        citations: [expect.stringContaining('Proclamation 12345')],
      },
    ]);
    expect(result.changes[0]!.after.duties[0]!.duty_from).toBe('2026-11-20');
    expect(result).toMatchObject({ issues: [], before: { version: DATASET.version }, after: { version: '2099.1.1' } });
  });

  it('reports a rate that changes on a later date, and a date that was postponed', () => {
    const announced = changedDataset(dataset => changeRate(dataset, 'steel-16c-iv', '2027-02-01', 25));
    const [change] = compareWatchedCodes([BOLT], { before: DATASET, after: announced, asOf: TODAY }).changes;
    expect(summary(change!)).toMatchObject({ date: '2027-02-01', until: null, before: [50], after: [25] });

    const postponed = changedDataset(dataset => changeRate(dataset, 'steel-16c-iv', '2027-04-01', 25));
    const { changes } = compareWatchedCodes([BOLT], { before: announced, after: postponed, asOf: TODAY });
    expect(changes.map(summary)).toMatchObject([
      { date: '2027-02-01', until: '2027-03-31', before: [25], after: [50] },
    ]);
  });

  it('reports a code that is removed from or added to a list, and cites the act that removed the code', () => {
    const without = changedDataset(dataset => {
      const { batches } = listNamed(dataset, 'steel-16c-iv');
      const removed = batches.flatMap(({ provisions }) => provisions).filter(each => `${each}`.startsWith('7318.15'));
      for (const batch of batches) batch.provisions = batch.provisions.filter(each => !removed.includes(each));
      dataset.removals.push({
        id: 'removal',
        title: 'Removal',
        effective: '2026-11-20',
        citation: 'Proclamation 12345, Annex II',
        sources: [Object.keys(dataset.sources)[0]!],
        removed: { steel: removed.map(String) },
      });
    });
    const left = compareWatchedCodes([BOLT], { before: DATASET, after: without, asOf: TODAY }).changes;
    expect(left).toMatchObject([
      { before: { status: 'hit' }, after: { status: 'not_covered' }, citations: ['Proclamation 12345, Annex II'] },
    ]);
    const joined = compareWatchedCodes([BOLT], { before: without, after: DATASET, asOf: TODAY }).changes;
    expect(joined).toMatchObject([{ before: { status: 'not_covered' }, after: { status: 'hit' } }]);
    expect(joined[0]!.citations[0]).toContain('Proclamation 11021 (91 FR 18201), Annex I-A');
  });

  it('reports a new origin-specific heading only for codes with that origin', () => {
    const after = changedDataset(dataset => {
      dataset.headings.unshift({
        headings: ['9903.82.99'],
        rate_pct: 10,
        rate_type: 'additional',
        lists: ['steel-16c-iv'],
        origins: ['CH'],
        when: [],
        effective_from: '2027-01-15',
        effective_to: null,
        dated_by: { legal: 'Agreement with Switzerland' },
        citation: 'Agreement with Switzerland',
        sources: [Object.keys(dataset.sources)[0]!],
      });
    });
    const codes = ['CN', 'CH', 'JP'].map(origin => ({ ...BOLT, reference: origin, origin }));
    const { changes } = compareWatchedCodes(codes, { before: DATASET, after, asOf: TODAY });
    expect(changes.map(summary)).toMatchObject([{ reference: 'CH', date: '2027-01-15', after: [10] }]);
    expect(changes[0]!.citations[0]).toContain('Agreement with Switzerland');
  });

  it('reports no changes if the new data set doesn’t change any results', () => {
    const after = changedDataset(dataset => {
      dataset.known_through = '2099-01-01';
      for (const { terms } of dataset.lists) for (const term of terms) term.citation += ' (corrected)';
    });
    expect(compareWatchedCodes([BOLT, SOFA], { before: DATASET, after, asOf: TODAY }).changes).toEqual([]);
  });

  it('reports invalid codes and origins by position and still evaluates the other codes', () => {
    const after = changedDataset(dataset => changeRate(dataset, 'steel-16c-iv', '2026-11-20', 60));
    const codes = [{ ...BOLT, code: 'bolts' }, { ...BOLT, origin: 'ZZ' }, BOLT];
    const { changes, issues } = compareWatchedCodes(codes, { before: DATASET, after, asOf: TODAY });
    expect(changes).toHaveLength(1);
    expect(issues).toMatchObject([
      { index: 0, field: 'code', message: expect.stringContaining('Not an HTS code') },
      { index: 1, field: 'origin', message: expect.stringContaining('country of origin') },
    ]);
  });
});

describe('changesInEffect', () => {
  it('reports the changes that take effect after one date and on or before another', () => {
    const all = changesInEffect([SOFA], { dataset: DATASET, after: TODAY, through: null }).changes;
    expect(all.map(summary)).toMatchObject([{ date: '2027-01-01', until: null, before: [25], after: [30] }]);
    const none = { after: TODAY, through: '2026-12-31' };
    expect(changesInEffect([SOFA], { dataset: DATASET, ...none }).changes).toEqual([]);
    const day = { after: '2026-12-31', through: '2027-01-01' };
    expect(changesInEffect([SOFA], { dataset: DATASET, ...day }).changes).toHaveLength(1);
    const later = { after: '2027-01-01', through: null };
    expect(changesInEffect([SOFA], { dataset: DATASET, ...later }).changes).toEqual([]);
  });
});

/** All start and end dates in the bundled data set, with the day before and the day after each date. */
const DATES = [
  ...new Set(
    [...DATASET.headings, ...DATASET.stacking, ...DATASET.lists.flatMap(({ terms, batches }) => [...terms, ...batches])]
      .flatMap(({ effective_from, effective_to }) => (effective_to ? [effective_from, effective_to] : [effective_from]))
      .flatMap(day => [addDays(day, -1), day, addDays(day, 1)]),
  ),
].sort();

const code = fc
  .tuple(fc.constantFrom(...PROVISIONS), fc.constantFrom(4, 6, 8, 10), fc.constantFrom('', '00', '17'))
  .map(([{ prefix }, length, more]) => `${prefix.slice(0, length)}${prefix.length <= 8 && length >= 8 ? more : ''}`);
const origin = fc.constantFrom(null, 'CN', 'JP', 'DE', 'EU', 'KR', 'GB', 'CA', 'MX', 'TW', 'CH', 'RU', 'US', 'VN');
const watched = fc.array(
  fc.record({ code, origin }).map(each => ({ ...each, reference: `${each.code} ${each.origin}` })),
  { minLength: 20, maxLength: 60 },
);

/** Generates data sets with one or more random changes to a list, a heading, or the stacking rules. */
const edited = fc
  .record({
    list: fc.nat(DATASET.lists.length - 1),
    heading: fc.nat(DATASET.headings.length - 1),
    date: fc.constantFrom(...DATES),
    edits: fc.subarray(['rate', 'remove', 'end', 'heading', 'unlist', 'stacking'], { minLength: 1 }),
  })
  .map(({ list, heading, date, edits }) =>
    changedDataset(dataset => {
      const { terms, batches } = dataset.lists[list]!;
      const last = terms.at(-1)!;
      const changedHeading = dataset.headings[heading]!;
      if (edits.includes('rate')) for (const term of terms) if (term.rate_type === 'additional') term.rate_pct = 99;
      if (edits.includes('remove')) batches[0]!.provisions = batches[0]!.provisions.slice(0, 1);
      if (edits.includes('end') && last.effective_from <= date) last.effective_to = date;
      if (edits.includes('heading')) changedHeading.rate_pct = 7;
      if (edits.includes('unlist') && changedHeading.effective_from <= date) changedHeading.effective_to = date;
      if (edits.includes('stacking')) dataset.stacking.reverse();
    }),
  );

/** Looks up each code on each date in both data sets. Returns, for each code and date, whether the results differ. */
function naive(codes: readonly WatchedCode[], dates: readonly string[], before: Dataset, after: Dataset) {
  const keyOf = (dataset: Dataset, { code, origin }: WatchedCode, asOf: string) => {
    const lookUp = prepareLookup({ asOf, dataset, ...(origin !== null && { origin }) });
    return resultKey(watchedResultOf(lookUp([code]).results[0]!));
  };
  return codes.map(each => dates.map(date => keyOf(before, each, date) !== keyOf(after, each, date)));
}

describe('comparison of results for watched codes', () => {
  it('reports exactly the dates when lookup results from the two data sets differ', () => {
    fc.assert(
      fc.property(edited, watched, fc.constantFrom(...DATES), fc.subarray(DATES), (after, codes, asOf, some) => {
        const dates = [asOf, ...some.filter(date => date > asOf).slice(0, 12)];
        const { changes, issues } = compareWatchedCodes(codes, { before: DATASET, after, asOf });
        expect(issues).toEqual([]);
        const reported = codes.map(({ reference }) => {
          const own = changes.filter(change => change.reference === reference);
          return dates.map(date => own.some(each => each.date <= date && (each.until === null || date <= each.until)));
        });
        expect(reported).toEqual(naive(codes, dates, DATASET, after));
        for (const change of changes) expect(change.citations.length).toBeGreaterThan(0);
      }),
      { numRuns: 25 },
    );
  });

  it('reports exactly the dates when lookup results from one data set change', () => {
    fc.assert(
      fc.property(watched, fc.constantFrom(...DATES.slice(0, -10)), (codes, start) => {
        const [asOf, through] = [start, DATES[DATES.indexOf(start) + 9]!];
        const days = DATES.filter(date => date > asOf && date <= through);
        const { changes } = changesInEffect(codes, { dataset: DATASET, after: asOf, through });
        for (const { reference, code, origin } of codes) {
          const keyOn = (date: string) => {
            const lookUp = prepareLookup({ asOf: date, ...(origin !== null && { origin }) });
            return resultKey(watchedResultOf(lookUp([code]).results[0]!));
          };
          const expected = days.filter(day => keyOn(addDays(day, -1)) !== keyOn(day));
          const dates = changes.filter(change => change.reference === reference).map(({ date }) => date);
          expect([...new Set(dates)].sort()).toEqual(expected);
        }
      }),
      { numRuns: 10 },
    );
  });
});
