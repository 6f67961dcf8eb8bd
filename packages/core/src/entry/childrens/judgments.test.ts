import { describe, expect, it } from 'vitest';
import { type CertificateRecord, certificate } from '../record/certificate.ts';
import { initialStatus } from '../record/status.ts';
import type { InvalidRequest } from '../request/issues.ts';
import { bunkBedRequest, pajamaRequest, sampleLabs, toyRequest } from '../samples/childrens.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { CHILDRENS_CONTRADICTION_CODES } from './contradictions.ts';
import { parseLabList } from './lab-list.ts';
import { CHILDRENS_WARNING_CODES } from './warnings.ts';

type Change = { readonly [field: string]: unknown };

/** Returns a copy of a request with the changes applied. Nested objects are merged, and `undefined` removes a field. */
function changed(base: Change, change: Change): Change {
  const isObject = (value: unknown): value is Change =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const all = { ...base };
  for (const [field, value] of Object.entries(change)) {
    const old = base[field];
    if (value === undefined) delete all[field];
    else all[field] = isObject(value) && isObject(old) ? changed(old, value) : value;
  }
  return all;
}

const record = (base: Change, change: Change = {}, acceptedLabs: object | null = sampleLabs): CertificateRecord =>
  certificate(changed(base, change), { ...sampleContext, acceptedLabs: acceptedLabs && parseLabList(acceptedLabs) });

/**
 * Returns the missing elements, contradictions, and warnings in the record, as `code-or-missing path (citation)`. Omits
 * the warnings that every sample has.
 */
function reported({ completeness, warnings }: CertificateRecord): string[] {
  return [
    ...completeness.missing.map(({ element, path }) => `missing ${path} (${element})`),
    ...completeness.contradictions.map(({ code, path, citation }) => `${code} ${path} (${citation})`),
    ...warnings.map(({ code, path, citation }) => `${code} ${path} (${citation})`),
  ];
}

/** Product whose name and description don't suggest an audience. */
const PLAIN = { name: 'Cotton blanket', description: 'Woven cotton blanket, 100 by 140 cm, light blue' };
const graded = (age_grading: Change | undefined, product: Change = PLAIN): Change => {
  const { age_grading: _, ...toy } = toyRequest;
  return changed(toy, { product_info: product, ...(age_grading && { age_grading }) });
};

