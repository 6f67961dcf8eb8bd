import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHILDRENS_CONTRADICTION_CODES } from '../childrens/contradictions.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { certificate } from './certificate.ts';
import { CONTRADICTION_CODES, type ContradictionCode } from './contradictions.ts';

type Change = { readonly [field: string]: unknown };

/** Returns the complete sample request with the given changes. Objects are merged, and `undefined` removes a field. */
function requestWith(change: Change, base: Change = completeRequest): Change {
  const isObject = (value: unknown): value is Change =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = Object.entries(change).map(([field, value]) => {
    const old = base[field];
    return [field, isObject(value) && isObject(old) ? requestWith(value, old) : value] as const;
  });
  const all = Object.entries({ ...base, ...Object.fromEntries(merged) });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

const completenessWith = (change: Change) => certificate(requestWith(change), sampleContext).completeness;

const DOMESTIC: Change = {
  product_info: { place_of_manufacture: 'Portland, Oregon, USA' },
  manufacturer: {
    name: 'Cascade Helmets LLC',
    address: '410 Alder Street, Portland, OR 97205, USA',
    ...{ city: 'Portland', state_province: 'Oregon', postal_code: '97205', country: 'US', phone: '+1 503 555 0188' },
  },
};
const certifier = (role: string): Change => ({ certifier: { role } });

/** Request for an adult T-shirt whose fabric is exempt from testing under 16 CFR 1610.1(d), so no lab is named. */
const SHIRT: Change = {
  product_info: { name: 'Adult T-shirt', description: 'Plain-weave cotton T-shirt, 180 g/m²', model: 'T-1' },
  cpsc_rules_cited: ['16 CFR 1610'],
  exclusions: [{ rule: '16 CFR 1610', basis: 'Adult apparel, plain-surface fabric: 16 CFR 1610.1(d)(1)' }],
  ...{ testing_lab: undefined, tests: undefined },
};

/** Requests that each contain a contradiction, with the contradiction's code, path, and part of its citation. */
const NONSENSE: readonly [name: string, change: Change, code: ContradictionCode, path: string, citation: string][] = [
  ['a hyphen as the product name', { product_info: { name: '-' } }, 'PLACEHOLDER_TEXT', 'product_info.name', '(1)'],
  ['dots as the product name', { product_info: { name: '...' } }, 'PLACEHOLDER_TEXT', 'product_info.name', '(1)'],
  ['“test” as the name', { product_info: { name: 'test' } }, 'PLACEHOLDER_TEXT', 'product_info.name', '(1)'],
  ['“Sample” as the name', { product_info: { name: 'Sample' } }, 'PLACEHOLDER_TEXT', 'product_info.name', '(1)'],
  ['“xxxx” as the name', { product_info: { name: 'xxxx' } }, 'PLACEHOLDER_TEXT', 'product_info.name', '(1)'],
  ['“11111” as the name', { product_info: { name: '11111' } }, 'PLACEHOLDER_TEXT', 'product_info.name', '(1)'],
  [
    '“TBD” as the description',
    { product_info: { description: 'TBD' } },
    'PLACEHOLDER_TEXT',
    'product_info.description',
    '(1)',
  ],
  [
    'lorem ipsum as the description',
    { product_info: { description: 'Lorem ipsum dolor sit amet' } },
    'PLACEHOLDER_TEXT',
    'product_info.description',
    '(1)',
  ],
  ['“N/A” as the model', { product_info: { model: 'N/A' } }, 'PLACEHOLDER_TEXT', 'product_info.model', '(1)'],
  ['a question mark as the SKU', { product_info: { sku: '?' } }, 'PLACEHOLDER_TEXT', 'product_info.sku', '(1)'],
  [
    '“unknown” as the place of manufacture',
    { product_info: { place_of_manufacture: 'unknown' } },
    'PLACEHOLDER_TEXT',
    'product_info.place_of_manufacture',
    '(5)',
  ],
  ['“N/A” as the certifier', { certifier: { name: 'N/A' } }, 'PLACEHOLDER_TEXT', 'certifier.name', '(3)'],
  ['“n.a.” as the certifier', { certifier: { name: 'n.a.' } }, 'PLACEHOLDER_TEXT', 'certifier.name', '(3)'],
  ['“None” as the certifier', { certifier: { name: 'None' } }, 'PLACEHOLDER_TEXT', 'certifier.name', '(3)'],
  ['“asdf” as the address', { certifier: { address: 'asdf' } }, 'PLACEHOLDER_TEXT', 'certifier.address', '(3)'],
  ['“xxx” as the city', { certifier: { city: 'xxx' } }, 'PLACEHOLDER_TEXT', 'certifier.city', '(3)'],
  [
    '“TBA” as the custodian',
    { records_contact: { position: 'TBA' } },
    'PLACEHOLDER_TEXT',
    'records_contact.position',
    '(4)',
  ],
  ['“Test” as the lab', { testing_lab: { name: 'Test' } }, 'PLACEHOLDER_TEXT', 'testing_lab.name', '(6)'],
  ['dashes as the manufacturer', { manufacturer: { name: '---' } }, 'PLACEHOLDER_TEXT', 'manufacturer.name', '(5)'],
  [
    'a question mark as the attester',
    { attestation: { attested_by: '?' } },
    'PLACEHOLDER_TEXT',
    'attestation.attested_by',
    '(7)',
  ],
  ['a phone number with only zeros', { certifier: { phone: '00000' } }, 'IMPOSSIBLE_PHONE', 'certifier.phone', '(3)'],
  [
    'a phone number with a single repeated digit',
    { certifier: { phone: '9999999999' } },
    'IMPOSSIBLE_PHONE',
    'certifier.phone',
    '(3)',
  ],
  [
    'a phone number with consecutive digits',
    { certifier: { phone: '1234567890' } },
    'IMPOSSIBLE_PHONE',
    'certifier.phone',
    '(3)',
  ],
  [
    'a US phone number that is too short',
    { certifier: { phone: '+1 503 555' } },
    'IMPOSSIBLE_PHONE',
    'certifier.phone',
    '(3)',
  ],
  [
    'a US phone number that is too long',
    { certifier: { phone: '+1 503 555 0142 99' } },
    'IMPOSSIBLE_PHONE',
    'certifier.phone',
    '(3)',
  ],
  [
    'a phone number with an unknown country code',
    { testing_lab: { phone: '+999 555 0142' } },
    'IMPOSSIBLE_PHONE',
    'testing_lab.phone',
    '(6)',
  ],
  [
    'a Chinese phone number that is too short',
    { manufacturer: { phone: '+86 755' } },
    'IMPOSSIBLE_PHONE',
    'manufacturer.phone',
    '(5)',
  ],
  [
    'a wrong GTIN check digit',
    { product_info: { gtin: '00812345678905' } },
    'WRONG_CHECK_DIGIT',
    'product_info.gtin',
    '(1)',
  ],
  [
    'a wrong GTIN-8 check digit',
    { product_info: { gtin: '96385075' } },
    'WRONG_CHECK_DIGIT',
    'product_info.gtin',
    '(1)',
  ],
  [
    'a wrong UPC check digit',
    { product_info: { upc: '036000291453' } },
    'WRONG_CHECK_DIGIT',
    'product_info.upc',
    '(1)',
  ],
  [
    'a date of manufacture before production started',
    { product_info: { date_of_manufacture: '2026-09-10' } },
    'PRODUCTION_DATES_CONTRADICT',
    'product_info.date_of_manufacture',
    '(5)',
  ],
  [
    'a date of manufacture after production ended',
    { product_info: { date_of_manufacture: '2026-09-20' } },
    'PRODUCTION_DATES_CONTRADICT',
    'product_info.date_of_manufacture',
    '(5)',
  ],
  [
    'an attestation years before the test',
    { attestation: { attested_at: '2020-01-01' } },
    'ATTESTED_BEFORE_TEST',
    'attestation.attested_at',
    '(7)',
  ],
  [
    'an attestation before the test of a single rule',
    { tests: [{ rule: '16 CFR 1203', test_date: '2026-11-21' }], attestation: { attested_at: '2026-11-19' } },
    'ATTESTED_BEFORE_TEST',
    'attestation.attested_at',
    '(7)',
  ],
  [
    'an attestation before production',
    { attestation: { attested_at: '2026-09-05T00:00:00Z' } },
    'ATTESTED_BEFORE_PRODUCTION',
    'attestation.attested_at',
    '(7)',
  ],
  [
    'an imported product certified by a domestic manufacturer',
    certifier('domestic_manufacturer'),
    'CERTIFIER_ROLE_CONTRADICTS_ORIGIN',
    'certifier.role',
    '1110.7(a)',
  ],
  [
    'an imported product certified by a private labeler',
    certifier('private_labeler'),
    'CERTIFIER_ROLE_CONTRADICTS_ORIGIN',
    'certifier.role',
    '1110.7(a)',
  ],
  [
    'a product made in the U.S. certified by an importer',
    { ...DOMESTIC, ...certifier('importer') },
    'CERTIFIER_ROLE_CONTRADICTS_ORIGIN',
    'certifier.role',
    '1110.7(b)',
  ],
  [
    'a domestic manufacturer in China',
    { ...DOMESTIC, certifier: { role: 'domestic_manufacturer', country: 'CN' } },
    'CERTIFIER_NOT_DOMESTIC',
    'certifier.country',
    '1110.7(b)',
  ],
  [
    'only 16 CFR 1110',
    { cpsc_rules_cited: ['16 CFR 1110'], tests: undefined },
    'NO_CERTIFIABLE_RULE',
    'cpsc_rules_cited',
    '(2)',
  ],
  [
    'only rules that need no certificate',
    { cpsc_rules_cited: ['16 CFR 1110', '16 CFR 1640'], tests: undefined },
    'NO_CERTIFIABLE_RULE',
    'cpsc_rules_cited',
    '(2)',
  ],
  [
    'only a banned category',
    { cpsc_rules_cited: ['16 CFR 1310'], tests: undefined },
    'NO_CERTIFIABLE_RULE',
    'cpsc_rules_cited',
    '(2)',
  ],
  [
    'the toy rule',
    { cpsc_rules_cited: ['16 CFR 1203', 'ASTM F963-23'] },
    'CHILDRENS_RULE_ON_GCC',
    'cpsc_rules_cited.1',
    '15 U.S.C. 2063(a)(2)',
  ],
  [
    'an infant rule among general rules',
    { cpsc_rules_cited: ['16 CFR 1203', '16 CFR 1303', '16 CFR 1219'] },
    'CHILDRENS_RULE_ON_GCC',
    'cpsc_rules_cited.2',
    '15 U.S.C. 2063(a)(2)',
  ],
  [
    'lead in children’s products',
    { cpsc_rules_cited: ['15 U.S.C. 1278a'], tests: undefined },
    'CHILDRENS_RULE_ON_GCC',
    'cpsc_rules_cited.0',
    '15 U.S.C. 2063(a)(2)',
  ],
  [
    'a month of manufacture before production started',
    { product_info: { date_of_manufacture: '2026-08' } },
    'PRODUCTION_DATES_CONTRADICT',
    'product_info.date_of_manufacture',
    '(5)',
  ],
  [
    'a month of manufacture after production ended',
    { product_info: { date_of_manufacture: '2026-10', production_end: '2026-09' } },
    'PRODUCTION_DATES_CONTRADICT',
    'product_info.date_of_manufacture',
    '(5)',
  ],
  [
    'an attestation before the month of manufacture',
    {
      product_info: { date_of_manufacture: '2026-11', production_start: undefined, production_end: undefined },
      attestation: { attested_at: '2026-10-30' },
    },
    'ATTESTED_BEFORE_PRODUCTION',
    'attestation.attested_at',
    '(7)',
  ],
  [
    'a helmet for ages 5 to 10',
    { product_info: { name: 'Youth helmet, ages 5–10' } },
    'CHILDRENS_AGE_ON_GCC',
    'product_info.name',
    '16 CFR 1200.2',
  ],
  [
    'a description that limits the ages to 12',
    { product_info: { description: 'Bicycle helmet for ages 12 and under' } },
    'CHILDRENS_AGE_ON_GCC',
    'product_info.description',
    '16 CFR 1200.2',
  ],
  [
    'a helmet that is excluded from testing because the tests are expensive',
    {
      testing_lab: undefined,
      tests: undefined,
      exclusions: [{ rule: '16 CFR 1203', basis: 'Testing is too expensive' }],
    },
    'EXCLUSION_WITHOUT_PROVISION',
    'exclusions.0.basis',
    '1110.11(c)',
  ],
  [
    'a T-shirt with “N/A” as the basis of its exclusion',
    { ...SHIRT, exclusions: [{ rule: '16 CFR 1610', basis: 'N/A' }] },
    'PLACEHOLDER_TEXT',
    'exclusions.0.basis',
    '(6)',
  ],
  [
    'an infant rule in one text with a general rule',
    { cpsc_rules_cited: ['16 CFR 1203, 16 CFR 1219'] },
    'CHILDRENS_RULE_ON_GCC',
    'cpsc_rules_cited.0',
    '15 U.S.C. 2063(a)(2)',
  ],
];

describe('the completeness check', () => {
  it.each(NONSENSE)('marks a certificate as incomplete because of %s', (_, change, code, path, citation) => {
    const { status, contradictions } = completenessWith(change);
    expect(status).toBe('incomplete');
    expect(contradictions).toContainEqual({
      code,
      path,
      message: expect.stringMatching(/^[“A-Z0-9].*\.$/),
      citation: expect.stringContaining(citation),
    });
  });
});

describe('the completeness check for plausible values', () => {
  it.each<[name: string, change: Change]>([
    ['the sample values', {}],
    ['a product made in the U.S. by its certifier', { ...DOMESTIC, ...certifier('domestic_manufacturer') }],
    ['a private-label product made in the U.S.', { ...DOMESTIC, ...certifier('private_labeler') }],
    ['a product made in the U.S. without a named certifier', { ...DOMESTIC, certifier: undefined }],
    [
      'a product made in Puerto Rico',
      {
        ...DOMESTIC,
        product_info: { place_of_manufacture: 'Ponce, Puerto Rico' },
        ...certifier('domestic_manufacturer'),
      },
    ],
    [
      'a foreign importer of record',
      { certifier: { country: 'CA', state_province: 'Ontario', city: 'Toronto', phone: '+1 416 555 0142' } },
    ],
    ['a short brand as the certifier', { certifier: { name: '3M' } }],
    ['an abbreviation as the certifier', { certifier: { name: 'AAA' } }],
    ['a lab whose name starts with “Test”', { testing_lab: { name: 'Test Labs of Oregon' } }],
    ['a product whose name contains “sample”', { product_info: { name: 'Sample rack, steel' } }],
    ['a repetitive model number', { product_info: { model: '1111' } }],
    ['a single letter as the model', { product_info: { model: 'X' } }],
    ['a Chinese city with two characters', { manufacturer: { city: '深圳', state_province: '广东' } }],
    ['a mononym as the attester', { attestation: { attested_by: 'Suharto' } }],
    ['a phone number with an extension', { certifier: { phone: '+1 (503) 555-0142 x12' } }],
    ['a US phone number without a country code', { certifier: { phone: '503-555-0142' } }],
    ['a Chinese phone number without a country code', { manufacturer: { phone: '0755 5550 1234' } }],
    ['a toll-free phone number', { certifier: { phone: '1-800-555-0142' } }],
    ['a valid GTIN-8', { product_info: { gtin: '96385074' } }],
    ['a valid GTIN-13', { product_info: { gtin: '4006381333931' } }],
    ['a valid UPC', { product_info: { upc: '036000291452' } }],
    [
      'an attestation on the day of the test',
      {
        attestation: { attested_at: '2026-09-20' },
        testing_lab: { test_date: '2026-09-20' },
        tests: [{ rule: '16 CFR 1203', test_date: '2026-09-20' }],
      },
    ],
    [
      'an attestation in Hawaii on the day before a test in China',
      {
        testing_lab: { test_date: '2026-09-21' },
        tests: [{ rule: '16 CFR 1203', test_date: '2026-09-21' }],
        attestation: { attested_at: '2026-09-20T12:00:00-10:00' },
      },
    ],
    [
      'a test before production',
      { testing_lab: { test_date: '2026-02-01' }, tests: [{ rule: '16 CFR 1203', test_date: '2026-02-01' }] },
    ],
    ['production on a single day', { product_info: { production_end: '2026-09-14' } }],
    [
      'a rule for children’s and other products',
      { cpsc_rules_cited: ['16 CFR 1303'], tests: [{ rule: '16 CFR 1303', test_date: '2026-08-30' }] },
    ],
    ['an adult T-shirt that is excluded from testing, without a lab', SHIRT],
    [
      'an adult T-shirt that cites its exclusion as the rule',
      { ...SHIRT, cpsc_rules_cited: ['16 CFR 1610.1(d)(1)'], exclusions: undefined },
    ],
    [
      'an adult T-shirt with a description of its fabric as the basis',
      { ...SHIRT, exclusions: [{ rule: '16 CFR 1610', basis: 'Plain-surface fabric of 2.6 oz/yd² or more' }] },
    ],
    [
      'a month of manufacture that overlaps with production',
      { product_info: { date_of_manufacture: '2026-09' }, attestation: { attested_at: '2026-09-20' } },
    ],
    [
      'a month of manufacture without production dates',
      { product_info: { date_of_manufacture: '2026-05', production_start: undefined, production_end: undefined } },
    ],
    [
      'two rules in one text with a test for both',
      {
        cpsc_rules_cited: ['16 CFR parts 1203 and 1303'],
        tests: [{ rule: '16 CFR parts 1203 and 1303', test_date: '2026-08-30' }],
      },
    ],
    ['a product for ages 14 and up', { product_info: { description: 'Road helmet, size M, for ages 14 and up' } }],
    ['a product that isn’t for children', { product_info: { description: 'Helmet. Not for children ages 5-10.' } }],
    [
      'a rule that isn’t in the catalog',
      { cpsc_rules_cited: ['16 CFR 1999'], tests: [{ rule_index: 0, test_date: '2026-08-30' }] },
    ],
  ])('accepts %s in a complete certificate', (_, change) => {
    expect(completenessWith(change)).toEqual({ status: 'complete', missing: [], contradictions: [] });
  });
});

it('includes the field name in every message about a placeholder or a phone number', () => {
  const change = {
    certifier: { name: 'N/A', phone: '00000' },
    exclusions: [{ rule: '16 CFR 1203', basis: 'TBD' }],
    other_labs: [{ name: 'none' }],
    product_info: { place_of_manufacture: 'unknown' },
  };
  const { contradictions } = completenessWith(change);
  const named = contradictions.filter(({ code }) => code === 'PLACEHOLDER_TEXT' || code === 'IMPOSSIBLE_PHONE');
  expect(named.map(({ message }) => message.split(':')[0]).sort()).toEqual([
    'Certifier name',
    'Certifier phone number',
    'Exclusion 1 basis',
    'Lab 2 name',
    'Place of manufacture',
  ]);
});

it('has a test case for every contradiction code that a general certificate can have', () => {
  const childrens: readonly string[] = CHILDRENS_CONTRADICTION_CODES;
  const general = CONTRADICTION_CODES.filter(code => !childrens.includes(code));
  expect([...new Set(NONSENSE.map(([, , code]) => code))].sort()).toEqual(general.sort());
});

it('marks a certificate as incomplete if and only if an element is missing or contradictory', () => {
  const text = fc.constantFrom('N/A', '-', 'Cascade Imports', 'test', '11', '深圳');
  fc.assert(
    fc.property(text, text, fc.option(fc.constant('00000'), { nil: '+1 503 555 0142' }), (name, city, phone) => {
      const { status, missing, contradictions } = completenessWith({ certifier: { name, city, phone } });
      expect(status).toBe(missing.length + contradictions.length === 0 ? 'complete' : 'incomplete');
    }),
  );
});
