import { CONTRADICTION_CODES } from '@compliance/core/entry';
import type { Check, Fields } from '../../../src/certificates/draft.ts';
import type { ProductView } from '../../../src/certificates/product.ts';
import type { RuleChoice } from '../../../src/certificates/rules.ts';
import type { UploadFault } from '../../../src/certificates/upload-to-shopify.ts';
import { HOSTILE } from '../testing/hostile.ts';
import type { Story } from '../testing/story.ts';
import { Product, type ProductProps } from './product.tsx';

const AT = Date.UTC(2026, 10, 2, 9);
const ID = '0198c7f2-6f0a-7b1e-9d53-3f2a1c9e4b11';
const OLD = '0197aa10-11b2-7c3d-8e4f-5a6b7c8d9e0f';
const RULE = '16 CFR 1203';
const SUBJECT = 'Bicycle helmets';

const complete: Check = { issues: [], warnings: [], missing: [], contradictions: [] };
const required = (...paths: readonly string[]): Check => ({
  issues: paths.map(path => ({ path, code: 'REQUIRED', message: 'is required' })),
  warnings: [],
  missing: null,
  contradictions: [],
});
const missing: NonNullable<Check['missing']> = [
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
  manufacturer: { name: 'Velo Works', address: '88 Keyuan Road', country: 'CN', contact_email: 'qa@velo.example' },
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
  ...{ id: ID, status: 'complete', ended: false, issuedAt: AT, voidReason: null, sha256: 'ab'.repeat(32) },
  verificationUrl: `https://verify.example/verify/${ID}`,
  ...{ certifier: 'Found Goods Inc.', attestedBy: 'Ada Importer' },
  rules: [
    { citation: RULE, subject: SUBJECT },
    { citation: '16 CFR 9999', subject: null },
  ],
  ...{ warnings: [], missing: [], contradictions: [] },
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
const story = (name: string, screen: Story['screen'], texts: Story['texts'], play?: Story['play']): Story => ({
  name,
  screen,
  texts,
  play,
});
const put = (fault: UploadFault | null, message: string | null = null) =>
  product(issued, {
    shopify: { outcome: { certificate: ID, fault, message, file: null }, declined: false, busy: false },
  });
const filled = writing(FILLED, complete);

/** Product certificate screen stories, each with its expected text. */
export const STORIES: readonly Story[] = [
  story('without a certificate', product(none), ['This product doesn’t have a certificate', 'Create certificate']),
  story('while creating a draft', product(none, { beginning: true }), ['This product doesn’t have a certificate']),
  story('with an empty draft', product(writing({}, required('product_info', 'manufacturer', 'testing_lab'))), [
    'Fix 3 fields before you issue the certificate: Product: This field is required. Manufacturer: This field is required. Testing laboratory: This field is required.',
    'You can download a preview after you fix all fields with errors.',
  ]),
  story(
    'with a draft filled in from Shopify',
    product(writing(PREFILLED, required('product_info.date_of_manufacture', 'cpsc_rules_cited', 'testing_lab.name'))),
    [
      'Product: Date of manufacture: This field is required.',
      'Rules this certificate covers: This field is required.',
      'We suggest the product’s Shopify vendor as the manufacturer.',
    ],
  ),
  story(
    'with a draft filled in from the last certificate',
    product({ ...filled, draft: { ...filled.draft!, fromEarlier: true } }),
    ['The certifier, records custodian, and laboratory were copied from your last certificate.'],
  ),
  story(
    'with invalid fields in the draft',
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
      'Fix 10 fields before you issue the certificate:',
      'Product: Name: This text is too long.',
      'Test 2: Rule: This value isn’t in the right format.',
      'Additional laboratory 1: Name: This value isn’t valid.',
      'This field isn’t recognized.',
    ],
  ),
  story(
    'with contradictions in the draft',
    product(
      writing(FILLED, {
        ...complete,
        contradictions: CONTRADICTION_CODES.map(code => ({
          ...{ code, path: 'certifier.name', message: '', citation: '16 CFR 1110.11(a)(3)' },
        })),
      }),
    ),
    [
      'Correct these statements',
      'Certifier: Name: This looks like a placeholder. Enter the actual text. (16 CFR 1110.11(a)(3))',
      'This phone number isn’t valid.',
    ],
  ),
  story('with missing details in the draft', product(writing(FILLED, { ...complete, missing, warnings })), [
    'You can issue this certificate, but it’s missing 9 details required by 16 CFR 1110.11:',
    'Manufacturer: Phone (16 CFR 1110.11(a)(5))',
    'Additional laboratory 1: Phone (16 CFR 1110.11(a)(6))',
    'Review these points',
    'A cited rule applies only to children’s products',
    'The certificate will state which details are missing.',
  ]),
  story('with a complete draft', product(filled), [
    'All details required by 16 CFR 1110.11 are filled in. You’re responsible for the accuracy of these details.',
    'Download preview (marked as draft)',
    'You can’t change an issued certificate.',
  ]),
  story('while saving the draft', product(filled, { saving: true }), ['Saving…']),
  story('with a draft that no longer exists', product(filled, { saved: 'gone' }), [
    'This draft was issued or discarded in another window. Reload the page.',
  ]),
  story('with a draft that is too long', product(filled, { saved: 'unreadable' }), [
    'This draft is too long to save. Shorten it.',
  ]),
  story(
    'during a search for rules',
    product(filled, { choices: CHOICES }),
    [
      '3 rules found.',
      'Bicycles',
      'Requires a Children’s Product Certificate',
      'This rule can’t be cited on a certificate',
      'Cite as typed: bicycle',
    ],
    page => page.getByLabel('Search rules').fill('bicycle'),
  ),
  story('during a search without results', product(filled), ['0 rules found.', 'Cite as typed: unicycle'], page =>
    page.getByLabel('Search rules').fill('unicycle'),
  ),
  story('without a verification URL', product({ ...filled, canIssue: false }), [
    'You can’t issue certificates yet because the app operator hasn’t set the verification URL',
  ]),
  story(
    'with required fields missing on issue',
    product(writing(PREFILLED, required('product_info.date_of_manufacture', 'cpsc_rules_cited', 'testing_lab.name'))),
    ['This field is required.'],
    page => page.getByRole('button', { name: 'Issue certificate' }).click(),
  ),
  story(
    'with a link to a collapsed field',
    product(
      writing(PREFILLED, { ...complete, issues: [{ path: 'other_labs.0.report_ids', code: 'TOO_LONG', message: '' }] }),
    ),
    ['R-77'],
    async page => {
      await page.getByRole('button', { name: 'Add laboratory' }).click();
      await page.getByRole('listitem').getByRole('button', { name: 'Additional laboratory 1' }).click();
      await page.locator('textarea:focus').fill('R-77');
    },
  ),
  story('while issuing', product(filled, { issuing: true }), ['Attest and issue']),
  story(
    'with signature errors',
    product(filled, { issued: { faults: { agreed: 'not_agreed', name: 'name_missing', title: 'too_long' } } }),
    [
      'Only the certifier can attest to this statement.',
      'Enter the name of the person attesting to this statement.',
      'Use 250 characters or fewer.',
    ],
  ),
  ...(
    [
      ['invalid', 'Fix the fields listed above before you issue the certificate.'],
      ['gone', 'This draft was issued or discarded in another window.'],
      [
        'ended',
        'The certificate that you wanted to supersede has since been voided or superseded. Try issuing the new certificate again.',
      ],
      ['not_set_up', 'You can’t issue certificates yet. Your draft is saved.'],
    ] as const
  ).map(([refused, sentence]) =>
    story(`with the issue error ${refused}`, product(filled, { issued: { refused } }), [sentence]),
  ),
  story('with a valid certificate', product(issued), [
    'Certificate Complete',
    `Number: ${ID}`,
    'Issued Nov 2, 2026, 4:00',
    'Certifier: Found Goods Inc.',
    'Attested by Ada Importer',
    'Anyone can verify this certificate at:',
    '16 CFR 1203: Bicycle helmets 16 CFR 9999',
    'Create replacement',
    'Add PDF to Shopify Files and link it to the product',
    'Void this certificate',
    `issued ${ID}`,
  ]),
  story(
    'with points to review and without a certifier',
    product({ ...issued, current: { ...current, missing, warnings, certifier: null, attestedBy: null } }),
    [
      '13 points to review',
      'The certifier: the importer or, for products made in the U.S., the manufacturer (16 CFR 1110.11(a)(3))',
    ],
  ),
  story('with a certificate of a deleted product', product({ ...issued, title: null }), [
    'Product no longer in your catalog',
  ]),
  story('with a certificate and a complete draft to supersede it', product(writing(FILLED, complete, { current })), [
    'This certificate will supersede the current certificate.',
  ]),
  story(
    'with a certificate and an incomplete draft to supersede it',
    product(writing(FILLED, { ...complete, missing }, { current })),
    ['The current certificate remains in force, because an incomplete certificate can’t supersede it.'],
  ),
  story(
    'while adding the PDF to Shopify',
    product(issued, { shopify: { outcome: null, declined: false, busy: true } }),
    ['Adding the PDF to Shopify. This can take a few seconds.'],
  ),
  story(
    'without permission to add the PDF to Shopify',
    product(issued, { shopify: { outcome: null, declined: true, busy: false } }),
    ['Nothing was added to Shopify because the app doesn’t have permission to change files or products.'],
  ),
  story('with the PDF in Shopify', put(null), ['The PDF is in Shopify Files and linked to the product.']),
  ...(
    [
      ['throttled', 'Shopify is busy. Wait a moment and try again. Completed steps won’t be repeated.'],
      ['revoked', 'Reopen the app from your Shopify admin, then try again.'],
      ['forbidden', 'The app doesn’t have permission to change files or products. Try again and allow access.'],
      ['frozen', 'Shopify has frozen this store.'],
      ['unavailable', 'Shopify didn’t respond. Wait a moment and try again.'],
      ['unexpected', 'Before you try again, check whether the PDF is in Files.'],
      ['not_in_force', 'This certificate is no longer valid.'],
      ['gone', 'This product no longer exists in Shopify.'],
      ['upload_refused', 'Shopify’s file storage didn’t accept the PDF. Try again.'],
      ['file_failed', 'Shopify received the PDF but couldn’t create a file from it. Try again.'],
      ['processing', 'Shopify is still processing the PDF.'],
      ['changed_meanwhile', 'The product was linked to a different file in the meantime.'],
    ] as const
  ).map(([fault, sentence]) => story(`with the upload error ${fault}`, put(fault), [sentence])),
  story('with an upload rejected with a message', put('refused', `Files are full ${HOSTILE.markup}`), [
    `Shopify rejected the request: Files are full ${HOSTILE.markup}`,
  ]),
  story('with a void request without a reason', product(issued, { voided: { faults: { reason: 'reason_missing' } } }), [
    'Enter a reason. Anyone who verifies the certificate will see the reason.',
  ]),
  story(
    'with a void request whose reason is too long',
    product(issued, { voided: { faults: { reason: 'reason_too_long' } } }),
    ['Use 500 characters or fewer.'],
  ),
  story('with nothing to void', product(issued, { voided: { faults: { reason: 'nothing_to_void' } } }), [
    'This product doesn’t have a valid certificate to void.',
  ]),
  story('while voiding', product(issued, { voiding: true }), ['Void certificate']),
  story(
    'with a voided certificate',
    product({
      ...none,
      current: { ...current, status: 'voided', ended: true, voidReason: 'Wrong laboratory' },
      history: [event('2', { event: 'voided', reason: 'Wrong laboratory' }), event('1', {})],
    }),
    ['Certificate Voided', 'Voided: Wrong laboratory', 'Create new certificate', `voided ${ID}: Wrong laboratory`],
  ),
  story(
    'with a superseded certificate',
    product({
      ...issued,
      current: { ...current, status: 'superseded' },
      history: [event('2', { supersedes: OLD }), event('1', { gccId: OLD })],
    }),
    ['Certificate Superseded', `issued ${ID}, which superseded ${OLD}`],
  ),
  story(
    'with hostile text',
    product(
      writing(
        {
          ...FILLED,
          product_info: { name: HOSTILE.markup, description: HOSTILE.word, sku: HOSTILE.reversed },
          cpsc_rules_cited: [HOSTILE.markup, HOSTILE.word],
          other_labs: [{ name: HOSTILE.word }],
        },
        complete,
        {
          title: HOSTILE.word,
          current: {
            ...{ ...current, voidReason: HOSTILE.markup, certifier: HOSTILE.word, attestedBy: HOSTILE.reversed },
            rules: [{ citation: HOSTILE.markup, subject: HOSTILE.word }],
          },
          history: [event('2', { event: 'voided', reason: HOSTILE.markup }), event('1', { gccId: OLD })],
        },
      ),
    ),
    [HOSTILE.word, `Voided: ${HOSTILE.markup}`, `Certifier: ${HOSTILE.word}`, `${HOSTILE.markup}: ${HOSTILE.word}`],
  ),
];
