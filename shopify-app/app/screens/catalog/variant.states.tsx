import type { ReactElement } from 'react';
import type { Listing } from '../../../src/catalog/answer.ts';
import type { VariantView } from '../../../src/catalog/variant.ts';
import { isolated } from '../../i18n/isolated.ts';
import { HOSTILE } from '../testing/hostile.ts';
import { type State, statesOf } from '../testing/state.ts';
import type { EditFormProps } from './edit-form.tsx';
import { Variant } from './variant.tsx';

const AT = Date.UTC(2026, 10, 20, 15, 30);
const METAL_FREE = { id: 'metal_free', text: 'the article contains no steel, aluminum or copper' };
const US_METAL = {
  id: 'us_metal',
  text: 'the metal was smelted and cast, or melted and poured, in the United States (at least 85 % of its weight)',
};
const duty: Pick<Listing, 'headings' | 'rate_pct' | 'rate_type' | 'value_basis'> = {
  headings: ['9903.82.02'],
  rate_pct: 50,
  rate_type: 'additional',
  value_basis: 'full_customs_value',
};
const CITATION = 'Proclamation 11021 (91 FR 18201), Annex I-A; U.S. note 16(c)(iv), subchapter III, chapter 99, HTS';
const listing: Listing = {
  ...duty,
  list: 'steel-16c-iv',
  program: 'steel',
  role: 'derivative',
  ...{ hts: '7318.15.20', annex: 'I-A', effective_from: '2026-04-06', effective_to: null },
  ...{ conditions: [], outcomes: [], undecided: [], next: null, caveats: [], citation: CITATION },
};
const undecided: Listing = {
  ...listing,
  undecided: ['metal_free', 'us_metal'],
  outcomes: [
    { ...duty, when: [], caveats: [], citation: CITATION },
    {
      ...duty,
      headings: ['9903.82.01'],
      rate_pct: 0,
      rate_type: 'none',
      ...{ when: [METAL_FREE], caveats: [], citation: CITATION },
    },
    { ...duty, headings: ['9903.82.06'], rate_pct: 10, when: [US_METAL], caveats: [], citation: CITATION },
  ],
};
export const view: VariantView = {
  timeZone: 'America/New_York',
  ...{ number: '41', product: 'Hex bolt, hot-dip galvanized', variant: 'M6 / 50 mm', sku: 'BOLT-M6-50' },
  ...{ htsCode: '7318152061', printed: '7318.15.20.61', codeFor: 'US', origin: 'TW', digits: 'full', status: 'hit' },
  ...{ listings: [undecided], below: [], near: [], checkedAt: AT, changedAt: null, changes: [] },
  ...{ listVersion: '2026-10-09', knownThrough: '2026-10-09' },
  adminUrl: 'https://admin.shopify.com/store/found/products/7/variants/41',
};
const without = (changes: Partial<VariantView>): VariantView => ({ ...view, listings: [], ...changes });
const near: VariantView['near'][number] = {
  relation: 'former',
  list: 'aluminum-19k',
  program: 'aluminum',
  role: 'derivative',
  ...{ hts: '9401.79.00', annex: null, effective_from: '2025-08-18', effective_to: '2026-04-05', citation: CITATION },
};

export const variant = (view: VariantView, form: Partial<EditFormProps> = {}): ReactElement => (
  <Variant {...view} answer={null} busy={false} onSave={() => {}} {...form} />
);
const saving = (name: string, answer: EditFormProps['answer'], sentence: string): State => ({
  ...{ name, screen: variant(view, { answer }), says: [sentence] },
});
const fault = (
  code: 'bad_code' | 'bad_origin' | 'nothing' | 'changed_meanwhile' | 'gone',
  field: 'htsCode' | 'origin' | null,
) => ({
  fault: { code, field, message: null },
});

