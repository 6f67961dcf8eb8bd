import type { ReactElement } from 'react';
import type { TariffListing } from '../../../src/catalog/model/classify.ts';
import type { VariantView } from '../../../src/catalog/variant.ts';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { HOSTILE } from '../testing/hostile.ts';
import { type Story, storiesOf } from '../testing/story.ts';
import type { EditFormProps } from './edit-form.tsx';
import { VariantScreen } from './variant.tsx';

const AT = Date.UTC(2026, 10, 20, 15, 30);
const METAL_FREE = { id: 'metal_free', text: 'the article contains no steel, aluminum, or copper' };
const US_METAL = {
  id: 'us_metal',
  text: 'at least 85% of the metal by weight was smelted and cast, or melted and poured, in the United States',
};
const duty: Pick<TariffListing, 'headings' | 'rate_pct' | 'rate_type' | 'value_basis'> = {
  headings: ['9903.82.02'],
  rate_pct: 50,
  rate_type: 'additional',
  value_basis: 'full_customs_value',
};
const DATED = { effective_from: '2026-04-06', dated_by: { legal: 'Proclamation 11021 (91 FR 18201)' } };
const CITATION = 'Proclamation 11021 (91 FR 18201), Annex I-A; U.S. note 16(c)(iv), subchapter III, chapter 99, HTS';
const listing: TariffListing = {
  ...duty,
  list: 'steel-16c-iv',
  program: 'steel',
  role: 'derivative',
  ...{ hts: '7318.15.20', annex: 'I-A', effective_from: DATED.effective_from, effective_to: null },
  duty_from: DATED.effective_from,
  ...{ conditions: [], outcomes: [], undecided: [], next: null, caveats: [], citation: CITATION },
};
const undecided: TariffListing = {
  ...listing,
  undecided: ['metal_free', 'us_metal'],
  outcomes: [
    { ...duty, ...DATED, program: 'steel', when: [], caveats: [], citation: CITATION },
    {
      ...duty,
      headings: ['9903.82.01'],
      rate_pct: 0,
      rate_type: 'none',
      ...{ ...DATED, program: 'steel', when: [METAL_FREE], caveats: [], citation: CITATION },
    },
    {
      ...{ ...duty, ...DATED, program: 'steel', headings: ['9903.82.06'], rate_pct: 10 },
      ...{ when: [US_METAL], caveats: [], citation: CITATION },
    },
  ],
};
export const view: VariantView = {
  timeZone: 'America/New_York',
  ...{ number: '41', product: 'Hex bolt, hot-dip galvanized', variant: 'M6 / 50 mm', sku: 'BOLT-M6-50' },
  ...{ htsCode: '7318152061', printed: '7318.15.20.61', codeFor: 'US', origin: 'TW', digits: 'full', status: 'hit' },
  ...{ listings: [undecided], stacking: [], below: [], near: [], checkedAt: AT, changedAt: null, changes: [] },
  ...{ edition: null, description: null, candidates: null },
  ...{ duty: { min: 2.4, max: 12 }, dutyUnknown: null, asked: {}, neighbors: { previous: null, next: null } },
  efiling: { status: 'not_loaded', groups: [], likely_rules: [], asOf: null },
  ...{ listVersion: '2026-10-09', knownThrough: '2026-10-09' },
  adminUrl: 'https://admin.shopify.com/store/found/products/7/variants/41',
};
const without = (changes: Partial<VariantView>): VariantView => ({ ...view, listings: [], ...changes });
const near: VariantView['near'][number] = {
  relation: 'former',
  list: 'aluminum-19k',
  program: 'aluminum',
  role: 'derivative',
  description: null,
  ...{ hts: '9401.79.00', annex: null, effective_from: '2025-08-18', effective_to: '2026-04-05', citation: CITATION },
};

