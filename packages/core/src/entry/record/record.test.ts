import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attestationText } from '../attestation/texts.ts';
import { countryOf } from '../places/places.ts';
import { SAMPLE_REQUEST } from '../request/sample.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { certificate } from './certificate.ts';
import { explain } from './explain.ts';
import { WARNING_CODES } from './warnings.ts';

const make = (request: object) => certificate(request, sampleContext);
const codes = (request: object) => make(request).warnings.map(({ code }) => code);

describe('a certificate', () => {
  it('is complete and has no warnings if every element is present', () => {
    const record = make(completeRequest);
    expect(record.warnings).toEqual([]);
    expect(record.completeness).toEqual({ status: 'complete', missing: [], contradictions: [] });
    expect(explain(record)).toContain('has every element');
  });

  it('lists every missing element if the request contains only the required fields', () => {
    const { completeness, warnings, certifying_party } = make(SAMPLE_REQUEST);
    expect(certifying_party).toBeNull();
    expect(completeness.status).toBe('incomplete');
    expect(new Set(completeness.missing.map(({ element }) => element))).toEqual(
      new Set([1, 3, 4, 5, 6, 7].map(paragraph => `16 CFR 1110.11(a)(${paragraph})`)),
    );
    expect(warnings.map(({ code }) => code)).toEqual([
      'NO_CERTIFIER',
      'IMPORTED_CERTIFIER_MUST_BE_IMPORTER',
      'NO_RECORDS_CONTACT_PHONE',
      'NO_LAB_ADDRESS',
      'NO_ATTESTATION',
    ]);
    const text = explain(make(SAMPLE_REQUEST));
    for (const { path } of completeness.missing) expect(text).toContain(path);
  });

  it('lists the manufacturer as the certifier of U.S.-made goods, but never lists a foreign manufacturer', () => {
    const domestic = {
      ...SAMPLE_REQUEST,
      product_info: { ...SAMPLE_REQUEST.product_info, place_of_manufacture: 'Portland, Oregon' },
    };
    expect(make(domestic).certifying_party).toMatchObject({
      role: 'domestic_manufacturer',
      name: SAMPLE_REQUEST.manufacturer.name,
    });
    expect(codes(domestic)).not.toContain('NO_CERTIFIER');
    fc.assert(
      fc.property(
        fc.constantFrom('Shenzhen, China', 'Hanoi, Viet Nam', 'Nowhere', 'Los Angeles, CA', 'Atlanta, Georgia'),
        place => {
          const record = make({
            ...SAMPLE_REQUEST,
            product_info: { ...SAMPLE_REQUEST.product_info, place_of_manufacture: place },
          });
          expect(record.certifying_party).toBeNull();
          expect(record.warnings.map(({ code }) => code)).toContain('IMPORTED_CERTIFIER_MUST_BE_IMPORTER');
        },
      ),
    );
  });

  it('excludes the importer number from the certifying party', () => {
    expect(JSON.stringify(make(completeRequest).certifying_party)).not.toContain('98-7654321');
  });

  it.each<[string, object, string]>([
    ['CHILDRENS_RULE_CITED', { cpsc_rules_cited: ['16 CFR 1203', 'ASTM F963-23'], tests: [] }, 'cpsc_rules_cited.1'],
    ['UNKNOWN_RULE', { cpsc_rules_cited: ['16 CFR 1203', 'ISO 4210'], tests: [] }, 'cpsc_rules_cited.1'],
    ['NOT_A_CERTIFIABLE_RULE', { cpsc_rules_cited: ['16 CFR 1203', '16 CFR 1110'], tests: [] }, 'cpsc_rules_cited.1'],
    ['NOT_A_CERTIFIABLE_RULE', { cpsc_rules_cited: ['16 CFR 1203', '16 CFR 1640'], tests: [] }, 'cpsc_rules_cited.1'],
    ['DUPLICATE_RULE', { cpsc_rules_cited: ['16 CFR 1203', '16 C.F.R. part 1203'], tests: [] }, 'cpsc_rules_cited.1'],
    ['SEVERAL_RULES', { cpsc_rules_cited: ['16 CFR 1203, lead paint'] }, 'cpsc_rules_cited.0'],
    [
      'EXCLUSION_UNCONFIRMED',
      { exclusions: [{ rule: '16 CFR 1203', basis: 'Exempt under 16 CFR 1203.1(c)' }] },
      'cpsc_rules_cited.0',
    ],
    ['NO_PER_RULE_TESTS', { cpsc_rules_cited: ['16 CFR 1203', '16 CFR 1512'] }, 'tests'],
    ['NO_LAB_ADDRESS', { testing_lab: { name: 'Lab', test_date: '2026-09-01' } }, 'testing_lab.address'],
    ['TEST_DATE_OLD_REVIEW', { testing_lab: { name: 'Lab', test_date: '2025-09-01' } }, 'testing_lab.test_date'],
    ['NO_ATTESTATION', { attestation: undefined }, 'attestation'],
    ['NO_CERTIFIER', { certifier: undefined }, 'certifier'],
    [
      'IMPORTED_CERTIFIER_MUST_BE_IMPORTER',
      { certifier: { ...completeRequest.certifier, role: 'private_labeler' } },
      'certifier.role',
    ],
    ['NO_RECORDS_CONTACT_PHONE', { records_contact: { name: 'R. Keeper' } }, 'records_contact.phone'],
    [
      'POSSIBLE_CHILDRENS_PRODUCT',
      { product_info: { ...completeRequest.product_info, name: 'Kids’ helmet' } },
      'product_info.name',
    ],
    [
      'PLACE_NO_COUNTRY',
      {
        product_info: { ...completeRequest.product_info, place_of_manufacture: 'Shenzhen' },
        manufacturer: { ...completeRequest.manufacturer, country: undefined },
      },
      'product_info.place_of_manufacture',
    ],
    ['NOT_IN_ENGLISH', { product_info: { ...completeRequest.product_info, name: '自行车头盔' } }, 'product_info.name'],
    [
      'UNSUPPORTED_CHARACTER',
      { product_info: { ...completeRequest.product_info, name: 'Helmet 🚲' } },
      'product_info.name',
    ],
    [
      'DRAFT_CANNOT_SUPERSEDE',
      { supersedes: '8b1d2c3e-6b1d-4e0f-9c77-2a5d1e8b4f61', attestation: undefined },
      'supersedes',
    ],
  ])('includes the warning %s if the request meets the warning’s condition', (code, change, path) => {
    const warnings = make({ ...completeRequest, ...change }).warnings.filter(warning => warning.code === code);
    expect(warnings).toMatchObject([{ code, path, message: expect.stringMatching(/\.$/) }]);
  });

  it('can have any of 29 distinct warning codes', () => {
    expect(new Set(WARNING_CODES).size).toBe(29);
  });

  it('doesn’t mistake child-resistant packaging for a children’s product', () => {
    const named = (name: string) =>
      codes({ ...completeRequest, product_info: { ...completeRequest.product_info, name } });
    expect(named('Child-resistant bottle cap')).not.toContain('POSSIBLE_CHILDRENS_PRODUCT');
    expect(named('Kidney bean canner')).not.toContain('POSSIBLE_CHILDRENS_PRODUCT');
    expect(named('Toddler bike')).toContain('POSSIBLE_CHILDRENS_PRODUCT');
  });

  it('counts every rule in a citation that contains several rules', () => {
    const several = {
      ...completeRequest,
      cpsc_rules_cited: ['16 CFR 1203 and 16 CFR 1303', '16 CFR 1110'],
      tests: [
        { rule_index: 0, test_date: '2026-08-30', report_id: 'A' },
        { rule: '16 CFR 1303', test_date: '2026-08-30', report_id: 'B' },
      ],
    };
    const { rules, warnings } = make(several);
    expect(rules.map(({ citation, entry, tests }) => [citation, entry, tests.map(test => test.report_id)])).toEqual([
      ['16 CFR 1203', 0, ['A']],
      ['16 CFR 1303', 0, ['A', 'B']],
      ['16 CFR 1110', 1, []],
    ]);
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toContain('NOT_A_CERTIFIABLE_RULE cpsc_rules_cited.1');
  });

  it('applies an exclusion that lists several rules to each of those rules', () => {
    const exclusions = [{ rule: '16 CFR 1610, 16 CFR 1611', basis: '16 CFR 1610.1(d)' }];
    const { rules } = make({ ...SAMPLE_REQUEST, cpsc_rules_cited: ['16 CFR 1611', '16 CFR 1610'], exclusions });
    expect(rules.map(rule => rule.exclusion?.basis)).toEqual(['16 CFR 1610.1(d)', '16 CFR 1610.1(d)']);
  });

  it('doesn’t split citations if splitting would result in more than 200 rules', () => {
    const cited = Array.from({ length: 150 }, () => '16 CFR 1203, 16 CFR 1303');
    expect(make({ ...SAMPLE_REQUEST, cpsc_rules_cited: cited }).rules).toHaveLength(150);
  });

  it('doesn’t require a test for an excluded rule', () => {
    const two = { ...completeRequest, cpsc_rules_cited: ['16 CFR 1203', '16 CFR 1610'] };
    expect(codes(two)).toContain('NO_PER_RULE_TESTS');
    const excluded = { ...two, exclusions: [{ rule: '§ 1610', basis: 'Exempt fabric, 16 CFR 1610.1(d)' }] };
    expect(make(excluded).completeness.status).toBe('complete');
    expect(make(excluded).rules[1]?.exclusion).toEqual({ basis: 'Exempt fabric, 16 CFR 1610.1(d)', code: null });
  });

  it('rejects an invalid context', () => {
    expect(() => certificate(SAMPLE_REQUEST, { ...sampleContext, id: 'x' })).toThrow(RangeError);
    expect(() => certificate(SAMPLE_REQUEST, { ...sampleContext, issuedAt: 'now' })).toThrow(RangeError);
    expect(() => certificate(SAMPLE_REQUEST, { ...sampleContext, verificationUrl: 'https://a b' })).toThrow(RangeError);
  });

  it('is unchanged after a JSON round trip', () => {
    const record = make(completeRequest);
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  });
});

