import { CONTRADICTION_CODES } from '@compliance/core/entry';
import type { Check, Fields } from '../../../src/certificates/draft.ts';
import type { EfilingFault, EfilingResult } from '../../../src/certificates/efiling.ts';
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

const complete: Check = {
  ...{ kind: 'GCC', status: 'complete', issues: [], warnings: [], missing: [], contradictions: [] },
  expectedRules: null,
};
const incomplete: Check = { ...complete, status: 'incomplete' };
const required = (...paths: readonly string[]): Check => ({
  ...{ ...complete, status: null, missing: null },
  issues: paths.map(path => ({ path, code: 'REQUIRED', message: 'is required' })),
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
].map(([paragraph, path]) => ({ element: `16 CFR 1110.11(a)(${paragraph})`, path: path!, message: '', rule: null }));
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
const TOY: Fields = {
  ...FILLED,
  certificate_type: 'CPC',
  age_grading: { ages: { from_months: 24, to_months: 71 }, marketing: 'children' },
  childrens_product: { types: ['toy'], surface_coating: true },
  toy_standard: { edition: 'ASTM F963-23', sections: ['4.3.5', '4.6'] },
  small_batch: { registration_id: 'SB-1', year: 2026 },
  tracking_label: { cohort: 'L-77' },
  cpsc_rules_cited: ['16 CFR 1250'],
};
const NO_VARIANTS = { variants: [], isCut: false, isFromCatalog: false };
const CHOICES: readonly RuleChoice[] = [
  { citation: RULE, subject: SUBJECT, certificates: ['GCC', 'CPC'] },
  { citation: '16 CFR 1512', subject: 'Bicycles', certificates: ['CPC'] },
  { citation: '16 CFR 1115', subject: 'Substantial product hazard reports', certificates: [] },
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
  ...{ id: ID, kind: 'GCC', status: 'complete', ended: false, issuedAt: AT, voidReason: null, sha256: 'ab'.repeat(32) },
  verificationUrl: `https://verify.example/verify/${ID}`,
  ...{ certifier: 'Found Goods Inc.', attestedBy: 'Ada Importer', files: [], signature: null },
  rules: [
    { citation: RULE, subject: SUBJECT },
    { citation: '16 CFR 9999', subject: null },
  ],
  ...{ warnings: [], missing: [], contradictions: [], retests: [] },
};
const event = (id: string, changes: Partial<ProductView['history'][number]>): ProductView['history'][number] => ({
  ...{ id, event: 'issued', gccId: ID, supersedes: null, reason: null, at: AT, ...changes },
});
export const issued: ProductView = { ...none, current, history: [event('1', {})] };
export const writing = (fields: Fields, check: Check, view: Partial<ProductView> = {}): ProductView => ({
  ...{ ...none, draft: { id: ID, fields, fromEarlier: false, check, files: [], fileSpace: 10_000_000 }, ...view },
});

const idle: ProductProps['efiling'] = { state: 'idle', submit() {} };
const notAttaching: ProductProps['attachments'] = { state: 'idle', submit() {} };
const unloaded: ProductProps['variants'] = { state: 'idle', load() {} };
export const product = (view: ProductView, props: Partial<ProductProps> = {}) => (
  <Product
    {...{
      view,
      choices: [],
      variants: unloaded,
      attachments: notAttaching,
      efiling: idle,
      saved: null,
      saving: false,
      issued: null,
      issuing: false,
      beginning: false,
      isHydrated: true,
    }}
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
const efiled = (result: Pick<EfilingResult, 'data' | 'fault'>) =>
  product(issued, { efiling: { ...idle, data: { certificate: ID, target: 'registry_csv', ...result } } });
const NOTES = [
  'The 83 columns, the required columns, and the maximum column lengths come from third-party software.',
  `Citation codes are from your list dated 2026-11-20 (${HOSTILE.markup} ${HOSTILE.reversed} ${HOSTILE.word}).`,
];
const FILES = [
  { id: 'att_1', filename: 'report.pdf', size: 1_234_567, sha256: 'cd'.repeat(32) },
  { id: 'att_2', filename: `${HOSTILE.markup} ${HOSTILE.word}.png`, size: 11, sha256: 'ef'.repeat(32) },
];
const filled = writing(FILLED, complete);

/** Product certificate screen stories, each with its expected text. */
export const STORIES: readonly Story[] = [
  story('without a certificate', product(none), ['This product doesn’t have a certificate', 'Create certificate']),
  story('while creating a draft', product(none, { beginning: true }), ['This product doesn’t have a certificate']),
  story('with an empty draft', product(writing({}, required('product_info', 'manufacturer', 'testing_lab'))), [
    'Fix 3 fields before you issue the certificate: Product: This field is required. Manufacturer: This field is required. Testing laboratory: This field is required.',
    'To download a preview, fix all errors first.',
  ]),
  story(
    'with a draft filled in from Shopify',
    product(writing(PREFILLED, required('product_info.date_of_manufacture', 'cpsc_rules_cited', 'testing_lab.name'))),
    [
      'Product: Date of manufacture: This field is required.',
      'Rules this certificate covers: This field is required.',
      'By default, we fill in the product’s Shopify vendor as the manufacturer.',
    ],
  ),
  story(
    'with a draft filled in from the last certificate',
    product({ ...filled, draft: { ...filled.draft!, fromEarlier: true } }),
    ['The certifier, test records custodian, and laboratory were copied from your last certificate.'],
  ),
  story(
    'with invalid fields in the draft',
    product(
      writing(FILLED, {
        ...complete,
        ...{ status: null, missing: null },
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
      'Product: Name: This text is too long. Shorten it.',
      'Test 2: Rule: This value isn’t in the right format.',
      'Additional laboratory 1: Name: This value isn’t valid.',
      'This field isn’t recognized.',
    ],
  ),
  story(
    'with contradictions in the draft',
    product(
      writing(FILLED, {
        ...incomplete,
        contradictions: CONTRADICTION_CODES.map(code => ({
          ...{ code, path: 'certifier.name', message: '', citation: '16 CFR 1110.11(a)(3)' },
        })),
      }),
    ),
    [
      'Correct these statements',
      'Certifier: Name: This looks like a placeholder. Replace it with the actual value. (16 CFR 1110.11(a)(3))',
      'This phone number isn’t valid.',
    ],
  ),
  story('with missing details in the draft', product(writing(FILLED, { ...incomplete, missing, warnings })), [
    'Certificate status if you issue it now: Incomplete',
    'You can issue this certificate, but it’s missing 9 details required by 16 CFR 1110.11:',
    'Manufacturer: Phone (16 CFR 1110.11(a)(5))',
    'Additional laboratory 1: Phone (16 CFR 1110.11(a)(6))',
    'Review these points',
    'A cited rule applies only to children’s products',
    'The certificate will state which details are missing.',
  ]),
  story('with a complete draft', product(filled), [
    'All details required by 16 CFR 1110.11 are filled in. You’re responsible for the accuracy of these details.',
    'Certificate status if you issue it now: Complete',
    'Download preview (marked as draft)',
    'You can’t change an issued certificate.',
  ]),
  story(
    'with files attached to the draft',
    product(
      { ...filled, draft: { ...filled.draft!, files: FILES } },
      {
        attachments: {
          ...notAttaching,
          data: {
            draft: ID,
            faults: [
              { filename: HOSTILE.reversed, code: 'name' },
              { filename: 'notes.docx', code: 'type' },
              { filename: 'report.pdf', code: 'same_name' },
              { filename: 'photos.pdf', code: 'too_large' },
              { filename: 'more.pdf', code: 'too_many_files' },
              { filename: 'late.pdf', code: 'gone' },
            ],
          },
        },
      },
    ),
    [
      'Attached files',
      'report.pdf, 1.2 MB',
      `SHA-256: ${'cd'.repeat(32)}`,
      '6 files weren’t attached:',
      'notes.docx: Only PDF, PNG, and JPEG files can be attached.',
      'report.pdf: Another file has the same name. Rename the file, or remove the other file.',
    ],
  ),
  story('while files are being attached', product(filled, { attachments: { ...notAttaching, state: 'submitting' } }), [
    'Attached files',
  ]),
  story(
    'with a signed certificate with attached files',
    product({
      ...issued,
      current: {
        ...current,
        files: FILES,
        signature: { signer: HOSTILE.reversed, at: AT, hasTimestamp: true, isIntact: true },
      },
    }),
    ['Digitally signed by', '(confirmed by a timestamp)', 'report.pdf, 1.2 MB'],
  ),
  story(
    'with a certificate whose signature isn’t valid',
    product({
      ...issued,
      current: { ...current, signature: { signer: null, at: AT, hasTimestamp: false, isIntact: false } },
    }),
    ['The digital signature isn’t valid.'],
  ),
  story(
    'with a certificate whose signature can’t be read',
    product({ ...issued, current: { ...current, signature: 'unreadable' } }),
    ['We couldn’t check the digital signature.'],
  ),
  story(
    'with a children’s product without an accepted laboratory',
    product(
      writing(TOY, {
        ...{ ...complete, kind: 'CPC', status: 'draft' },
        missing: [
          { element: '16 CFR 1200.2', path: 'age_grading', message: '', rule: null },
          { element: '16 CFR 1110.11(a)(2)', path: 'toy_standard', message: '', rule: null },
          { element: '16 CFR 1110.11(a)(2)', path: 'cpsc_rules_cited', message: '', rule: '16 CFR 1303' },
          { element: '16 CFR 1110.11(a)(2)', path: 'cpsc_rules_cited', message: '', rule: '16 CFR 1501' },
          { element: '15 U.S.C. 2063(a)(2)', path: 'cpsc_rules_cited.0', message: '', rule: '16 CFR 1250' },
        ],
        expectedRules: [
          { citation: '16 CFR 1250', subject: 'Toys', cited: true },
          { citation: '16 CFR 1303', subject: 'Lead-containing paint', cited: false },
          { citation: '16 CFR 1501', subject: 'Small parts', cited: false },
        ],
      }),
    ),
    [
      'Children’s product These details determine',
      'Toy standard (ASTM F963)',
      'Tracking label',
      'Expected rules for this product 16 CFR 1303 Lead-containing paint 16 CFR 1501 Small parts Cite all 2 rules',
      'it’s missing 5 details required by 16 CFR 1110.11, 15 U.S.C. 2063:',
      'Certificate status if you issue it now: Draft',
      'Evidence that this is a children’s product, such as the age range (16 CFR 1200.2)',
      'A citation of 16 CFR 1303, because the product details indicate that this rule applies (16 CFR 1110.11(a)(2))',
      'A test for 16 CFR 1250 by a CPSC-accepted laboratory',
      'The certificate will remain a draft',
    ],
  ),
  story(
    'with a product that isn’t a children’s product',
    product(
      writing(
        { ...TOY, age_grading: { ages: { from_months: 216 } } },
        {
          ...{ ...complete, kind: 'CPC', status: null, missing: null },
          issues: [{ path: 'age_grading', code: 'NOT_A_CHILDRENS_PRODUCT', message: '' }],
        },
      ),
    ),
    ['Product type: This isn’t a children’s product. It needs a General Certificate of Conformity.'],
  ),
  story('after changing the unit of an age', product(writing(TOY, { ...complete, kind: 'CPC' })), [], async page => {
    await page.locator('#age_grading select').nth(1).selectOption('months');
    await page.locator('[id="age_grading.ages.from_months"]').fill('18');
  }),
  story(
    'with the product’s variants and a second language',
    product(
      writing(
        {
          ...{ ...FILLED, language: 'es' },
          product_info: {
            name: 'Bicycle helmet, adult',
            variants: [
              { name: 'M', sku: 'HELM-M', gtin: '00812345678901' },
              { name: 'XS', sku: 'HELM-XS' },
            ],
          },
        },
        {
          ...{ ...complete, status: 'incomplete' },
          contradictions: [
            {
              ...{ code: 'WRONG_CHECK_DIGIT', path: 'product_info.variants.0.gtin', message: '' },
              citation: '16 CFR 1110.11(a)(1)',
            },
          ],
        },
      ),
      {
        variants: {
          ...unloaded,
          data: {
            ...{ isCut: true, isFromCatalog: true },
            variants: [
              { name: 'M', sku: 'HELM-M', gtin: '00812345678901' },
              { name: HOSTILE.reversed, sku: HOSTILE.markup },
              { name: 'Custom' },
              {},
            ],
          },
        },
      },
    ),
    [
      'M · SKU HELM-M · GTIN 00812345678901',
      'Add a SKU or a GTIN to these variants in Shopify first: Custom –',
      'XS · SKU HELM-XS',
      'We couldn’t get the variants from Shopify, so GTINs are missing.',
      'A certificate can cover up to 200 variants.',
      'Spanish',
      'Variant 1: GTIN: The last digit doesn’t match',
    ],
  ),
  story('without variants in Shopify', product(filled, { variants: { ...unloaded, data: NO_VARIANTS } }), [
    'This product doesn’t have any variants.',
  ]),
  story('while loading the variants', product(filled, { variants: { ...unloaded, state: 'loading' } }), ['Variants']),
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
      'Before you issue the certificate, select the checkbox to attest to this statement. Only the certifier can attest.',
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
    'Labels Print the certificate’s identifier',
    'Label size Carton, 4 × 3 inches',
    'eFiling data Export the certificate’s data for electronic filing.',
    'Other recipients CPSC Product Registry API: Not available because',
    'Add PDF to Shopify Files and link it to the product',
    'Void this certificate',
    `issued ${ID}`,
  ]),
  story(
    'with points to review and without a certifier',
    product({ ...issued, current: { ...current, missing, warnings, certifier: null, attestedBy: null } }),
    [
      '13 points to review',
      'The certifier: the importer, or the manufacturer or private labeler of products made in the U.S. (16 CFR 1110.11(a)(3))',
    ],
  ),
  story(
    'with a test that is due',
    product({ ...issued, current: { ...current, retests: [{ citation: RULE, due: '2026-12-01' }] } }),
    ['New tests are due', 'if the product is still in production, test it again by Dec 1, 2026'],
  ),
  story(
    'with a Children’s Product Certificate that is a draft',
    product({
      ...issued,
      current: {
        ...{ ...current, kind: 'CPC', status: 'draft' },
        missing: [{ element: '15 U.S.C. 2063(a)(2)', path: 'cpsc_rules_cited.0', message: '', rule: '16 CFR 1250' }],
      },
    }),
    [
      'Download tracking label sheet',
      'Certificate Draft Children’s Product Certificate (CPC)',
      'A test for 16 CFR 1250 by a CPSC-accepted laboratory',
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
    product(writing(FILLED, { ...incomplete, missing }, { current })),
    ['The current certificate remains valid because an incomplete certificate can’t supersede it.'],
  ),
  story('while preparing eFiling data', product(issued, { efiling: { ...idle, state: 'submitting' } }), [
    'Prepare data',
  ]),
  story(
    'with complete eFiling data',
    efiled({ fault: null, data: { content: 'N,,V-1\r\n', filename: 'registry.csv', gaps: [], notes: NOTES } }),
    [
      'The data is complete. Read the notes before you file the data.',
      `from your list dated 2026-11-20 (${HOSTILE.markup}`,
      'Download registry.csv',
    ],
  ),
  story(
    'with values missing from eFiling data',
    efiled({
      fault: null,
      data: {
        ...{ content: null, filename: 'registry.csv', notes: NOTES },
        gaps: [
          { path: 'manufacturer.postal_code', message: 'Manufacturer Zip/Postal Code is required' },
          { path: 'efiling.lab_is_new', message: 'Lab 1 Is New? is required' },
          { path: 'codes', message: `The code list doesn’t contain a code for ${HOSTILE.markup}` },
          { path: 'product_info.variants.1.name', message: 'Product Name (Model) can have at most 250 characters' },
          { path: 'Trade/Brand Name', message: 'Trade/Brand Name can have at most 50 characters' },
        ],
      },
    }),
    [
      'No file was created because 5 values are missing or invalid:',
      'Manufacturer: Postal code: Manufacturer Zip/Postal Code is required',
      'eFiling: Laboratory is new to the Registry: Lab 1 Is New? is required',
      `Citation codes: The code list doesn’t contain a code for ${HOSTILE.markup}`,
      'Variant 2: Name: Product Name (Model) can have at most 250 characters',
      'To correct these values, create a replacement certificate.',
    ],
  ),
  ...(
    [
      [{ code: 'ended' }, 'This certificate is no longer valid.'],
      [{ code: 'too_large' }, 'The file is larger than 64 KB.'],
      [{ code: 'not_json' }, 'This file isn’t valid JSON encoded in UTF-8.'],
      [{ code: 'not_a_list' }, 'This file isn’t a list of citation codes.'],
      [{ code: 'invalid_value', path: HOSTILE.markup }, `is missing or isn’t valid: ${HOSTILE.markup}`],
    ] satisfies readonly (readonly [EfilingFault, string])[]
  ).map(([fault, sentence]) =>
    story(`with the eFiling error ${fault.code}`, efiled({ fault, data: null }), [sentence]),
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
      ['changed_meanwhile', 'The product was linked to a different file before this PDF could be linked.'],
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