export const variant = (view: VariantView, form: Partial<EditFormProps> = {}): ReactElement => (
  <VariantScreen {...view} result={null} busy={false} onSave={() => {}} {...form} />
);
const saving = (name: string, result: EditFormProps['result'], sentence: string): Story => ({
  ...{ name, screen: variant(view, { result }), texts: [sentence] },
});
const fault = (
  code: 'bad_code' | 'bad_origin' | 'nothing' | 'changed_meanwhile' | 'gone',
  field: 'htsCode' | 'origin' | null,
) => ({
  fault: { code, field, message: null },
});

/** Variant screen stories, each with its expected text. */
export const STORIES: readonly Story[] = [
  ...storiesOf(variant, [
    [
      'between two variants of a list, with an unknown duty',
      {
        ...view,
        ...{ origin: null, duty: null, dutyUnknown: 'origin' },
        ...{ asked: { status: 'hit' }, neighbors: { previous: '40', next: '42' } },
      },
      ['Previous variant', 'Next variant', 'Duty unknown: the country of origin is missing or invalid.'],
    ],
    [
      'covered as a derivative article, depending on product details',
      view,
      [
        'Hex bolt, hot-dip galvanized – M6 / 50 mm',
        'Section 232 Covered as a derivative article',
        'Section 232 covers this code as a derivative article. The additional duty depends on the details below.',
        'Based on version 2026-10-09 of the Section 232 lists, current through Oct 9, 2026. Checked Nov 20, 2026, 10:30',
        '50% of the full customs value, in addition to the column 1 duty.',
        'Listed as 7318.15.20',
        'Annex I-A',
        'In effect since Apr 6, 2026',
        'Chapter 99 heading: 9903.82.02',
        'In these cases, the following duties apply instead:',
        'the article contains no steel, aluminum, or copper → No additional duty.',
        'Source: Proclamation 11021',
        'Estimated Section 232 duty: 2.40 to 12.00 per unit',
        'This estimate uses the selling price.',
        'This code is specific to the United States.',
        'We don’t know whether CPSC flags this code for eFiling, because CPSC’s list isn’t loaded.',
        'Open in Shopify',
      ],
    ],
    [
      'on several lists, with an end date, a next rate, caveats, and conditions',
      {
        ...view,
        ...{ status: 'in_scope', codeFor: 'any', origin: null, sku: null, variant: null },
        listings: [
          {
            ...{ ...listing, role: 'article', program: 'auto_parts', effective_to: '2026-12-31', annex: null },
            ...{ rate_pct: 15, rate_type: 'total_floor', conditions: [US_METAL], list: 'auto-parts-33g' },
            caveats: [{ id: 'c', text: 'The list says “parts of”. Whether it includes a given part isn’t modeled.' }],
            next: { ...listing, rate_pct: 25, effective_from: '2027-01-01' },
          },
          { ...listing, rate_pct: null, program: 'copper', value_basis: 'copper_content_value', list: 'copper-1' },
          { ...listing, program: 'aluminum', value_basis: 'metal_content_value', list: 'aluminum-19k' },
        ],
      },
      [
        'Automobile parts (primary articles) 15% of the full customs value in total, including the column 1 duty.',
        'In effect from Apr 6, 2026 to Dec 31, 2026',
        'Starting Jan 1, 2027: 25% of the full customs value',
        'Applies if: at least 85% of the metal by weight was smelted',
        'Whether it includes a given part',
        'Our sources don’t list a rate.',
        '50% of the value of the metal content',
        'This code applies to the United States and to all other countries that don’t have their own code.',
        'No country of origin',
      ],
    ],
    [
      'on the lists of two programs, with a heading for the origin and an outcome for a condition',
      {
        ...view,
        listings: [
          {
            ...{ ...undecided, conditions: [US_METAL], headings: ['9903.94.41'], duty_from: '2026-05-01' },
            ...{ program: 'autos', list: 'autos-33b' },
          },
          { ...listing, program: 'trucks', list: 'trucks-38b' },
        ],
        stacking: [
          {
            ...{ programs: ['autos', 'trucks'], relation: 'use_decides', owed: null },
            text: 'Only one duty is owed: notes 33(c) and 38(e) exempt a vehicle that isn’t of their own type.',
            citation: 'U.S. note 33(c)',
          },
        ],
      },
      [
        'Chapter 99 heading: 9903.94.41, since May 1, 2026',
        'the article contains no steel, aluminum, or copper → No additional duty.',
        'How these duties interact Only one duty is owed: notes 33(c) and 38(e) exempt a vehicle that isn’t of their own type. (U.S. note 33(c))',
      ],
    ],
    [
      'near covered codes',
      without({
        status: 'adjacent',
        near: [
          near,
          { ...near, list: 'a', relation: 'upcoming', effective_from: '2027-01-01', effective_to: null },
          { ...near, list: 'b', relation: 'same_4_digit', hts: '9401.20.00', program: 'auto_parts' },
        ],
      }),
      [
        'Not covered (related listings)',
        '9401.79.00 · Aluminum (derivative articles) · covered this code through Apr 5, 2026',
        'will cover this code starting Jan 1, 2027',
        '9401.20.00 · Automobile parts (derivative articles) · same first 4 digits',
      ],
    ],
    ['not covered', without({ status: 'clear' }), ['Section 232 didn’t cover this code on the date we checked it.']],
    [
      'with too few digits, where some matching codes are covered',
      without({
        ...{ status: 'needs_digits', digits: 'short', htsCode: '761510', printed: '7615.10' },
        below: ['7615.10.20.15', '7615.10.20.25', '7615.10.30.15'].map(hts => ({
          ...{ hts, program: 'aluminum', role: 'derivative', description: ['Cooking ware'] },
        })),
      }),
      [
        'This code has too few digits to check.',
        'Some codes that start with 7615.10 are covered: 7615.10.20.15 · Aluminum (derivative articles)',
        'Fewer than 10 digits',
      ],
    ],
    [
      'with too few digits, where no matching code is known to be covered',
      without({ status: 'needs_digits', digits: 'short', htsCode: '4412', printed: '4412' }),
      ['This code has too few digits to check.'],
    ],
    [
      'with HTS descriptions and candidates',
      without({
        ...{ status: 'needs_digits', digits: 'short', htsCode: '731815', printed: '7318.15' },
        ...{ edition: 'HTS 2026 Revision 10', description: ['Screws, bolts, nuts', 'Threaded articles'] },
        candidates: [
          { hts: '7318.15.20.46', description: ['Bolts', 'Of stainless steel'], words: ['hex', 'bolt'] },
          { hts: '7318.15.80.30', description: ['Other', 'Set screws'], words: [] },
        ],
      }),
      [
        'Screws, bolts, nuts › Threaded articles',
        '2 possible codes',
        'Before you choose a code, check the HTS text and its notes, or ask your customs broker.',
        'Bolts › Of stainless steel Matches “hex”, “bolt” in 7318.15.20.46',
        'Starts with 7318.15, but its description doesn’t match any words from the product',
      ],
    ],
    [
      'with a code that the HTS doesn’t contain',
      { ...view, edition: 'HTS 2026 Revision 10' },
      ['HTS 2026 Revision 10 doesn’t contain this code.'],
    ],
    [
      'with an eFiling flag',
      {
        ...view,
        efiling: {
          ...{ status: 'flagged', groups: ['Bicycle Helmets'], asOf: '2026-09-14' },
          likely_rules: [{ citation: '16 CFR 1203', subject: 'Safety Standard for Bicycle Helmets' }],
        },
      },
      [
        'CPSC flags this code for eFiling (list dated Sep 14, 2026). The product might need a certificate.',
        'Rules that are likely to apply: 16 CFR 1203: Safety Standard for Bicycle Helmets',
        'Whether the product needs a certificate depends on the rules that apply to it, not on the code.',
      ],
    ],
    [
      'without a code',
      without({
        status: 'missing',
        digits: 'missing',
        htsCode: null,
        printed: null,
        origin: null,
        sku: null,
        efiling: null,
      }),
      [
        'We can’t check a product without an HTS code. The product might still be covered.',
        'No HTS code',
        'Code suggestions aren’t available because the HTS text isn’t loaded.',
      ],
    ],
    [
      'with an invalid code',
      without({ status: 'invalid', digits: 'invalid', htsCode: 'see invoice', printed: null }),
      ['This isn’t a valid HTS code, so we can’t check it.', 'HTS code: see invoice'],
    ],
    [
      'checked against older lists',
      { ...view, listVersion: '2026-04-06', knownThrough: null },
      ['Based on version 2026-04-06 of the Section 232 lists. Newer lists are available.'],
    ],
    [
      'with changes',
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
      [
        'Changed Nov 20, 2026 HTS code: none → 7318152061 Origin: CN → TW Section 232 status: No code → Covered as a derivative article',
      ],
    ],
    [
      'with changed details only',
      { ...view, changedAt: AT, changes: [{ field: 'answer', from: null, to: null }] },
      ['Change in rate, date, or conditions'],
    ],
    [
      'with hostile text',
      {
        ...view,
        ...{ product: HOSTILE.word, variant: HOSTILE.markup, sku: HOSTILE.reversed, origin: HOSTILE.markup },
        ...{ htsCode: HOSTILE.word, printed: null, digits: 'invalid', status: 'invalid', changedAt: AT },
        changes: [{ field: 'htsCode', from: HOSTILE.unicode, to: HOSTILE.markup }],
      },
      [
        `${HOSTILE.word} – ${HOSTILE.markup}`,
        `HTS code: ${HOSTILE.word}`,
        `SKU: ${bidiIsolate(HOSTILE.reversed)}`,
        `HTS code: ${HOSTILE.unicode} → ${HOSTILE.markup}`,
      ],
    ],
  ]),
  { name: 'while saving', screen: variant(view, { busy: true }), texts: ['Save to Shopify'] },
  saving(
    'without permission to save',
    { declined: true },
    'Nothing was saved because the app doesn’t have permission to change inventory.',
  ),
  saving('with an invalid code to save', fault('bad_code', 'htsCode'), 'Enter 6, 8, or 10 digits'),
  saving('with an invalid origin', fault('bad_origin', 'origin'), 'Select a country from the list.'),
  saving('with nothing to save', fault('nothing', null), 'Enter an HTS code or a country of origin.'),
  saving('changed in Shopify', fault('changed_meanwhile', null), 'This value was changed in Shopify.'),
  saving('deleted in Shopify', fault('gone', null), 'This variant no longer exists in Shopify.'),
  saving(
    'rejected by Shopify with a message',
    { fault: { code: 'refused', field: 'htsCode', message: `Harmonized system code is invalid ${HOSTILE.markup}` } },
    `Harmonized system code is invalid ${HOSTILE.markup}`,
  ),
  saving(
    'rejected by Shopify without a message',
    { fault: { code: 'refused', field: null, message: null } },
    'Shopify rejected this value.',
  ),
  ...(
    [
      ['throttled', 'Shopify is busy. Nothing was saved. Wait a moment and try again.'],
      ['revoked', 'Nothing was saved. Reopen the app from your Shopify admin and try again.'],
      ['forbidden', 'the app doesn’t have permission to change inventory. Reopen the app and allow access.'],
      ['frozen', 'Shopify has frozen this store. Nothing was saved.'],
      ['unavailable', 'Shopify didn’t respond. Before you try again, check whether your changes were saved.'],
      ['unexpected', 'We got an unexpected response from Shopify.'],
    ] as const
  ).map(([failed, sentence]) => saving(`not saved: ${failed}`, { failed }, sentence)),
];