describe('age grading', () => {
  const years = (from: number, to?: number) => ({
    ages: { from_months: from * 12, ...(to !== undefined && { to_months: to * 12 + 11 }) },
  });

  it.each<[name: string, grading: Change | undefined, product: Change, citation: string]>([
    ['ages 3 to 6', years(3, 6), PLAIN, '16 CFR 1200.2(c)(1)'],
    ['ages 6 to 12', years(6, 12), PLAIN, '16 CFR 1200.2(c)(1)'],
    ['a statement that it’s for children', { stated_use: 'children' }, PLAIN, '16 CFR 1200.2(c)(1)'],
    ['packaging that shows children', { marketing: 'children' }, PLAIN, '16 CFR 1200.2(a)(1)'],
    [
      'a product that everyone recognizes as a children’s product',
      { common_recognition: 'children' },
      PLAIN,
      '16 CFR 1200.2(a)(1)',
    ],
    ['CPSC’s Age Determination Guidelines', { age_guidelines: 'children' }, PLAIN, '16 CFR 1200.2(a)(1)'],
    ['a name that says “toddler”', undefined, { ...PLAIN, name: 'Toddler blanket' }, '16 CFR 1200.2(a)(1)'],
    ['a toy for ages 3 and up', years(3), { ...PLAIN, name: 'Toy blocks' }, '16 CFR 1200.2(a)(1)'],
    [
      'a collector’s label on a doll that is sold to children',
      { stated_use: 'general_use', marketing: 'children', common_recognition: 'children' },
      PLAIN,
      '16 CFR 1200.2(c)(1)',
    ],
  ])('classifies a product as a children’s product: %s', (_, grading, product, citation) => {
    const { childrens } = record(graded(grading, product));
    expect(childrens?.age_grading.decision).toBe('CPC');
    expect(childrens?.age_grading.reasons.at(-1)?.citation).toBe(citation);
  });

  it.each<[name: string, grading: Change | undefined, product: Change]>([
    ['ages 14 and up', years(14), PLAIN],
    ['ages 13 to 17', years(13, 17), PLAIN],
    ['a statement that it’s for general use', { stated_use: 'general_use' }, PLAIN],
    [
      'packaging and recognition for general use',
      { marketing: 'general_use', common_recognition: 'general_use' },
      PLAIN,
    ],
    ['a name that says “adult”', undefined, { ...PLAIN, name: 'Adult blanket' }],
    ['a children’s toy in a set with it', { stated_use: 'general_use', sold_with_other_audience: true }, PLAIN],
    ['children’s rules, which don’t change what it is', { ages: { from_months: 216 } }, PLAIN],
  ])('never classifies a general-use product as a children’s product: %s', (_, grading, product) => {
    const issue = () => {
      try {
        return record(graded(grading, product)).format;
      } catch (error) {
        return (error as InvalidRequest).issues.map(({ path, code }) => `${code} ${path}`);
      }
    };
    expect(issue()).toEqual(['NOT_A_CHILDRENS_PRODUCT age_grading']);
  });

  it.each<[name: string, grading: Change | undefined]>([
    ['no facts', undefined],
    ['ages 8 to 99', years(8, 99)],
    ['ages 3 and up without any other fact', years(3)],
    [
      'packaging for children and recognition for general use',
      { marketing: 'children', common_recognition: 'general_use' },
    ],
    [
      'a statement for children that all other factors contradict',
      { stated_use: 'children', marketing: 'general_use' },
    ],
    ['ages that contradict the stated use', { ...years(3, 6), stated_use: 'general_use' }],
  ])('leaves the age grading undetermined and the certificate incomplete: %s', (_, grading) => {
    const draft = record(graded(grading));
    expect(draft.childrens?.age_grading.decision).toBe('undetermined');
    expect(reported(draft)).toContain('missing age_grading (16 CFR 1200.2)');
    expect(initialStatus(draft)).toBe('incomplete');
  });

  it('asks for a separate general certificate for the general-use product in a set', () => {
    const set = record(graded({ marketing: 'children', sold_with_other_audience: true }));
    expect(set.childrens?.age_grading).toMatchObject({ decision: 'CPC', separate: 'GCC' });
    expect(reported(set)).toContain('SEPARATE_CERTIFICATE age_grading.sold_with_other_audience (16 CFR 1110.13(a))');
    expect(set.completeness.status).toBe('complete');
  });

  it('asks for a separate Children’s Product Certificate for the children’s product in a set', () => {
    const set = (grading: Change) => record({ ...completeRequest, age_grading: grading });
    const general = set({ marketing: 'general_use', sold_with_other_audience: true });
    const separate = 'SEPARATE_CERTIFICATE age_grading.sold_with_other_audience (15 U.S.C. 2063(a)(2))';
    expect(reported(general)).toContain(separate);
    expect(general.completeness.status).toBe('complete');
    expect(reported(set({ marketing: 'general_use' }))).not.toContain(separate);
  });

  it('marks a general certificate for a children’s product as incomplete, and warns if the audience is undetermined', () => {
    const general = (age_grading: Change) => record({ ...completeRequest, age_grading });
    expect(reported(general({ marketing: 'children' }))).toContain(
      'CHILDRENS_AGE_ON_GCC age_grading (16 CFR 1200.2(a))',
    );
    expect(reported(general({ ages: { from_months: 36 } }))).toContain(
      'POSSIBLE_CHILDRENS_PRODUCT age_grading (16 CFR 1200.2)',
    );
    expect(general({ stated_use: 'general_use' }).completeness.status).toBe('complete');
  });
});

const SAMPLES = { 'a toy': toyRequest, pajamas: pajamaRequest, 'a bunk bed': bunkBedRequest };

