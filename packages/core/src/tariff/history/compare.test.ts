import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATASET } from '../dataset/dataset.ts';
import { METALS } from '../dataset/programs.ts';
import { listingOn, type Provision } from '../dataset/provisions.ts';
import { PROVISIONS } from '../dataset/testing/bundled.ts';
import { LookupOptionError } from '../lookup/options.ts';
import { compare, compareForCodes } from './compare.ts';

const KINDS = ['added', 'removed', 'moved', 'rate_changed'] as const;
const name = (change: { program: string; hts: string }) => `${change.program} ${change.hts}`;

describe('compare', () => {
  it('returns no changes when both dates are the same', () => {
    const diff = compare('2026-06-08', '2026-06-08');
    expect([diff.added, diff.removed, diff.moved, diff.rate_changed]).toEqual([[], [], [], []]);
  });

  it('returns the provisions that Proclamation 11032 added, removed, moved, or assigned a new rate on 2026-06-08', () => {
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
    // Moving to Annex III changes the rate. Moving to Annex I-C doesn't change the 25% rate or the heading.
    expect(diff.rate_changed.map(name)).toEqual(into('III').map(name));
  });

  it('returns the rates before and after a scheduled change', () => {
    const diff = compare('2026-12-31', '2027-01-01');
    const rates = diff.rate_changed.map(change => [name(change), change.before!.rate_pct, change.after!.rate_pct]);
    expect(rates).toContainEqual(['upholstered_furniture 9401.61.40.11', 25, 30]);
    expect(rates).toHaveLength(7);
    expect([diff.added, diff.removed, diff.moved]).toEqual([[], [], []]);
  });

  it('returns the full customs value as the value basis for derivative articles in chapter 76, but not in chapter 87, starting 2025-06-04', () => {
    const { rate_changed } = compare('2025-06-03', '2025-06-04');
    const basisAfter = (hts: string) => rate_changed.find(change => change.hts === hts)?.after?.value_basis;
    expect([basisAfter('7614.10.50'), basisAfter('8708.10.30')]).toEqual(['full_customs_value', 'metal_content_value']);
  });

  it('swaps the added and removed provisions if the dates are swapped', () => {
    const forwards = compare('2025-08-17', '2026-11-21');
    const backwards = compare('2026-11-21', '2025-08-17');
    expect(backwards.added.map(name)).toEqual(forwards.removed.map(name));
    expect(backwards.removed.map(name)).toEqual(forwards.added.map(name));
    expect(backwards.moved.length).toBe(forwards.moved.length);
  });

  it('returns the act that removed a provision, or null if the dates are in reverse order', () => {
    const removal = (from: string, to: string) =>
      compare(from, to).removed.find(change => name(change).startsWith('aluminum 3701.30.00'));
    expect(removal('2026-04-05', '2026-04-06')!.removed_by).toMatch(/Proclamation 11021/);
    expect(removal('2026-06-08', '2026-04-06')!.removed_by).toBeNull();
  });

  it('compares only the selected programs', () => {
    expect(compare('2026-12-03', '2026-12-04', ['steel', 'aluminum', 'copper']).added).toEqual([]);
    const polysilicon = compare('2026-12-03', '2026-12-04', ['polysilicon']);
    expect([polysilicon.programs, polysilicon.added.length]).toEqual([['polysilicon'], 10]);
  });

  it('cites the act behind each change', () => {
    const [change] = compare('2026-06-07', '2026-06-08').added;
    expect(change!.after!.citation).toMatch(/Proclamation 11032 \(91 FR 34085\).*Annex I-B; U\.S\. note 16\(c\)\(vi\)/);
  });

  it('rejects an invalid date', () => {
    expect(() => compare('2026-02-30', '2026-03-01')).toThrow(LookupOptionError);
  });

  it('returns each provision whose listing differs between the dates exactly once, in code order', () => {
    const starts = DATASET.lists.flatMap(({ terms, batches }) => [...terms, ...batches]);
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
      const { annex, headings, rate_pct, rate_type, ...term } = listingOn(entry, day)!.term;
      const isFull = term.full_value_chapters?.includes(entry.prefix.slice(0, 2));
      const value_basis = isFull ? 'full_customs_value' : term.value_basis;
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
          const [act = null] = DATASET.removals.filter(
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

describe('compareForCodes', () => {
  const changesOf = (codes: string[], from: string, to: string) => {
    const diff = compareForCodes(codes, from, to);
    return KINDS.flatMap(kind => diff[kind].map(change => [kind, name(change), change.codes]));
  };

  it('returns only changes to provisions that cover a submitted code or are covered by one', () => {
    expect(changesOf(['9403.20.0075', '8708.29', '0101.21.00'], '2026-06-07', '2026-06-08')).toEqual([
      ['added', 'steel 8708.29.21.20', ['8708.29']],
      ['added', 'aluminum 8708.29.21.30', ['8708.29']],
      ['added', 'steel 9403.20.00.75', ['9403.20.0075']],
      ['removed', 'aluminum 8708.29.21', ['8708.29']],
      ['removed', 'steel 8708.29.21', ['8708.29']],
    ]);
    expect(changesOf(['8708.29.2199'], '2026-06-07', '2026-06-08')).toEqual([
      ['removed', 'aluminum 8708.29.21', ['8708.29.2199']],
      ['removed', 'steel 8708.29.21', ['8708.29.2199']],
    ]);
  });

  it('returns each affected code once, as submitted, and matches a code with the suffix 00 to its 8-digit provision', () => {
    const codes = ['3701.30.0000', '3701.30.00', '3701.30.0000', '3701'];
    expect(changesOf(codes, '2026-06-07', '2026-06-08')).toEqual([
      ['added', 'aluminum 3701.30.00', ['3701.30.0000', '3701.30.00', '3701']],
    ]);
  });

  it('returns strings that aren’t HTS codes, each with the reason it’s invalid', () => {
    expect(compareForCodes(['bolts', '7318', 'bolts'], '2026-06-07', '2026-06-08').invalid_codes).toEqual([
      { code: 'bolts', message: expect.stringContaining('Not an HTS code') },
    ]);
  });

  it('returns exactly the changes in the full comparison that affect the submitted codes', () => {
    const digits = PROVISIONS.map(({ prefix }) => prefix);
    const code = fc
      .tuple(fc.constantFrom(...digits), fc.constantFrom(4, 6, 8, 10), fc.nat(99))
      .map(([prefix, length, rest]) => `${prefix}${String(rest).padStart(2, '0')}00000000`.slice(0, length));
    const all = compare('2026-04-05', '2026-04-06');
    expect(KINDS.reduce((sum, kind) => sum + all[kind].length, 0)).toBeGreaterThan(1000);
    fc.assert(
      fc.property(fc.uniqueArray(code, { maxLength: 20 }), codes => {
        const diff = compareForCodes(codes, '2026-04-05', '2026-04-06');
        const plain = (hts: string) => hts.replaceAll('.', '').replace(/^(\d{8})00$/, '$1');
        for (const kind of KINDS) {
          const expected = all[kind].flatMap(change => {
            const provision = plain(change.hts);
            const affected = codes.filter(
              each => plain(each).startsWith(provision) || provision.startsWith(plain(each)),
            );
            return affected.length > 0 ? [{ ...change, codes: affected.sort() }] : [];
          });
          expect(diff[kind].map(change => ({ ...change, codes: [...change.codes].sort() }))).toEqual(expected);
        }
      }),
      { numRuns: 50 },
    );
  });
});