/** What a variant can be, and what a merchant reads then. */
export const STATES: readonly State[] = [
  ...statesOf(variant, [
    [
      'on a derivative list, with facts to decide',
      view,
      [
        'Hex bolt, hot-dip galvanized – M6 / 50 mm',
        'Section 232 On a derivative list',
        'A Section 232 derivative list covers this code. What is charged depends on the facts below.',
        'Lists of 2026-10-09, known through Oct 9, 2026. Checked Nov 20, 2026, 10:30',
        '50 % of the full customs value, on top of the regular duty.',
        'Listed as 7318.15.20',
        'Annex I-A',
        'In force since Apr 6, 2026',
        'Declared under 9903.82.02',
        'Other facts lead to other duties:',
        'the article contains no steel, aluminum or copper → No additional duty.',
        'Source: Proclamation 11021',
        'This is the code for the United States.',
        'Open in Shopify',
      ],
    ],
    [
      'on several lists, with an end, a next term, caveats and conditions',
      {
        ...view,
        ...{ status: 'in_scope', codeFor: 'any', origin: null, sku: null, variant: null },
        listings: [
          {
            ...{ ...listing, role: 'article', program: 'auto_parts', effective_to: '2026-12-31', annex: null },
            ...{ rate_pct: 15, rate_type: 'total_floor', conditions: [US_METAL], list: 'auto-parts-33g' },
            caveats: [{ id: 'c', text: 'The list says “parts of”; whether a given part is meant is not modelled.' }],
            next: { ...listing, rate_pct: 25, effective_from: '2027-01-01' },
          },
          { ...listing, rate_pct: null, program: 'copper', value_basis: 'copper_content_value', list: 'copper-1' },
          { ...listing, program: 'aluminum', value_basis: 'metal_content_value', list: 'aluminum-19k' },
        ],
      },
      [
        'List of automobile part articles 15 % of the full customs value in all, the regular duty included.',
        'In force from Apr 6, 2026 to Dec 31, 2026',
        'From Jan 1, 2027: 25 % of the full customs value',
        'This holds if: the metal was smelted',
        'whether a given part is meant',
        'The rate is not in our sources.',
        '50 % of the value of the metal content',
        'This is the code for all countries; there is none for the United States alone.',
        'No country of origin',
      ],
    ],
    [
      'near listings',
      without({
        status: 'adjacent',
        near: [
          near,
          { ...near, list: 'a', relation: 'upcoming', effective_from: '2027-01-01', effective_to: null },
          { ...near, list: 'b', relation: 'same_4_digit', hts: '9401.20.00', program: 'auto_parts' },
        ],
      }),
      [
        'Not listed, but near',
        '9401.79.00 · List of aluminum derivatives · covered this code until Apr 5, 2026',
        'covers this code from Jan 1, 2027',
        '9401.20.00 · List of automobile part derivatives · same first 4 digits',
      ],
    ],
    ['not listed', without({ status: 'clear' }), ['No Section 232 list covers this code on the date it was checked.']],
    [
      'with too few digits, some of which are listed',
      without({
        ...{ status: 'needs_digits', digits: 'short', htsCode: '761510', printed: '7615.10' },
        below: ['7615.10.20.15', '7615.10.20.25', '7615.10.30.15'].map(hts => ({
          ...{ hts, program: 'aluminum', role: 'derivative' },
        })),
      }),
      [
        'The code has too few digits for an answer.',
        'Some numbers that begin with 7615.10 are listed: 7615.10.20.15 · List of aluminum derivatives',
        'Fewer than 10 digits',
      ],
    ],
    [
      'with too few digits, none of which is known to be listed',
      without({ status: 'needs_digits', digits: 'short', htsCode: '4412', printed: '4412' }),
      ['The code has too few digits for an answer.'],
    ],
    [
      'without a code',
      without({ status: 'missing', digits: 'missing', htsCode: null, printed: null, origin: null, sku: null }),
      ['Without an HTS code nothing can be said. That is not the same as not listed.', 'No HTS code'],
    ],
    [
      'with something else in the field',
      without({ status: 'invalid', digits: 'invalid', htsCode: 'see invoice', printed: null }),
      ['The text in this field is no number of the U.S. tariff', 'HTS code see invoice'],
    ],
    [
      'answered by older lists',
      { ...view, listVersion: '2026-04-06', knownThrough: null },
      ['Answered by the lists of 2026-04-06, which are not the newest.'],
    ],
    [
      'changed',
      {
        ...view,
        changedAt: AT,
        changes: [
          { field: 'htsCode', from: null, to: '7318152061' },
          { field: 'origin', from: 'CN', to: 'TW' },
          { field: 'status', from: 'missing', to: 'hit' },
          { field: 'answer', from: null, to: null },
        ],
      },
      ['Changed on Nov 20, 2026 HTS code: none → 7318152061 Origin: CN → TW Answer: No code → On a derivative list'],
    ],
    [
      'changed in its details alone',
      { ...view, changedAt: AT, changes: [{ field: 'answer', from: null, to: null }] },
      ['Rate, date or conditions of the answer'],
    ],
    [
      'of hostile strangers',
      {
        ...view,
        ...{ product: HOSTILE.word, variant: HOSTILE.markup, sku: HOSTILE.turned, origin: HOSTILE.markup },
        ...{ htsCode: HOSTILE.word, printed: null, digits: 'invalid', status: 'invalid', changedAt: AT },
        changes: [{ field: 'htsCode', from: HOSTILE.signs, to: HOSTILE.markup }],
      },
      [
        `${HOSTILE.word} – ${HOSTILE.markup}`,
        `HTS code ${HOSTILE.word}`,
        `SKU ${isolated(HOSTILE.turned)}`,
        `HTS code: ${HOSTILE.signs} → ${HOSTILE.markup}`,
      ],
    ],
  ]),
  { name: 'saved at this moment', screen: variant(view, { busy: true }), says: ['Save to Shopify'] },
  saving('without leave to save', { declined: true }, 'Nothing was saved: the app may not change inventory.'),
  saving('with a bad code', fault('bad_code', 'htsCode'), 'Give 6, 8 or 10 digits of the tariff'),
  saving('with a bad origin', fault('bad_origin', 'origin'), 'Give the two letters of a country.'),
  saving('with nothing to save', fault('nothing', null), 'There is nothing to save.'),
  saving('changed meanwhile', fault('changed_meanwhile', null), 'Shopify has another value by now.'),
  saving('gone from Shopify', fault('gone', null), 'Shopify has this variant no more.'),
  saving(
    'refused by Shopify in its own words',
    { fault: { code: 'refused', field: 'htsCode', message: `Harmonized system code is invalid ${HOSTILE.markup}` } },
    `Harmonized system code is invalid ${HOSTILE.markup}`,
  ),
  saving(
    'refused by Shopify without words',
    { fault: { code: 'refused', field: null, message: null } },
    'Shopify refused this value.',
  ),
  ...(
    [
      ['throttled', 'Shopify is busy. Nothing was saved; try again in a moment.'],
      ['revoked', 'Nothing was saved. Open the app again from your Shopify admin.'],
      ['forbidden', 'the app may not change inventory yet. Open the app again and allow it.'],
      ['frozen', 'Shopify has paused this store. Nothing was saved.'],
      ['unavailable', 'Shopify did not answer. Look whether it was saved before you try again.'],
      ['unexpected', 'Shopify answered in a way that we do not know.'],
    ] as const
  ).map(([failed, sentence]) => saving(`not saved: ${failed}`, { failed }, sentence)),
];