describe.each(Object.entries(SAMPLES))('the certificate for %s', (_, request) => {
  it('is complete if it cites the required rules and names an accepted laboratory', () => {
    const complete = record(request);
    expect(complete).toMatchObject({
      format: 'cpc-1',
      completeness: { status: 'complete', missing: [], contradictions: [] },
    });
    expect(initialStatus(complete)).toBe('complete');
    expect(complete.childrens?.expected_rules?.map(({ citation }) => citation).sort()).toEqual(
      [...request.cpsc_rules_cited].sort(),
    );
    expect(new Set(complete.childrens?.third_party_testing)).toEqual(new Set(['accepted']));
  });

  it.each<[name: string, change: Change, labs: object | null]>([
    ['has no CPSC lab ID', { testing_lab: { cpsc_lab_id: undefined } }, sampleLabs],
    ['has an accreditation number as its CPSC lab ID', { testing_lab: { cpsc_lab_id: 'ISO-17025' } }, null],
    ['isn’t on the list', { testing_lab: { cpsc_lab_id: '9999' } }, sampleLabs],
    ['isn’t accepted for the rules', {}, { ...sampleLabs, labs: [{ cpsc_lab_id: '1234', rules: ['16 CFR 1203'] }] }],
  ])('remains a draft if its laboratory %s', (_, change, labs) => {
    const draft = record(request, change, labs);
    expect(initialStatus(draft)).toBe('draft');
    expect(reported(draft).filter(each => each.includes('(15 U.S.C. 2063(a)(2))'))).not.toEqual([]);
  });

  it('states that the laboratory’s acceptance wasn’t checked if no laboratory list is supplied', () => {
    const unchecked = record(request, {}, null);
    expect(unchecked.childrens).toMatchObject({ lab_list: null, labs: [{ status: 'not_checked' }] });
    expect(new Set(unchecked.childrens?.third_party_testing)).toEqual(new Set(['not_checked']));
    expect(reported(unchecked)).toContain('LAB_ACCEPTANCE_NOT_CHECKED testing_lab.cpsc_lab_id (15 U.S.C. 2063(a)(2))');
  });

  it.each(request.cpsc_rules_cited)('is incomplete if it doesn’t cite %s', citation => {
    const cpsc_rules_cited = request.cpsc_rules_cited.filter(rule => rule !== citation);
    const tests = request.tests.filter(({ rule }) => rule !== citation);
    const { completeness } = record(request, { cpsc_rules_cited, tests });
    expect(completeness.missing.map(({ element, message }) => [element, message.split(' (')[0]])).toEqual([
      ['16 CFR 1110.11(a)(2)', citation],
    ]);
  });
});

const tested = (rule: string, more: Change = {}) => ({ rule, test_date: '2026-08-30', ...more });
const component = {
  component: 'Red paint, batch 7',
  rules: ['16 CFR 1303'],
  kind: 'test_report',
  issuer: {
    name: 'Harbor Coatings',
    ...{
      address: '12 Dock Road, Long Beach, CA 90802, USA',
      phone: '+1 562 555 0111',
      email: 'qa@harborcoatings.example',
    },
  },
  certificate_id: 'HC-26-7',
  lab_index: 0,
  test_date: '2026-07-01',
  identical: true,
} as const;
const withoutTestOf = (rule: string) => toyRequest.tests.filter(test => test.rule !== rule);
const firstParty = {
  name: 'Little Oak test room',
  type: 'first_party',
  address: '88 Keyuan Road, Nanshan District, Shenzhen, Guangdong 518057, China',
  phone: '+86 755 5550 1234',
  email: 'qa@littleoak.example',
};
const firstPartyTest = (rule: string) => ({
  other_labs: [firstParty],
  tests: [...withoutTestOf(rule), tested(rule, { lab_index: 1 })],
});
const batch = { small_batch: { registration_id: 'SBM-1', year: 2026 } };

