import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EDITION } from '../edition/edition.ts';
import { PROVISIONS } from '../edition/provisions.ts';
import { MAX_ADJACENT } from './finding.ts';
import { LookupOptionError, type LookupOptions, lookup, prepareLookup } from './lookup.ts';

const TODAY = '2026-11-21';
const one = (code: string, options: Partial<LookupOptions> = {}) =>
  lookup([code], { asOf: TODAY, ...options }).results[0]!;
const programs = (code: string, asOf = TODAY) => one(code, { asOf }).matches.map(match => match.program);
const statusOn = (code: string, ...dates: string[]) => dates.map(asOf => one(code, { asOf }).status);

describe('one answer for each code', () => {
  const answers = () =>
    lookup(
      ['7318.15.2061', '7208.10.15', '8302.41.60', '0101.21.00', '7303.00.00', '9403.20.0075', 'abc', '7318.15.2061'],
      { asOf: TODAY },
    ).results;

  it('comes in the order given, as submitted, duplicates kept', () => {
    expect(answers().map(({ code, status }) => [code, status])).toEqual([
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

  it('cites the act, the annex and the note behind a hit, and the day it began', () => {
    expect(answers()[5]!.matches[0]).toMatchObject({
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
    expect(answers()[5]!.matches[0]!.conditions.map(condition => condition.id)).toEqual(['metal_weight_minimum']);
  });

  it('says it in plain words', () => {
    expect(answers()[5]!.message).toBe(
      'On the steel derivative list, Annex I-B, since 2026-06-08; +25 % of full value, ' +
        'if steel, aluminum and copper make up at least 15 % of the weight.',
    );
    expect(answers()[1]!.message).toBe(
      'On the list of steel articles, Annex I-A, since 2026-04-06; +50 % of full value.',
    );
    expect(answers()[3]!.message).toBe('Not on the steel, aluminum or copper lists.');
  });

  it('names the lists, their date, their hash and the sources that were used', () => {
    const { list } = lookup(['7318.15.2061'], { asOf: '2026-10-09' });
    expect(list).toMatchObject({
      known_through: '2026-10-09',
      as_of: '2026-10-09',
      programs: ['steel', 'aluminum', 'copper'],
      notice: null,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Object.keys(list.sources)).toEqual(['cbp-csms-68855869', 'hts-2026-rev-21', 'hts-2026-rev-6', 'p11021']);
  });

  it('says after the last known day that the lists may have changed', () => {
    expect(lookup([], { asOf: '2026-10-10' }).list.notice).toMatch(/known through 2026-10-09/);
  });
});

describe('where the list and the code have different digits', () => {
  it('reads a ten-digit number with the suffix 00 as its subheading, both ways', () => {
    for (const code of ['8431.20.00', '8431.20.0000', '8431.20.0010']) {
      expect(one(code)).toMatchObject({ status: one('8431.20.00').status, in_scope: true, coverage: 'full' });
    }
  });

  it('calls a code partial when only provisions below it are listed', () => {
    const answer = one('9403.99.90');
    expect(answer).toMatchObject({ hit: false, in_scope: true, status: 'in_scope', coverage: 'partial' });
    expect(answer.matches.every(match => match.coverage === 'partial')).toBe(true);
    expect(answer.message).toContain('give the full 10-digit number');
  });

  it('does not claim that only some are, where all six suffixes of 7326.20.00 are listed in two groups', () => {
    const answer = one('7326.20.00');
    expect([answer.coverage, answer.matches.length]).toEqual(['partial', 6]);
    expect(new Set(answer.matches.map(match => match.rate_pct)).size).toBe(2);
    expect(answer.message).toMatch(/^Listed below it: 7326\.20\.00\.10 \(steel\)/);
  });

  it('keeps the level of each metal apart: 8302.41.60 is whole for steel and four numbers for aluminum', () => {
    const answer = one('8302.41.60');
    expect(answer.coverage).toBe('full');
    expect(answer.matches.map(match => [match.program, match.hts, match.coverage])).toEqual([
      ['steel', '8302.41.60', 'full'],
      ['aluminum', '8302.41.60.15', 'partial'],
      ['aluminum', '8302.41.60.45', 'partial'],
      ['aluminum', '8302.41.60.50', 'partial'],
      ['aluminum', '8302.41.60.80', 'partial'],
    ]);
    expect(programs('8302.41.6015')).toEqual(['aluminum', 'steel']);
    expect(programs('8302.41.6090')).toEqual(['steel']);
  });

  it('finds what lies below a heading', () => {
    expect(one('8708')).toMatchObject({ hit: false, in_scope: true, coverage: 'partial' });
  });

  it('lets a duty of two metals be owed once', () => {
    expect(one('8302.41.6015').message).toContain('owed once');
    expect(one('8302.41.6090').message).not.toContain('owed once');
  });
});

describe('a code on the lists of several programs', () => {
  it('says whose duty takes the place of whose, also of programs that were not asked for', () => {
    const steel = one('8708.10.6050');
    expect(steel.matches[0]).toMatchObject({ program: 'aluminum', yields_to: ['auto_parts', 'truck_parts'] });
    expect(steel.message).toContain('Not owed where the duty on auto parts or truck parts applies.');
    const [parts] = one('8708.10.6050', { programs: ['auto_parts'] }).matches;
    expect(parts!.yields_to).toEqual([]);
  });

  it('lets semiconductors exclude every other program', () => {
    const matches = one('8473.30.1180', { programs: 'all' }).matches;
    const others = matches.filter(match => match.program !== 'semiconductors');
    expect(others.every(match => match.yields_to.includes('semiconductors'))).toBe(true);
  });
});

describe('codes that are easily taken for listed', () => {
  it.each(['7303.00.00', '7307.11.00', '7602.00.00', '7615.10.11'])('%s is not covered', code => {
    expect(one(code)).toMatchObject({ hit: false, in_scope: false, matches: [] });
  });

  it('8471 is no metals hit, but the semiconductor and auto parts programs are named', () => {
    const answer = one('8471.50.0150');
    expect(answer).toMatchObject({ hit: false, in_scope: false });
    expect(answer.other_programs.map(other => other.program)).toContain('semiconductors');
    expect(answer.message).toContain('semiconductors');
    expect(one('8471.50.0150', { programs: 'all' }).in_scope).toBe(true);
    expect(one('8471.50.0150', { programs: ['semiconductors'] })).toMatchObject({ hit: false, status: 'in_scope' });
  });

  it('9403.99.9020 was removed for aluminum alone', () => {
    expect(programs('9403.99.9020', '2026-04-05')).toEqual(['aluminum', 'steel']);
    expect(programs('9403.99.9020', '2026-04-06')).toEqual(['steel']);
  });

  it('beer left the list, empty cans stayed', () => {
    expect(statusOn('2203.00.0030', '2025-04-03', '2025-04-04', '2026-04-05', '2026-04-06')).toEqual([
      ...['adjacent', 'hit', 'hit', 'adjacent'],
    ]);
    expect(statusOn('7612.90.1000', '2025-04-04', '2026-04-06')).toEqual(['hit', 'hit']);
  });

  it('8479.89.9599 is answered although the HTS deleted the number, with a caveat', () => {
    const [match] = one('8479.89.9599').matches;
    expect(match!.caveats.map(caveat => caveat.id)).toContain('stale_statistical_number');
  });

  it('of chapter 76 steel has only 7614.10.10, aluminum cable with a steel core', () => {
    const steel = PROVISIONS.filter(({ prefix, list }) => prefix.startsWith('76') && list.program === 'steel');
    expect(new Set(steel.map(({ hts }) => hts))).toEqual(new Set(['7614.10.10']));
  });

  it.each(['7325.10', '7615.10', '8471', '8427', '8429'])('%s is not widened from its ten-digit listings', code => {
    expect(one(code).coverage).not.toBe('full');
  });

  it('charges the full value since 2026-04-06, the metal content before', () => {
    const basis = (asOf: string) => one('8418.10.00', { asOf }).matches[0]!.value_basis;
    expect([basis('2026-04-05'), basis('2026-04-06')]).toEqual(['metal_content_value', 'full_customs_value']);
  });
});

describe('what is near a code that no listing covers', () => {
  it('is nearest first: the code itself on another date, then the 8-, 6- and 4-digit stems', () => {
    const answer = one('9403.99.9010');
    expect(answer).toMatchObject({ hit: false, in_scope: false, status: 'adjacent' });
    expect(answer.adjacent_hits.map(hit => [hit.relation, hit.hts])).toEqual([
      ['former', '9403.99.90.10'],
      ['former', '9403.99.90.10'],
      ['same_8_digit', '9403.99.90.20'],
      ['same_8_digit', '9403.99.90.40'],
      ...answer.adjacent_hits.slice(4).map(hit => [hit.relation, hit.hts]),
    ]);
    const rank = ['upcoming', 'former', 'same_8_digit', 'same_6_digit', 'same_4_digit'];
    const ranks = answer.adjacent_hits.map(hit => rank.indexOf(hit.relation));
    expect(ranks).toEqual([...ranks].sort());
  });

  it('is capped', () => {
    expect(one('8708.99.0000').adjacent_hits.length).toBeLessThanOrEqual(MAX_ADJACENT);
  });

  it('names the last listing of the code once for each program', () => {
    const former = one('2203.00.0030').adjacent_hits.filter(hit => hit.relation === 'former');
    expect(former).toHaveLength(1);
    expect(former[0]).toMatchObject({ program: 'aluminum', effective_from: '2025-06-04', effective_to: '2026-04-05' });
    const twice = one('8708.29.2199').adjacent_hits.filter(hit => hit.relation === 'former');
    expect(twice.map(hit => [hit.list, hit.effective_to])).toEqual([
      ['aluminum-16c-vi', '2026-06-07'],
      ['steel-16c-vii', '2026-06-07'],
    ]);
  });
});

describe('options that cannot be used', () => {
  const SAYS = { asOf: /YYYY-MM-DD/, programs: /steel, aluminum, copper,/, origin: /alpha-2/ };

  it.each<[keyof typeof SAYS, Partial<LookupOptions>]>([
    ['asOf', { asOf: '2026-02-30' }],
    ['asOf', { asOf: ['2026-11-21'] as never }],
    ['asOf', { asOf: '21.11.2026' }],
    ['programs', { programs: ['gold' as never] }],
    ['programs', { programs: [] }],
    ['origin', { origin: 'Germany' }],
    ['origin', { origin: 'XX' }],
    ['origin', { origin: 'ZZ' }],
  ])('%s is refused: %j', (option, options) => {
    expect(() => one('7318', options)).toThrow(expect.objectContaining({ name: 'LookupOptionError', option }));
    expect(() => one('7318', options)).toThrow(LookupOptionError);
    expect(() => one('7318', options)).toThrow(SAYS[option]);
  });

  it('says of a code without an official export that nobody knows whether it exists', () => {
    expect([one('7318.15.2061').exists, one('abc').exists]).toEqual(['unknown', 'unknown']);
  });

  it('a number instead of a text is refused, since it has lost its zeros', () => {
    expect(() => lookup(['7318', 101210000 as never], { asOf: TODAY })).toThrow(/codes\.1 is a number/);
  });
});

describe('any input', () => {
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

  it('never throws and is returned as submitted', () => {
    fc.assert(
      fc.property(fc.array(code), query, (codes, options) => {
        expect(lookup(codes, options).results.map(result => result.code)).toEqual(codes);
      }),
    );
  });

  it('is answered alike by a look-up that was prepared, whatever it was asked before', () => {
    const origin = fc.option(fc.constantFrom('JP', 'RU'), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.array(code), { maxLength: 4 }), query, origin, (calls, options, from) => {
        const whole = { ...options, ...(from && { origin: from }) };
        const lookUp = prepareLookup(whole);
        for (const codes of calls) expect(lookUp(codes)).toEqual(lookup(codes, whole));
      }),
    );
  });

  it('has a status that follows its flags, and a hit is in scope', () => {
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

  it('never loses with more digits a full match that fewer had', () => {
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

  it('answers the same alone as in a batch', () => {
    fc.assert(
      fc.property(fc.array(code), query, (codes, options) => {
        const alone = codes.map(text => lookup([text], options).results[0]);
        expect(lookup(codes, options).results).toEqual(alone);
      }),
    );
  });

  it('finds every listing on its first day and not the day before', () => {
    const dayBefore = (date: string) => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
    for (const list of EDITION.lists) {
      const [cohort] = list.cohorts;
      const [, first] = [cohort!.effective_from, list.terms[0]!.effective_from].sort();
      const [entry] = cohort!.provisions;
      const hts = typeof entry === 'string' ? entry : entry!.hts;
      const on = (asOf: string) => one(hts, { asOf, programs: 'all' }).matches.map(match => match.list);
      expect(on(first!)).toContain(list.id);
      expect(on(dayBefore(first!))).not.toContain(list.id);
    }
  });
});
