import type { Check, Fields } from '../../../src/certificates/draft.ts';
import type { ProductView } from '../../../src/certificates/product.ts';
import type { RuleChoice } from '../../../src/certificates/rules.ts';
import type { PutFault } from '../../../src/certificates/to-shopify.ts';
import { HOSTILE } from '../testing/hostile.ts';
import type { State } from '../testing/state.ts';
import { Product, type ProductProps } from './product.tsx';

const AT = Date.UTC(2026, 10, 2, 9);
const ID = '0198c7f2-6f0a-7b1e-9d53-3f2a1c9e4b11';
const OLD = '0197aa10-11b2-7c3d-8e4f-5a6b7c8d9e0f';
const RULE = '16 CFR 1203';
const SUBJECT = 'Bicycle helmets';

const complete: Check = { issues: [], warnings: [], missing: [] };
const required = (...paths: readonly string[]): Check => ({
  issues: paths.map(path => ({ path, code: 'REQUIRED', message: 'is required' })),
  warnings: [],
  missing: null,
});
const lacking: NonNullable<Check['missing']> = [
  ['1', 'product_info.model'],
  ['1', 'product_info.description'],
  ['3', 'certifier'],
  ['4', 'records_contact'],
  ['5', 'manufacturer.phone'],
  ['5', 'product_info.place_of_manufacture'],
  ['6', 'testing_lab.address'],
  ['6', 'other_labs.0.phone'],
  ['6', 'tests'],
].map(([paragraph, path]) => ({ element: `16 CFR 1110.11(a)(${paragraph})`, path: path!, message: '' }));
const warnings: Check['warnings'] = (
  [
    ['CHILDRENS_RULE_CITED', 'cpsc_rules_cited.0', '16 CFR 1110.3'],
    ['TEST_DATE_OLD_REVIEW', 'testing_lab.test_date', null],
    ['PLACE_NO_COUNTRY', 'product_info.place_of_manufacture', null],
    ['UNSUPPORTED_CHARACTER', 'product_info.name', null],
  ] as const
).map(([code, path, citation]) => ({ code, path, citation, message: '' }));

const PREFILLED: Fields = {
  product_info: { name: 'Bicycle helmet, adult', sku: 'HELM-A-M', place_of_manufacture: 'China' },
  manufacturer: { name: 'Velo Works', country: 'CN' },
};
const contact = {
  ...{ name: 'Found Goods Inc.', address: '12 Alder Street', city: 'Portland', state_province: 'OR' },
  ...{ postal_code: '97205', country: 'US', phone: '+1 503 555 0100', email: 'compliance@found.example' },
};
const FILLED: Fields = {
  product_info: {
    ...{ name: 'Bicycle helmet, adult', sku: 'HELM-A-M', date_of_manufacture: '2026-09-14', lot_number: 'L-77' },
    ...{ description: 'In-mould helmet, sizes M and L', place_of_manufacture: 'Shenzhen, China' },
  },
  manufacturer: { name: 'Velo Works', address: '88 Keyuan Road', country: 'CN', contact_email: 'desk@velo.example' },
  cpsc_rules_cited: [RULE, '16 CFR 1500.3(c)(6)(vi)'],
  testing_lab: { ...contact, name: 'Pacific Test Laboratories', test_date: '2026-08-30', report_ids: ['R-1', 'R-2'] },
  tests: [{ rule: RULE, test_date: '2026-08-30', lab_index: 0, report_id: 'R-1' }, { lab_index: 1 }],
  exclusions: [{ rule: '16 CFR 1500.3(c)(6)(vi)', basis: 'No solvents' }],
  other_labs: [{ name: '' }],
  certifier: { ...contact, role: 'importer' },
  records_contact: { ...contact, position: 'Quality manager' },
};
const CHOICES: readonly RuleChoice[] = [
  { citation: RULE, subject: SUBJECT, kind: 'general' },
  { citation: '16 CFR 1512', subject: 'Bicycles', kind: 'children' },
  { citation: '16 CFR 1115', subject: 'Substantial product hazard reports', kind: 'none' },
];