/** Requests, each with the expected missing element, contradiction, or warning, and the legal provision behind it. */
const JUDGED: readonly [name: string, base: Change, change: Change, expected: string, labs?: object][] = [
  [
    'unfinished wood is excluded only from the test for heavy elements',
    toyRequest,
    { exclusions: [{ rule: '16 CFR 1250', basis: 'Unfinished wood, 16 CFR 1251.2' }] },
    'PARTIAL_EXCLUSION cpsc_rules_cited.0 (16 CFR 1110.11(c))',
  ],
  [
    'a partial exclusion doesn’t replace the test for the rest of the rule',
    toyRequest,
    { exclusions: [{ rule: '16 CFR 1250', basis: '16 CFR 1251.2' }], tests: withoutTestOf('16 CFR 1250') },
    'missing cpsc_rules_cited.0 (15 U.S.C. 2063(a)(2))',
  ],
  [
    'an exclusion needs its provision',
    toyRequest,
    { exclusions: [{ rule: '16 CFR 1307', basis: 'It’s only wood' }], tests: withoutTestOf('16 CFR 1307') },
    'EXCLUSION_WITHOUT_PROVISION exclusions.0.basis (16 CFR 1110.11(c))',
  ],
  [
    'a toy needs the sections of ASTM F963',
    toyRequest,
    { toy_standard: undefined },
    'missing toy_standard (16 CFR 1110.11(a)(2))',
  ],
  [
    'the sections aren’t compared with CPSC’s list',
    toyRequest,
    {},
    'TOY_SECTIONS_NOT_CHECKED toy_standard.sections (16 CFR 1112.15)',
  ],
  [
    'a list without a scope leaves the rules unchecked',
    toyRequest,
    {},
    'LAB_ACCEPTANCE_NOT_CHECKED testing_lab.cpsc_lab_id (16 CFR 1112.19)',
    { ...sampleLabs, labs: [{ cpsc_lab_id: '1234' }] },
  ],
  [
    'a manufacturer’s own laboratory must be firewalled',
    toyRequest,
    { testing_lab: { type: 'first_party' } },
    'FIREWALLED_LAB testing_lab.type (16 CFR 1112.11(b))',
  ],
  [
    'a rule on the general list alone is questioned',
    bunkBedRequest,
    {
      cpsc_rules_cited: [...bunkBedRequest.cpsc_rules_cited, '16 CFR 1213'],
      tests: [...bunkBedRequest.tests, tested('16 CFR 1213')],
    },
    'GENERAL_RULE_CITED cpsc_rules_cited.3 (15 U.S.C. 2063(a)(2))',
  ],
  [
    'the bunk bed rule for adults doesn’t replace the one for children',
    bunkBedRequest,
    {
      cpsc_rules_cited: ['16 CFR 1213', '16 CFR 1303', '15 U.S.C. 1278a'],
      tests: [tested('16 CFR 1213'), ...bunkBedRequest.tests.slice(1)],
    },
    'missing cpsc_rules_cited (16 CFR 1110.11(a)(2))',
  ],
  [
    'an unknown rule leaves it unclear whether third-party testing is required',
    toyRequest,
    {
      cpsc_rules_cited: [...toyRequest.cpsc_rules_cited, '16 CFR 1999'],
      tests: [...toyRequest.tests, { rule_index: 5, test_date: '2026-08-30' }],
    },
    'THIRD_PARTY_TESTING_UNKNOWN cpsc_rules_cited.5 (15 U.S.C. 2063(a)(2))',
  ],
  [
    'without a product type, the rules aren’t checked',
    toyRequest,
    { childrens_product: undefined },
    'RULES_NOT_CHECKED childrens_product.types (16 CFR 1110.11(a)(2))',
  ],
  [
    'an unstated coating leaves 16 CFR 1303 unchecked',
    toyRequest,
    { childrens_product: { surface_coating: undefined } },
    'RULES_NOT_CHECKED childrens_product.surface_coating (16 CFR 1110.11(a)(2))',
  ],
  [
    'unstated sleepwear sizes leave the flammability rule unchecked',
    pajamaRequest,
    { childrens_product: { sleepwear_sizes: undefined } },
    'RULES_NOT_CHECKED childrens_product.sleepwear_sizes (16 CFR 1110.11(a)(2))',
  ],
  [
    'unstated ages leave the rules for young children unchecked',
    toyRequest,
    { age_grading: { ages: undefined } },
    'RULES_NOT_CHECKED age_grading.ages (16 CFR 1110.11(a)(2))',
  ],
  [
    'pajamas in sizes 7 to 14 need 16 CFR 1616',
    pajamaRequest,
    { childrens_product: { sleepwear_sizes: ['7-14'] } },
    'missing cpsc_rules_cited (16 CFR 1110.11(a)(2))',
  ],
  [
    'a test more than a year old is due again if production continues',
    toyRequest,
    { testing_lab: { test_date: '2025-08-30' } },
    'PERIODIC_TEST_DUE testing_lab.test_date (16 CFR 1107.21)',
  ],
  [
    'the tracking label needs a batch or run',
    toyRequest,
    { product_info: { lot_number: undefined } },
    'NO_TRACKING_COHORT tracking_label.cohort (15 U.S.C. 2063(a)(5))',
  ],
  [
    'a component must be identical in all material respects',
    toyRequest,
    { component_certificates: [{ ...component, identical: undefined }] },
    'missing component_certificates.0.identical (16 CFR 1109.5(a)(2))',
  ],
  [
    'a component that differs can’t support the certificate',
    toyRequest,
    { component_certificates: [{ ...component, identical: false }] },
    'COMPONENT_NOT_IDENTICAL component_certificates.0.identical (16 CFR 1109.5(a)(2))',
  ],
  [
    'a component certificate needs its issuer’s contact details',
    toyRequest,
    { component_certificates: [{ ...component, issuer: { name: 'Harbor Coatings' } }] },
    'missing component_certificates.0.issuer.address (16 CFR 1110.19)',
  ],
  [
    'a Group B rule can rest on other tests by a small batch manufacturer',
    toyRequest,
    { ...batch, ...firstPartyTest('16 CFR 1250') },
    'SMALL_BATCH_UNCONFIRMED small_batch.registration_id (15 U.S.C. 2063(d)(4))',
  ],
  [
    'a Group A rule can’t rest on other tests by a small batch manufacturer',
    toyRequest,
    { ...batch, ...firstPartyTest('16 CFR 1303') },
    'missing cpsc_rules_cited.1 (15 U.S.C. 2063(a)(2))',
  ],
  [
    'without a registration, a Group B rule can’t rest on other tests',
    toyRequest,
    firstPartyTest('16 CFR 1250'),
    'missing cpsc_rules_cited.0 (15 U.S.C. 2063(a)(2))',
  ],
  [
    'a registration is valid only for its year',
    toyRequest,
    { small_batch: { registration_id: 'SBM-1', year: 2025 } },
    'SMALL_BATCH_YEAR small_batch.year (15 U.S.C. 2063(d)(4))',
  ],
  [
    'a CPSC lab ID has four digits',
    toyRequest,
    { testing_lab: { cpsc_lab_id: '12345' } },
    'INVALID_LAB_ID testing_lab.cpsc_lab_id (15 U.S.C. 2063(a)(2))',
  ],
  [
    'a laboratory that isn’t on the list isn’t accepted',
    toyRequest,
    { testing_lab: { cpsc_lab_id: '9999' } },
    'LAB_NOT_ACCEPTED testing_lab.cpsc_lab_id (15 U.S.C. 2063(a)(2))',
  ],
];

