import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EDITION } from '../edition/edition.ts';
import { METALS } from '../edition/programs.ts';
import { listingOn, PROVISIONS, type Provision } from '../edition/provisions.ts';
import { LookupOptionError } from '../lookup/lookup.ts';
import { compare } from './compare.ts';

const name = (change: { program: string; hts: string }) => `${change.program} ${change.hts}`;

describe('comparing the lists on two dates', () => {
  it('finds nothing on one and the same day', () => {
    const diff = compare('2026-06-08', '2026-06-08');
    expect([diff.added, diff.removed, diff.moved, diff.rate_changed]).toEqual([[], [], [], []]);
  });

  it('says what Proclamation 11032 added, removed, moved and charged differently on 2026-06-08', () => {
    const diff = compare('2026-06-07', '2026-06-08');
    expect(diff.added.map(name)).toEqual([
      'aluminum 3701.30.00',
      'steel 8708.29.21.20',
      'aluminum 8708.29.21.30',
      'steel 9403.20.00.75',
      'steel 9403.20.00.82',
      'steel 9403.99.90.40',
    ]);
    expect(diff.removed.map(change => `${name(change)} ${change.still_covered}`)).toEqual([
      'aluminum 8708.29.21 partly',
      'steel 8708.29.21 partly',
    ]);
    const into = (annex: string) => diff.moved.filter(change => change.after!.annex === annex);
    expect(diff.moved.every(change => change.before!.annex === 'I-B')).toBe(true);
    expect([into('I-C').length, into('III').length]).toEqual([28, 37]);
    // Annex III changes the rate, Annex I-C keeps 25 % under the same heading.
    expect(diff.rate_changed.map(name)).toEqual(into('III').map(name));
  });

  it('shows a scheduled rate with both rates', () => {
    const diff = compare('2026-12-31', '2027-01-01');
    const rates = diff.rate_changed.map(change => [name(change), change.before!.rate_pct, change.after!.rate_pct]);
    expect(rates).toContainEqual(['upholstered_furniture 9401.61.40.11', 25, 30]);
    expect(rates).toHaveLength(7);
    expect([diff.added, diff.removed, diff.moved]).toEqual([[], [], []]);
  });

  it('does the same backwards with added and removed exchanged', () => {
    const forwards = compare('2025-08-17', '2026-11-21');
    const backwards = compare('2026-11-21', '2025-08-17');
    expect(backwards.added.map(name)).toEqual(forwards.removed.map(name));
    expect(backwards.removed.map(name)).toEqual(forwards.added.map(name));
    expect(backwards.moved.length).toBe(forwards.moved.length);
  });

  it('names the act that removed a number, and none for one that had not come back yet', () => {
    const removal = (from: string, to: string) =>
      compare(from, to).removed.find(change => name(change).startsWith('aluminum 3701.30.00'));
    expect(removal('2026-04-05', '2026-04-06')!.removed_by).toMatch(/Proclamation 11021/);
    expect(removal('2026-06-08', '2026-04-06')!.removed_by).toBeNull();
  });

  it('takes only the programs that were asked for', () => {
    expect(compare('2026-12-03', '2026-12-04', ['steel', 'aluminum', 'copper']).added).toEqual([]);
    const polysilicon = compare('2026-12-03', '2026-12-04', ['polysilicon']);
    expect([polysilicon.programs, polysilicon.added.length]).toEqual([['polysilicon'], 10]);
  });

  it('cites the act behind each change', () => {
    const [change] = compare('2026-06-07', '2026-06-08').added;
    expect(change!.after!.citation).toMatch(/Proclamation 11032 \(91 FR 34085\).*Annex I-B; U\.S\. note 16\(c\)\(vi\)/);
  });

  it('refuses what is no date', () => {
    expect(() => compare('2026-02-30', '2026-03-01')).toThrow(LookupOptionError);
  });

  it('names every number whose listing is another on the second day, once and in order, and no other', () => {
    const starts = EDITION.lists.flatMap(({ terms, cohorts }) => [...terms, ...cohorts]);
    const date = fc.constantFrom(...new Set(starts.map(({ effective_from }) => effective_from)), '2018-01-01');
    const keyOf = ({ prefix, list }: Provision) => `${prefix} ${list.program}`;
    const on = (day: string) =>
      new Map(
        PROVISIONS.filter(entry => METALS.includes(entry.list.program) && listingOn(entry, day)).map(entry => [
          keyOf(entry),
          entry,
        ]),
      );
    const duty = (entry: Provision, day: string) => {
      const { annex, headings, rate_pct, rate_type, value_basis } = listingOn(entry, day)!.term;
      return { annex, duty: JSON.stringify({ headings, rate_pct, rate_type, value_basis }) };
    };
    const keys = (changes: readonly { program: string; hts: string }[]) =>
      changes.map(({ program, hts }) => `${hts.replaceAll('.', '').replace(/^(\d{8})00$/, '$1')} ${program}`);
    fc.assert(
      fc.property(date, date, (from, to) => {
        const [before, after] = [on(from), on(to)];
        const stayed = [...before].filter(([key]) => after.has(key));
        const other = (field: 'annex' | 'duty') =>
          stayed
            .filter(([key, entry]) => duty(entry, from)[field] !== duty(after.get(key)!, to)[field])
            .map(([key]) => key);
        const diff = compare(from, to, METALS);
        expect(keys(diff.added)).toEqual([...after.keys()].filter(key => !before.has(key)).sort());
        expect(keys(diff.removed)).toEqual([...before.keys()].filter(key => !after.has(key)).sort());
        expect(keys(diff.moved)).toEqual(other('annex').sort());
        expect(keys(diff.rate_changed)).toEqual(other('duty').sort());
        for (const change of [...diff.added, ...diff.moved, ...diff.rate_changed]) {
          expect([change.still_covered, change.removed_by]).toEqual([null, null]);
        }
        for (const [at, change] of diff.removed.entries()) {
          const gone = before.get(keys(diff.removed)[at]!)!;
          const rest = [...after.values()].filter(({ list }) => list.program === gone.list.program);
          const wider = rest.some(({ prefix }) => prefix !== gone.prefix && gone.prefix.startsWith(prefix));
          const within = rest.some(({ prefix }) => prefix !== gone.prefix && prefix.startsWith(gone.prefix));
          expect(change.still_covered).toBe(wider ? 'fully' : within ? 'partly' : 'no');
          const [act = null] = EDITION.removals.filter(
            ({ effective, removed }) =>
              from < effective &&
              effective <= to &&
              keys((removed[gone.list.program] ?? []).map(hts => ({ hts, program: '' }))).includes(`${gone.prefix} `),
          );
          expect(change.removed_by).toBe(act?.citation ?? null);
        }
      }),
      { numRuns: 25 },
    );
  });
});