describe('the attestation', () => {
  it('has two sentences and is marked as not yet compared with the live eCFR page', () => {
    const text = attestationText('16cfr1110.11-2026-07-08');
    expect(text?.sentences.map(sentence => sentence.split(' ').length)).toEqual([41, 30]);
    expect(text?.reviewed.live_page).toBe(false);
  });
});

describe('countryOf', () => {
  it.each([
    ['Shenzhen, China', 'CN'],
    ['Shenzhen, P.R. China', 'CN'],
    ['Taipei, Taiwan', 'TW'],
    ['Seoul, South Korea', 'KR'],
    ['İzmir, Türkiye', 'TR'],
    ['Ho Chi Minh City, Viet Nam', 'VN'],
    ['Birmingham, UK', 'GB'],
    ['Portland, OR', 'US'],
    ['Los Angeles, CA 90001', 'US'],
    ['Atlanta, GA 30301', 'US'],
    ['Austin, Texas', 'US'],
    ['Detroit, U.S.A.', 'US'],
    ['San Juan, Puerto Rico', 'US'],
    ['France', 'FR'],
    ['Los Angeles, CA', null],
    ['Atlanta, GA', null],
    ['Atlanta, Georgia', null],
    ['Indianapolis, IN', null],
    ['Shenzhen', null],
    ['New Jersey, New Mexico City', null],
    ['深圳，中国', 'CN'],
    ['', null],
  ])('resolves %s to %s', (place, country) => {
    expect(countryOf(place)).toBe(country);
  });
});