describe('rules, tests, components, and small batches', () => {
  it.each(JUDGED)('%s', (_, base, change, expected, labs = sampleLabs) => {
    expect(reported(record(base, change, labs))).toContain(expected);
  });

  it.each<[name: string, base: Change, change: Change]>([
    [
      'a component test replaces the finished product’s test',
      toyRequest,
      { component_certificates: [component], tests: withoutTestOf('16 CFR 1303') },
    ],
    [
      'tight-fitting pajamas are outside 16 CFR 1615 and comply with 16 CFR 1610',
      pajamaRequest,
      {
        cpsc_rules_cited: [...pajamaRequest.cpsc_rules_cited, '16 CFR 1610'],
        exclusions: [
          { rule: '16 CFR 1615', basis: 'Tight-fitting garment, 16 CFR 1615.1(o)' },
          { rule: '16 CFR 1610', basis: 'Plain-surface fabric, 16 CFR 1610.1(d)(1)' },
        ],
        tests: pajamaRequest.tests.slice(1),
      },
    ],
    [
      'engineered wood doesn’t need a lead test',
      toyRequest,
      {
        exclusions: [{ rule: '15 U.S.C. 1278a', basis: 'Untreated particleboard, 16 CFR 1252' }],
        tests: withoutTestOf('15 U.S.C. 1278a'),
      },
    ],
    [
      'plastics that CPSC has determined to be free of phthalates don’t need a test',
      toyRequest,
      {
        exclusions: [{ rule: '16 CFR 1307', basis: 'Polypropylene, 16 CFR 1308.2(a)(1)' }],
        tests: withoutTestOf('16 CFR 1307'),
      },
    ],
    [
      'a toy for children 6 and older doesn’t need to cite 16 CFR 1501',
      toyRequest,
      {
        age_grading: { ages: { from_months: 72, to_months: 143 } },
        cpsc_rules_cited: toyRequest.cpsc_rules_cited.filter(rule => rule !== '16 CFR 1501'),
        tests: withoutTestOf('16 CFR 1501'),
      },
    ],
    [
      'the sections of ASTM F963 can be part of the citation',
      toyRequest,
      {
        toy_standard: undefined,
        cpsc_rules_cited: ['16 CFR 1250, ASTM F963-23 sections 4.3.5 and 4.6', ...toyRequest.cpsc_rules_cited.slice(1)],
      },
    ],
  ])('%s, so the certificate is complete', (_, base, change) => {
    expect(record(base, change).completeness).toEqual({ status: 'complete', missing: [], contradictions: [] });
  });
});

