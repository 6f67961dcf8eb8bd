import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalog, parseCatalog } from './catalog.ts';
import { resolveCitation } from './resolve.ts';

const shared = new URL('../../../../../../shared/data/', import.meta.url);

describe('the CPSC catalog', () => {
  it('sets `known_through` to the earlier of the two CPSC lists’ dates', () => {
    const states = catalog.sources.flatMap(({ id, states }) =>
      /^cpsc-[gc][cp]c-list$/.test(id) ? (states ?? '') : [],
    );
    const dates = states.map(text => /\d{4}-\d\d-\d\d/.exec(text)?.[0]);
    expect(dates.sort()).toEqual([catalog.known_through, '2024-12-05']);
  });

  it('rejects a rule without a source', () => {
    const [rule] = catalog.rules;
    expect(() => parseCatalog({ ...catalog, rules: [{ ...rule, sources: [] }] })).toThrow();
    expect(() => parseCatalog({ ...catalog, rules: [{ ...rule, sources: ['hearsay'] }] })).toThrow(
      'refers to the unknown source',
    );
  });

  it('rejects third-party testing requirements, test exclusions, and expected rules without a known source', () => {
    const toys = catalog.rules.find(({ citation }) => citation === '16 CFR 1250')!;
    const hearsay = { source: 'hearsay' };
    const [exclusion] = toys.test_exclusions!;
    for (const change of [
      { third_party_testing: hearsay },
      { third_party_testing: { source: 'cpsc-cpc-list', small_batch: { group: 'B', ...hearsay } } },
      { test_exclusions: [{ ...exclusion, ...hearsay }] },
      { expected_for: [{ facts: ['toy'], ...hearsay }] },
    ]) {
      expect(() => parseCatalog({ ...catalog, rules: [{ ...toys, ...change }] })).toThrow('unknown source hearsay');
    }
    const { third_party_testing: _, ...untested } = toys;
    expect(() => parseCatalog({ ...catalog, rules: [untested] })).toThrow(
      'third_party_testing and certificates contradict',
    );
  });

  it('rejects a rule that is listed twice', () => {
    expect(() => parseCatalog({ ...catalog, rules: [catalog.rules[0], catalog.rules[0]] })).toThrow('listed twice');
  });

  it('contains every rule on the two CPSC lists', () => {
    expect(catalog.rules.filter(rule => rule.certificates.includes('GCC'))).toHaveLength(42);
    expect(catalog.rules.filter(rule => rule.certificates.includes('CPC'))).toHaveLength(58);
  });

  it('resolves every alias and citation in the catalog to the correct rule', () => {
    for (const rule of catalog.rules) {
      for (const name of [rule.citation, ...rule.aliases]) {
        expect([name, resolveCitation(name).citation]).toEqual([name, rule.citation]);
      }
    }
  });
});

describe('resolveCitation', () => {
  it.each([
    ['16 CFR 1203', '16 CFR 1203'],
    ['16 C.F.R. part 1203', '16 CFR 1203'],
    ['16 C.F.R. § 1203', '16 CFR 1203'],
    ['16CFR1203', '16 CFR 1203'],
    ['§ 1203', '16 CFR 1203'],
    ['§1203.4(a)', '16 CFR 1203'],
    ['part 1203', '16 CFR 1203'],
    ['16 CFR Part 1203 (Bicycle Helmets)', '16 CFR 1203'],
    ['CPSC bicycle helmet', '16 CFR 1203'],
    ['Bicycle helmets', '16 CFR 1203'],
    ['CPSC Safety Standard for Bicycle Helmets', '16 CFR 1203'],
    ['16 CFR 1263', '16 CFR 1263'],
    ['16 CFR 1263.4(b)', '16 CFR 1263.4'],
    ['16 CFR 1500.17(a)(13)', '16 CFR 1500.17(a)(13)'],
    ['16 CFR 1500.86 (a)(8)', '16 CFR 1500.86(a)(7) and (8)'],
    ['15 USC 2056e', '15 U.S.C. 2056e'],
    ['15 U.S.C. § 2056d', '16 CFR 1461'],
    ['ASTM F963-23', '16 CFR 1250'],
    ['ASTM F 963–17', '16 CFR 1250'],
    ['ANSI/UL 4200A', '16 CFR 1263.3'],
    ['UL 4200A-2023', '16 CFR 1263.3'],
    ['REESE’S LAW', '15 U.S.C. 2056e'],
    ["reese's law", '15 U.S.C. 2056e'],
  ])('resolves %s to %s', (cited, citation) => {
    expect(resolveCitation(cited).citation).toBe(citation);
  });

  it.each([
    '21 CFR 1203',
    '16 CFR 12030',
    '16 CFR 1500',
    '16 CFR 1500.17(a)(1)',
    'ASTM F9630',
    'ASTM F1',
    'TB 117',
    'my own rule',
    '',
    '§',
  ])('doesn’t resolve %s to a known rule', cited => {
    expect(resolveCitation(cited)).toMatchObject({ citation: cited, subject: null, rule: null });
  });

  it('distinguishes between sections of the same rule', () => {
    expect(resolveCitation('ASTM F963-23 4.3').detail).not.toBe(resolveCitation('ASTM F963-23 4.5').detail);
    expect(resolveCitation('16 CFR 1203.4').detail).toBe('.4');
    expect(resolveCitation('16 CFR 1203 bicycle helmets').detail).toBe('');
  });

  it('lists both candidates, without choosing one, if two rules share the cited standard', () => {
    expect(resolveCitation('ASTM F406-22')).toMatchObject({ rule: null, candidates: ['16 CFR 1220', '16 CFR 1221'] });
  });
});

describe.skipIf(!existsSync(shared))('the CPSC catalog (skipped if ../shared/data is missing)', () => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, shared), 'utf8'));

  it('matches every confirmed row in the research data', () => {
    const rows: { citation: string; status: string; cpsc_lists: string[] }[] = read('cpsc-citations-confirmed.json');
    for (const row of rows.filter(row => row.status !== 'recalled' && row.citation !== '15 U.S.C. 2056d')) {
      // CPSC's CPC list names only part 1250, not section 1250.4, which covers water beads.
      const beads = row.citation === '16 CFR 1250 (water beads)';
      const { rule } = resolveCitation(beads ? '16 CFR 1250.4' : row.citation);
      expect([row.citation, rule?.certificates]).toEqual([row.citation, beads ? ['CPC'] : row.cpsc_lists]);
    }
  });

  it('resolves every alias in the research data except the one that two rules share', () => {
    const aliases: { alias: string; maps_to: string }[] = read('cpsc-citations.json').standard_aliases;
    for (const { alias, maps_to } of aliases.filter(({ alias }) => alias !== 'ASTM F406')) {
      expect([alias, resolveCitation(alias).citation]).toEqual([alias, resolveCitation(maps_to).citation]);
    }
  });
});