const none: ProductView = {
  product: '7',
  title: 'Bicycle helmet, adult',
  timeZone: 'America/New_York',
  canIssue: true,
  draft: null,
  current: null,
  history: [],
  attestation: {
    sentences: [
      'I hereby certify that the finished product(s) covered by this certificate comply with the rules, bans, standards, and regulations stated herein.',
      'I understand and acknowledge that it is a United States federal crime to knowingly and willfully make any materially false statement on this certificate.',
    ],
    citation: '16 CFR 1110.11(a)(7)',
    url: 'https://www.ecfr.gov/current/title-16/part-1110/section-1110.11',
  },
  catalogue: '2026-10',
};
const current: NonNullable<ProductView['current']> = {
  ...{ id: ID, status: 'valid', issuedAt: AT, voidReason: null, sha256: 'ab'.repeat(32) },
  verificationUrl: `https://verify.example/verify/${ID}`,
  ...{ certifier: 'Found Goods Inc.', attestedBy: 'Ada Importer' },
  rules: [
    { citation: RULE, subject: SUBJECT },
    { citation: '16 CFR 9999', subject: null },
  ],
  ...{ warnings: [], missing: [] },
};
const event = (id: string, changes: Partial<ProductView['history'][number]>): ProductView['history'][number] => ({
  ...{ id, event: 'issued', gccId: ID, supersedes: null, reason: null, at: AT, ...changes },
});
export const issued: ProductView = { ...none, current, history: [event('1', {})] };
export const writing = (fields: Fields, check: Check, view: Partial<ProductView> = {}): ProductView => ({
  ...{ ...none, draft: { id: ID, fields, fromEarlier: false, check }, ...view },
});

export const product = (view: ProductView, props: Partial<ProductProps> = {}) => (
  <Product
    {...{ view, choices: [], saved: null, saving: false, issued: null, issuing: false, beginning: false }}
    {...{ voided: null, voiding: false, shopify: { outcome: null, declined: false, busy: false } }}
    {...{ onSearch() {}, onSave() {}, onDiscard() {}, onIssue() {}, onPut() {}, onBegin() {}, onVoid() {}, ...props }}
  />
);
const is = (name: string, screen: State['screen'], says: State['says'], before?: State['before']): State => ({
  name,
  screen,
  says,
  before,
});
const put = (fault: PutFault | null, message: string | null = null) =>
  product(issued, {
    shopify: { outcome: { certificate: ID, fault, message, file: null }, declined: false, busy: false },
  });
const filled = writing(FILLED, complete);