it('has a test case for every contradiction and warning specific to Children’s Product Certificates', () => {
  const judged = JUDGED.map(([, , , expected]) => expected.split(' ')[0]).filter(code => code !== 'missing');
  const general = ['EXCLUSION_WITHOUT_PROVISION', 'PERIODIC_TEST_DUE'];
  const expected = [...CHILDRENS_CONTRADICTION_CODES, ...CHILDRENS_WARNING_CODES, ...general];
  expect([...new Set([...judged, 'SEPARATE_CERTIFICATE'])].sort()).toEqual(expected.sort());
});

it('rejects a laboratory list without a date or a source, or with an invalid laboratory ID', () => {
  expect(() => parseLabList({ source: 'cpsc.gov', labs: [] })).toThrow();
  expect(() => parseLabList({ as_of: '2026-11-20', labs: [] })).toThrow();
  expect(() => parseLabList({ ...sampleLabs, labs: [{ cpsc_lab_id: '12' }] })).toThrow('four digits');
});

it('reports invalid references in component certificates', () => {
  const issues = (change: Change) => {
    try {
      record(toyRequest, { component_certificates: [{ ...component, ...change }] });
      return [];
    } catch (error) {
      return (error as InvalidRequest).issues.map(({ path, code }) => `${code} ${path}`);
    }
  };
  expect(issues({})).toEqual([]);
  expect(issues({ rules: ['16 CFR 1203'] })).toEqual(['INVALID_FORMAT component_certificates.0.rules.0']);
  expect(issues({ lab_index: 3 })).toEqual(['INVALID_FORMAT component_certificates.0.lab_index']);
  expect(issues({ test_date: '2027-08-30' })).toEqual(['DATE_IN_FUTURE component_certificates.0.test_date']);
});
