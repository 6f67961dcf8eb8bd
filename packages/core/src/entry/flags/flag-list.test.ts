import { describe, expect, it } from 'vitest';
import { efilingFlag, parseFlagList, withEfilingFlags } from './flag-list.ts';

const file = {
  as_of: '2026-09-14',
  source: 'CPSC Guidance and HTS List',
  groups: [
    { name: 'Bicycle Helmets', codes: ['6506103045', '6506106045'] },
    { name: 'Mattresses', rules: ['16 CFR 1632', '16 CFR part 1633', 'Local rule'], codes: ['940421', '6506103045'] },
    { name: 'Clothing', codes: ['6109100014'] },
  ],
};
const list = parseFlagList(file);

describe('efilingFlag', () => {
  it('names the group, date, and likely rules for a flagged code, and says that the code alone doesn’t decide which rules apply', () => {
    expect(efilingFlag('6506106045', list)).toEqual({
      status: 'flagged',
      groups: ['Bicycle Helmets'],
      likely_rules: [{ citation: '16 CFR 1203', subject: 'Bicycle helmets' }],
      message:
        'CPSC flags this code (Bicycle Helmets; list dated 2026-09-14), so a certificate might be needed. Likely rules: 16 CFR 1203, ' +
        'Bicycle helmets. Whether a certificate is needed depends on the rules that apply to the product, not on the code.',
    });
  });

  it('flags longer codes that start with a flagged code, and lists every group that applies to a code', () => {
    expect(efilingFlag('9404210010', list)).toMatchObject({ status: 'flagged', groups: ['Mattresses'] });
    const { groups, likely_rules } = efilingFlag('6506103045', list);
    expect(groups).toEqual(['Bicycle Helmets', 'Mattresses']);
    expect(likely_rules.map(({ citation }) => citation)).toEqual([
      '16 CFR 1203',
      '16 CFR 1632',
      '16 CFR 1633',
      'Local rule',
    ]);
  });

  it('says that a short code includes flagged codes', () => {
    expect(efilingFlag('6506', list)).toMatchObject({
      status: 'includes_flagged',
      message: expect.stringContaining('CPSC flags 2 codes that start with these digits'),
    });
    expect(efilingFlag('61091000', list).message).toContain('flags a code that starts');
  });

  it('doesn’t guess rules for a group whose name isn’t a subject in the catalog', () => {
    expect(efilingFlag('6109100014', list)).toMatchObject({ status: 'flagged', likely_rules: [] });
  });

  it('never says that no certificate is needed', () => {
    expect(efilingFlag('7318152061', list)).toMatchObject({
      status: 'not_listed',
      message: expect.stringContaining('a certificate might still be needed'),
    });
    expect(efilingFlag('6506103045', null)).toMatchObject({
      status: 'not_loaded',
      message: expect.stringContaining("isn't loaded"),
    });
  });
});

describe('withEfilingFlags', () => {
  it('adds a flag to each result with a valid code, and names the list', () => {
    const found = withEfilingFlags(
      [
        { normalized: '6506.10.3045', hit: true },
        { normalized: null, hit: false },
      ],
      list,
    );
    expect(found).toEqual({
      results: [
        { normalized: '6506.10.3045', hit: true, efiling: efilingFlag('6506103045', list) },
        { normalized: null, hit: false, efiling: null },
      ],
      efiling: { as_of: '2026-09-14', source: 'CPSC Guidance and HTS List' },
    });
    expect(withEfilingFlags([], null)).toEqual({ results: [], efiling: null });
  });
});

describe('parseFlagList', () => {
  it.each([
    ['a list without a date', { ...file, as_of: undefined }, /^as_of: /],
    [
      'a code with dots',
      { ...file, groups: [{ name: 'A', codes: ['6506.10'] }] },
      /^groups\.0\.codes\.0: must have 4, 6, 8, or 10 digits/,
    ],
    ['text', 'codes', /expected object/],
  ])('reports the problem with %s', (_, value, message) => {
    expect(() => parseFlagList(value)).toThrow(message);
  });
});