/** What the certificates of a product can be, and what a merchant reads then. */
export const STATES: readonly State[] = [
  is('none', product(none), ['This product has no certificate', 'Write a certificate']),
  is('begun at this moment', product(none, { beginning: true }), ['This product has no certificate']),
  is('a draft with nothing in it', product(writing({}, required('product_info', 'manufacturer', 'testing_lab'))), [
    '3 fields keep it from being issued: Product: Fill this in. Manufacturer: Fill this in. Testing laboratory: Fill this in.',
    'A preview can be drawn once no field keeps the certificate from being issued.',
  ]),
  is(
    'a draft with what Shopify knows',
    product(writing(PREFILLED, required('product_info.date_of_manufacture', 'cpsc_rules_cited', 'testing_lab.name'))),
    [
      'Product: Date of manufacture: Fill this in.',
      'Rules the product is certified to: Fill this in.',
      'The name is the vendor in Shopify, as a suggestion.',
    ],
  ),
  is(
    'a draft with who certified the last time',
    product({ ...filled, draft: { ...filled.draft!, fromEarlier: true } }),
    ['Certifier, records contact and laboratory are those of your last certificate.'],
  ),
  is(
    'a draft with wrong fields',
    product(
      writing(FILLED, {
        ...complete,
        missing: null,
        issues: (
          [
            ['product_info.name', 'TOO_LONG'],
            ['product_info.date_of_manufacture', 'DATE_IN_FUTURE'],
            ['manufacturer.contact_email', 'INVALID_EMAIL'],
            ['cpsc_rules_cited', 'TOO_MANY'],
            ['tests.1.rule', 'INVALID_FORMAT'],
            ['other_labs.0.name', 'INVALID_TYPE'],
            ['testing_lab.test_date', 'INVALID_DATE'],
            ['certifier.name', 'INVALID_CHARACTER'],
            ['exclusions', 'TOO_FEW'],
            ['nonsense.3.deep', 'UNKNOWN_FIELD'],
          ] as const
        ).map(([path, code]) => ({ path, code, message: '' })),
      }),
    ),
    [
      '10 fields keep it from being issued:',
      'Product: Name: This is too long.',
      'Test 2: Rule: This does not have the right form.',
      'Further laboratory 1: Name: This cannot be read.',
      'A certificate has no such field.',
    ],
  ),
  is('a draft that lacks details', product(writing(FILLED, { issues: [], missing: lacking, warnings })), [
    'It can be issued. Of what 16 CFR 1110.11 asks for, 9 details are missing:',
    'Manufacturer: Telephone (16 CFR 1110.11(a)(5))',
    'Further laboratory 1: Telephone (16 CFR 1110.11(a)(6))',
    'Look at this once more',
    'A cited rule is for children’s products alone.',
    'It will say itself which details are missing.',
  ]),
  is('a draft that is complete', product(filled), [
    'Everything that 16 CFR 1110.11 asks for is filled in. Whether it is true is for you to know.',
    'Download a preview, marked as a draft',
    'A certificate that was issued cannot be changed.',
  ]),
  is('a draft saved at this moment', product(filled, { saving: true }), ['Saving…']),
  is('a draft that is gone', product(filled, { saved: 'gone' }), [
    'This draft was issued or discarded in another window. Load the page again.',
  ]),
  is('a draft that is too long', product(filled, { saved: 'unreadable' }), [
    'This is too long to be saved. Shorten it.',
  ]),
  is(
    'a draft where rules are looked for',
    product(filled, { choices: CHOICES }),
    [
      '3 rules of our catalogue',
      'Bicycles',
      'Needs a Children’s Product Certificate',
      'Cannot be certified to',
      'Cite as typed: bicycle',
    ],
    page => page.getByLabel('Find a rule').fill('bicycle'),
  ),
  is('a draft where no rule is found', product(filled), ['0 rules of our catalogue', 'Cite as typed: unicycle'], page =>
    page.getByLabel('Find a rule').fill('unicycle'),
  ),
  is('a draft that cannot be issued here', product({ ...filled, canIssue: false }), [
    'Certificates cannot be issued yet: whoever runs this app has not set the address',
  ]),
  is(
    'a draft that lacks fields when it is to be issued',
    product(writing(PREFILLED, required('product_info.date_of_manufacture', 'cpsc_rules_cited', 'testing_lab.name'))),
    ['Fill this in.'],
    page => page.getByRole('button', { name: 'Issue the certificate' }).click(),
  ),
  is(
    'a draft that leads to a field behind a fold',
    product(
      writing(PREFILLED, { ...complete, issues: [{ path: 'other_labs.0.report_ids', code: 'TOO_LONG', message: '' }] }),
    ),
    ['R-77'],
    async page => {
      await page.getByRole('button', { name: 'Add a laboratory' }).click();
      await page.getByRole('listitem').getByRole('button', { name: 'Further laboratory 1' }).click();
      await page.locator('textarea:focus').fill('R-77');
    },
  ),
  is('issued at this moment', product(filled, { issuing: true }), ['Attest and issue']),
  is(
    'signed badly',
    product(filled, { issued: { faults: { agreed: 'not_agreed', name: 'name_missing', title: 'too_long' } } }),
    ['Only whoever certifies can make this statement.', 'Say who makes the statement.', 'Use at most 250 characters.'],
  ),
  ...(
    [
      ['invalid', 'Some fields keep it from being issued.'],
      ['gone', 'This draft was issued or discarded in another window.'],
      ['ended', 'The certificate that it replaces was ended meanwhile. Issue once more.'],
      ['not_set_up', 'Certificates cannot be issued yet. Your draft is kept.'],
    ] as const
  ).map(([refused, sentence]) => is(`not issued: ${refused}`, product(filled, { issued: { refused } }), [sentence])),
  is('in force', product(issued), [
    'Certificate In force',
    `Number ${ID}`,
    'Issued Nov 2, 2026, 4:00',
    'Certifier: Found Goods Inc.',
    'Attested by Ada Importer',
    'Anyone can verify it here:',
    '16 CFR 1203: Bicycle helmets 16 CFR 9999',
    'Write one that replaces it',
    'Put the PDF into Shopify Files and link it to the product',
    'Void this certificate',
    `issued ${ID}`,
  ]),
  is(
    'in force, with remarks and without certifier',
    product({ ...issued, current: { ...current, missing: lacking, warnings, certifier: null, attestedBy: null } }),
    ['13 remarks', 'The certifier: the importer, or the manufacturer of goods made in the US (16 CFR 1110.11(a)(3))'],
  ),
  is('in force, of a product that is gone', product({ ...issued, title: null }), [
    'A product that is no longer in the catalog',
  ]),
  is('in force, with one that is written to replace it', product(writing(FILLED, complete, { current })), [
    'It replaces the certificate that is in force.',
  ]),
  is('put into Shopify at this moment', product(issued, { shopify: { outcome: null, declined: false, busy: true } }), [
    'Shopify takes the PDF. This may take some seconds.',
  ]),
  is(
    'without leave to put it into Shopify',
    product(issued, { shopify: { outcome: null, declined: true, busy: false } }),
    ['Nothing was put into Shopify: the app may not write files and products.'],
  ),
  is('in Shopify', put(null), ['The PDF is in Shopify Files, and the product links to it.']),
  ...(
    [
      ['throttled', 'Shopify is busy. Try again in a moment; what is done already is not done twice.'],
      ['revoked', 'Open the app again from your Shopify admin, then try again.'],
      ['forbidden', 'The app may not write files and products yet. Click again and allow it.'],
      ['frozen', 'Shopify has paused this store.'],
      ['unavailable', 'Shopify did not answer. Try again in a moment.'],
      ['unexpected', 'Look into Files whether the PDF is there before you try again.'],
      ['not_in_force', 'This certificate is not the one in force of this product any more.'],
      ['gone', 'Shopify does not have this product any more.'],
      ['upload_refused', 'Shopify’s storage did not take the PDF. Try again.'],
      ['file_failed', 'Shopify took the PDF but could not make a file of it. Try again.'],
      ['processing', 'Shopify has the PDF and is still working on it.'],
      ['changed_meanwhile', 'The product was linked to another file meanwhile.'],
    ] as const
  ).map(([fault, sentence]) => is(`not in Shopify: ${fault}`, put(fault), [sentence])),
  is('not in Shopify: refused in its own words', put('refused', `Files are full ${HOSTILE.markup}`), [
    `Shopify refused it and says: Files are full ${HOSTILE.markup}`,
  ]),
  is('voided without a reason', product(issued, { voided: { faults: { reason: 'reason_missing' } } }), [
    'Say why. Whoever holds the certificate will read it.',
  ]),
  is('voided with too long a reason', product(issued, { voided: { faults: { reason: 'reason_too_long' } } }), [
    'Use at most 500 characters.',
  ]),
  is('voided twice', product(issued, { voided: { faults: { reason: 'nothing_to_void' } } }), [
    'There is no certificate to void.',
  ]),
  is('voided at this moment', product(issued, { voiding: true }), ['Void it for good']),
  is(
    'void',
    product({
      ...none,
      current: { ...current, status: 'void', voidReason: 'Wrong laboratory' },
      history: [event('2', { event: 'voided', reason: 'Wrong laboratory' }), event('1', {})],
    }),
    ['Certificate Void', 'Voided: Wrong laboratory', 'Write a new one', `voided ${ID}: Wrong laboratory`],
  ),
  is(
    'replaced by another',
    product({
      ...issued,
      current: { ...current, status: 'superseded' },
      history: [event('2', { supersedes: OLD }), event('1', { gccId: OLD })],
    }),
    ['Certificate Replaced', `issued ${ID}, which replaced ${OLD}`],
  ),
  is(
    'of hostile strangers',
    product(
      writing(
        {
          ...FILLED,
          product_info: { name: HOSTILE.markup, description: HOSTILE.word, sku: HOSTILE.turned },
          cpsc_rules_cited: [HOSTILE.markup, HOSTILE.word],
          other_labs: [{ name: HOSTILE.word }],
        },
        complete,
        {
          title: HOSTILE.word,
          current: {
            ...{ ...current, voidReason: HOSTILE.markup, certifier: HOSTILE.word, attestedBy: HOSTILE.turned },
            rules: [{ citation: HOSTILE.markup, subject: HOSTILE.word }],
          },
          history: [event('2', { event: 'voided', reason: HOSTILE.markup }), event('1', { gccId: OLD })],
        },
      ),
    ),
    [HOSTILE.word, `Voided: ${HOSTILE.markup}`, `Certifier: ${HOSTILE.word}`, `${HOSTILE.markup}: ${HOSTILE.word}`],
  ),
];
