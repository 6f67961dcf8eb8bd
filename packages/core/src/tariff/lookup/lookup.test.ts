import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATASET } from '../dataset/dataset.ts';
import { ALL_PROGRAMS, METALS } from '../dataset/programs.ts';
import { PROVISIONS } from '../dataset/testing/bundled.ts';
import { loadNomenclature, type Nomenclature } from '../nomenclature/nomenclature.ts';
import { MAX_ADJACENT } from './code-result.ts';
import { lookup, prepareLookup } from './lookup.ts';
import { LookupOptionError, type LookupOptions } from './options.ts';

const TODAY = '2026-11-21';
const one = (code: string, options: Partial<LookupOptions> = {}) =>
  lookup([code], { asOf: TODAY, ...options }).results[0]!;
const programs = (code: string, asOf = TODAY) => one(code, { asOf }).matches.map(match => match.program);
const statusOn = (code: string, ...dates: string[]) => dates.map(asOf => one(code, { asOf }).status);

describe('lookup', () => {
  const results = () =>
    lookup(
      ['7318.15.2061', '7208.10.15', '8302.41.60', '0101.21.00', '7303.00.00', '9403.20.0075', 'abc', '7318.15.2061'],
      { asOf: TODAY },
    ).results;

  it('returns one result per code in the order submitted, including duplicates', () => {
    expect(results().map(({ code, status }) => [code, status])).toEqual([
      ['7318.15.2061', 'hit'],
      ['7208.10.15', 'in_scope'],
      ['8302.41.60', 'hit'],
      ['0101.21.00', 'clear'],
      ['7303.00.00', 'clear'],
      ['9403.20.0075', 'hit'],
      ['abc', 'invalid'],
      ['7318.15.2061', 'hit'],
    ]);
  });

  it('returns the act, annex, note, and first effective date for a hit', () => {
    expect(results()[5]!.matches[0]).toMatchObject({
      list: 'steel-16c-vii',
      program: 'steel',
      role: 'derivative',
      hts: '9403.20.00.75',
      annex: 'I-B',
      headings: ['9903.82.09'],
      rate_pct: 25,
      rate_type: 'additional',
      value_basis: 'full_customs_value',
      effective_from: '2026-06-08',
      effective_to: null,
      citation:
        'Proclamation 11032 (91 FR 34085), Proclamation 11021 (91 FR 18201), Annex I-B; ' +
        'U.S. note 16(c)(vii), subchapter III, chapter 99, HTS',
    });
    expect(results()[5]!.matches[0]!.conditions.map(condition => condition.id)).toEqual(['metal_weight_minimum']);
  });

  it('describes each result in a message', () => {
    expect(results()[5]!.message).toBe(
      'On the steel derivative list (Annex I-B) since 2026-06-08: 25% additional duty on the full customs value under 9903.82.09, ' +
        'if steel, aluminum, and copper make up at least 15% of the weight.',
    );
    expect(results()[1]!.message).toBe(
      'On the primary steel article list (Annex I-A) since 2026-04-06: 50% additional duty on the full customs value under 9903.82.02.',
    );
    expect(results()[3]!.message).toBe('Not on any Section 232 list.');
  });

  it("returns the data set's date and hash, and the cited sources", () => {
    const { list } = lookup(['7318.15.2061'], { asOf: '2026-10-01' });
    expect(list).toMatchObject({
      known_through: DATASET.known_through,
      as_of: '2026-10-01',
      programs: ALL_PROGRAMS,
      not_included: expect.stringMatching(/^Not included: the column 1 or 2 duty, .* antidumping/),
      notice: null,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Object.keys(list.sources)).toEqual(['cbp-csms-68855869', 'hts-2026-rev-21', 'hts-2026-rev-6', 'p11021']);
  });

  it('warns about missing later changes only if the lists aren’t current through the lookup date', () => {
    const noticeOn = (asOf: string) => lookup([], { asOf }).list.notice;
    expect(noticeOn(DATASET.known_through)).toBeNull();
    expect(noticeOn('9999-12-31')).toBe(
      `The lists are current through ${DATASET.known_through}. Later changes aren't included.`,
    );
  });
});

describe('a code with more or fewer digits than the listing', () => {
  it('returns the same status with and without the statistical suffix 00', () => {
    for (const code of ['8431.20.00', '8431.20.0000', '8431.20.0010']) {
      expect(one(code)).toMatchObject({ status: one('8431.20.00').status, in_scope: true, coverage: 'full' });
    }
  });

  it('returns partial coverage if only subdivisions of the code are listed', () => {
    const result = one('9403.99.90');
    expect(result).toMatchObject({ hit: false, in_scope: true, status: 'in_scope', coverage: 'partial' });
    expect(result.matches.every(match => match.coverage === 'partial')).toBe(true);
    expect(result.message).toContain('Enter the full 10-digit code');
  });

  it('returns partial coverage for 7326.20.00, whose six suffixes are listed at two rates', () => {
    const result = one('7326.20.00');
    expect([result.coverage, result.matches.length]).toEqual(['partial', 6]);
    expect(new Set(result.matches.map(match => match.rate_pct)).size).toBe(2);
    expect(result.message).toMatch(/^Listed under this code: 7326\.20\.00\.10 \(steel\)/);
  });

  it('returns full steel coverage and partial aluminum coverage for 8302.41.60', () => {
    const result = one('8302.41.60');
    expect(result.coverage).toBe('full');
    expect(result.matches.map(match => [match.program, match.hts, match.coverage])).toEqual([
      ['steel', '8302.41.60', 'full'],
      ['aluminum', '8302.41.60.15', 'partial'],
      ['aluminum', '8302.41.60.45', 'partial'],
      ['aluminum', '8302.41.60.50', 'partial'],
      ['aluminum', '8302.41.60.80', 'partial'],
    ]);
    expect(programs('8302.41.6015')).toEqual(['aluminum', 'steel']);
    expect(programs('8302.41.6090')).toEqual(['steel']);
  });

  it('returns partial coverage for a 4-digit heading that contains listed provisions', () => {
    expect(one('8708')).toMatchObject({ hit: false, in_scope: true, coverage: 'partial' });
  });

  it('states that the duty on an article listed for two metals is owed only once', () => {
    expect(one('8302.41.6015').message).toContain('owed only once');
    expect(one('8302.41.6090').message).not.toContain('owed only once');
  });
});

describe('codes listed under several programs', () => {
  it("returns the programs whose duty replaces the matched duty, including programs that aren't selected", () => {
    for (const programs of ['all', 'metals'] as const) {
      const [aluminum] = one('8708.10.6050', { programs }).matches;
      expect(aluminum).toMatchObject({ program: 'aluminum', yields_to: ['auto_parts', 'truck_parts'] });
    }
    const [parts] = one('8708.10.6050', { programs: ['auto_parts'] }).matches;
    expect(parts!.yields_to).toEqual([]);
  });

  it('returns the relation between the duties of each pair of programs and cites the U.S. note', () => {
    expect(one('8704.60.00').stacking).toEqual([
      {
        programs: ['autos', 'trucks'],
        relation: 'use_decides',
        owed: null,
        text: "Only one duty is owed: notes 33(c) and 38(e) exempt a vehicle that isn't of their own type.",
        citation: 'U.S. note 33(c), subchapter III, chapter 99, HTS; U.S. note 38(e), subchapter III, chapter 99, HTS',
      },
    ]);
    const pairs = one('8708.10.6050').stacking.map(({ programs, relation, owed }) => [
      programs.join(' '),
      relation,
      owed,
    ]);
    expect(pairs).toEqual([
      ['aluminum auto_parts', 'excludes', 'auto_parts'],
      ['aluminum truck_parts', 'excludes', 'truck_parts'],
      ['auto_parts truck_parts', 'use_decides', null],
    ]);
    expect(one('8708.10.6050', { programs: 'metals' }).stacking).toEqual([]);
  });

  it('takes the duty’s start date from the heading for the origin, or from the listing if the origin has no heading', () => {
    const dates = (origin?: string) => {
      const [match] = one('8703.23.01', { ...(origin && { origin }) }).matches;
      const { effective_from, dated_by, duty_from, duty_dated_by } = match!;
      return { effective_from, dated_by, duty_from, duty_dated_by };
    };
    const listed = { effective_from: '2025-04-03', dated_by: { legal: 'Proclamation 10908' } };
    const own = { ...listed, duty_from: '2025-04-03', duty_dated_by: listed.dated_by };
    expect(dates()).toEqual(own);
    expect(dates('CN')).toEqual(own);
    expect(dates('JP')).toEqual({
      ...listed,
      duty_from: '2025-09-16',
      duty_dated_by: { legal: 'HTS 2025 Revision 23 change record' },
    });
  });

  it('returns the date of the first edition that includes a listing, even if an act sets the same date for the rate', () => {
    const [match] = one('2922.19.09.10').matches;
    const printed = { first_printed: 'HTS 2026 Revision 20' };
    expect(match).toMatchObject({ effective_from: '2026-09-29', dated_by: printed });
    expect(match).toMatchObject({ duty_from: '2026-09-29', duty_dated_by: printed });
  });

  it('returns the next scheduled duty for each country of origin', () => {
    const next = (origin: string) => one('9401.61.4011', { origin }).matches[0]!.next;
    expect(next('CN')).toMatchObject({ effective_from: '2027-01-01', headings: ['9903.76.02'], rate_pct: 30 });
    expect(next('JP')).toMatchObject({ effective_from: '2027-01-01', headings: ['9903.76.21'], rate_pct: 15 });
  });

  it('states in `yields_to` that the semiconductor duty replaces other programs’ duties', () => {
    const matches = one('8473.30.1180', { programs: 'all' }).matches;
    const others = matches.filter(match => match.program !== 'semiconductors');
    expect(others.every(match => match.yields_to.includes('semiconductors'))).toBe(true);
  });
});

describe('codes with unusual coverage', () => {
  it.each(['7303.00.00', '7307.11.00', '7602.00.00', '7615.10.11'])(
    "returns no matches for %s, which isn't on the metals lists",
    code => {
      expect(one(code)).toMatchObject({ hit: false, in_scope: false, matches: [] });
    },
  );

  it('finds 8471.50.0150 on the semiconductor list but not on any metals list', () => {
    const result = one('8471.50.0150', { programs: 'metals' });
    expect(result).toMatchObject({ hit: false, in_scope: false });
    expect(result.other_programs.map(other => other.program)).toContain('semiconductors');
    expect(result.message).toContain('semiconductors');
    expect(one('8471.50.0150').in_scope).toBe(true);
    expect(one('8471.50.0150', { programs: ['semiconductors'] })).toMatchObject({ hit: false, status: 'in_scope' });
  });

  it('finds 9403.99.9020 on the steel lists after its removal from the aluminum lists', () => {
    expect(programs('9403.99.9020', '2026-04-05')).toEqual(['aluminum', 'steel']);
    expect(programs('9403.99.9020', '2026-04-06')).toEqual(['steel']);
  });

  it('reports that, as of 2026-04-06, beer is no longer covered but empty cans still are', () => {
    expect(statusOn('2203.00.0030', '2025-04-03', '2025-04-04', '2026-04-05', '2026-04-06')).toEqual([
      ...['adjacent', 'hit', 'hit', 'adjacent'],
    ]);
    expect(statusOn('7612.90.1000', '2025-04-04', '2026-04-06')).toEqual(['hit', 'hit']);
  });

  it('returns a match with a caveat for 8479.89.9599, which was deleted from the HTS', () => {
    const [match] = one('8479.89.9599').matches;
    expect(match!.caveats.map(caveat => caveat.id)).toContain('stale_statistical_number');
  });

  it('includes 7614.10.10 on the steel lists as the only provision in chapter 76', () => {
    const steel = PROVISIONS.filter(({ prefix, list }) => prefix.startsWith('76') && list.program === 'steel');
    expect(new Set(steel.map(({ hts }) => hts))).toEqual(new Set(['7614.10.10']));
  });

  it.each(['7325.10', '7615.10', '8471', '8427', '8429'])(
    "doesn't return full metals coverage for %s, because only its subdivisions are listed",
    code => {
      expect(one(code, { programs: METALS }).coverage).not.toBe('full');
    },
  );

  it('applies the duty on 8418.10.00 to the metal content through 2026-04-05 and to the full value after that', () => {
    const basis = (asOf: string) => one('8418.10.00', { asOf }).matches[0]!.value_basis;
    expect([basis('2026-04-05'), basis('2026-04-06')]).toEqual(['metal_content_value', 'full_customs_value']);
  });
});

describe('adjacent listings', () => {
  it("returns the code's own listings on other dates first, followed by listings under the nearest stems", () => {
    const result = one('9403.99.9010');
    expect(result).toMatchObject({ hit: false, in_scope: false, status: 'adjacent' });
    expect(result.adjacent_hits.map(hit => [hit.relation, hit.hts])).toEqual([
      ['former', '9403.99.90.10'],
      ['former', '9403.99.90.10'],
      ['same_8_digit', '9403.99.90.20'],
      ['same_8_digit', '9403.99.90.40'],
      ...result.adjacent_hits.slice(4).map(hit => [hit.relation, hit.hts]),
    ]);
    const rank = ['upcoming', 'former', 'same_8_digit', 'same_6_digit', 'same_4_digit'];
    const ranks = result.adjacent_hits.map(hit => rank.indexOf(hit.relation));
    expect(ranks).toEqual([...ranks].sort());
  });

  it('limits the number of adjacent listings', () => {
    expect(one('8708.99.0000').adjacent_hits.length).toBeLessThanOrEqual(MAX_ADJACENT);
  });

  it("includes the code's most recent former listing once per program", () => {
    const former = one('2203.00.0030').adjacent_hits.filter(hit => hit.relation === 'former');
    expect(former).toHaveLength(1);
    expect(former[0]).toMatchObject({ program: 'aluminum', effective_from: '2025-06-04', effective_to: '2026-04-05' });
    const twice = one('8708.29.2199', { programs: 'metals' }).adjacent_hits.filter(hit => hit.relation === 'former');
    expect(twice.map(hit => [hit.list, hit.effective_to])).toEqual([
      ['aluminum-16c-vi', '2026-06-07'],
      ['steel-16c-vii', '2026-06-07'],
    ]);
  });
});

describe('invalid options', () => {
  const MESSAGES = { asOf: /YYYY-MM-DD/, programs: /steel, aluminum, copper,/, origin: /alpha-2/ };

  it.each<[keyof typeof MESSAGES, Partial<LookupOptions>]>([
    ['asOf', { asOf: '2026-02-30' }],
    ['asOf', { asOf: ['2026-11-21'] as never }],
    ['asOf', { asOf: '21.11.2026' }],
    ['programs', { programs: ['gold' as never] }],
    ['programs', { programs: [] }],
    ['origin', { origin: 'Germany' }],
    ['origin', { origin: 'XX' }],
    ['origin', { origin: 'ZZ' }],
  ])('rejects an invalid %s option: %j', (option, options) => {
    expect(() => one('7318', options)).toThrow(expect.objectContaining({ name: 'LookupOptionError', option }));
    expect(() => one('7318', options)).toThrow(LookupOptionError);
    expect(() => one('7318', options)).toThrow(MESSAGES[option]);
  });

  it('sets `exists` to `unknown` if no HTS export was provided', () => {
    expect([one('7318.15.2061').exists, one('abc').exists]).toEqual(['unknown', 'unknown']);
  });

  it('rejects a code passed as a number, because numbers lose leading zeros', () => {
    expect(() => lookup(['7318', 101210000 as never], { asOf: TODAY })).toThrow(/codes\.1 is a number/);
  });
});

describe('lookup with arbitrary input', () => {
  const listed = fc.constantFrom(...PROVISIONS).map(({ hts }) => hts);
  const digits = fc
    .tuple(fc.integer({ min: 0, max: 9999 }), fc.nat(999_999), fc.constantFrom(0, 2, 4, 6))
    .map(([heading, rest, length]) => `${heading}`.padStart(4, '0') + `${rest}`.padStart(6, '0').slice(0, length));
  const code = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), digits, listed);
  const date = fc.constantFrom(
    '2017-01-01',
    '2018-03-23',
    '2025-03-12',
    '2025-08-18',
    '2026-04-06',
    TODAY,
    '2030-01-01',
  );
  const query = fc.record({ asOf: date, programs: fc.constantFrom('all' as const, ['steel'] as const) });

  it('returns any string as submitted and never throws an error', () => {
    fc.assert(
      fc.property(fc.array(code), query, (codes, options) => {
        expect(lookup(codes, options).results.map(result => result.code)).toEqual(codes);
      }),
    );
  });

  it('returns the same results from a prepared lookup as from `lookup`, regardless of earlier calls', () => {
    const origin = fc.option(fc.constantFrom('JP', 'RU'), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.array(code), { maxLength: 4 }), query, origin, (calls, options, from) => {
        const whole = { ...options, ...(from && { origin: from }) };
        const lookUp = prepareLookup(whole);
        for (const codes of calls) {
          expect(lookUp(codes)).toEqual(lookup(codes, whole));
          expect(lookup(codes, whole)).toEqual(prepareLookup(whole)(codes));
        }
      }),
    );
  });

  it('keeps results for different HTS exports separate', () => {
    const exportOf = (htsno: string) =>
      loadNomenclature([{ htsno, indent: '0', description: 'Screws' }], `HTS with ${htsno}`);
    const [first, second] = [exportOf('7318.15.20.61'), exportOf('7318.15.20.95')];
    const codeIn = (nomenclature?: Nomenclature) => one('7318.15.2061', nomenclature && { nomenclature }).exists;
    expect([codeIn(first), codeIn(second), codeIn(), codeIn(first)]).toEqual([true, false, 'unknown', true]);
  });

  it('freezes matches, because calls share them', () => {
    const [match] = one('7318.15.2061', { origin: 'JP' }).matches;
    expect(() => Object.assign(match!, { rate_pct: 0 })).toThrow(TypeError);
    expect(() => match!.outcomes.pop()).toThrow(TypeError);
    expect(one('7318.15.2061', { origin: 'JP' }).matches[0]).toBe(match);
  });

  it('returns a status that is consistent with `hit` and `in_scope`', () => {
    fc.assert(
      fc.property(fc.array(code, { minLength: 1 }), query, (codes, options) => {
        for (const result of lookup(codes, options).results) {
          const near = result.adjacent_hits.length > 0 ? 'adjacent' : 'clear';
          const valid = result.hit ? 'hit' : result.in_scope ? 'in_scope' : near;
          expect(result.status).toBe(result.normalized === null ? 'invalid' : valid);
          if (result.hit) expect(result.in_scope).toBe(true);
          expect(result.in_scope).toBe(result.matches.length > 0);
          expect(result.coverage === null).toBe(!result.in_scope);
          expect(result.message).not.toMatch(/undefined|null|NaN|\[object/);
          for (const match of result.matches) {
            expect(match.citation).not.toBe('');
            expect(match.sources.length).toBeGreaterThan(0);
          }
        }
      }),
    );
  });

  it('includes a code’s full matches in the result for any longer code with that prefix', () => {
    fc.assert(
      fc.property(listed, fc.nat(999_999), date, (hts, rest, asOf) => {
        const short = hts.replaceAll('.', '').slice(0, 8);
        const long = (short + `${rest}`.padStart(6, '0')).slice(0, 10);
        const full = (text: string) =>
          one(text, { asOf, programs: 'all' })
            .matches.filter(match => match.coverage === 'full')
            .map(match => `${match.list} ${match.hts}`);
        expect(full(long)).toEqual(expect.arrayContaining(full(short)));
      }),
    );
  });

  it('returns the same result for a code whether it’s looked up alone or in a batch', () => {
    fc.assert(
      fc.property(fc.array(code), query, (codes, options) => {
        const alone = codes.map(text => lookup([text], options).results[0]);
        expect(lookup(codes, options).results).toEqual(alone);
      }),
    );
  });

  it('finds each list’s first provision on its effective date but not on the day before', () => {
    const dayBefore = (date: string) => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
    for (const list of DATASET.lists) {
      const [batch] = list.batches;
      const [, first] = [batch!.effective_from, list.terms[0]!.effective_from].sort();
      const [entry] = batch!.provisions;
      const hts = typeof entry === 'string' ? entry : entry!.hts;
      const on = (asOf: string) => one(hts, { asOf, programs: 'all' }).matches.map(match => match.list);
      expect(on(first!)).toContain(list.id);
      expect(on(dayBefore(first!))).not.toContain(list.id);
    }
  });
});
