import type { CatalogRow, CatalogView } from '../../../src/catalog/catalog.ts';
import type { CatalogProgress } from '../../../src/catalog/catalog-job.ts';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { HOSTILE } from '../testing/hostile.ts';
import { storiesOf } from '../testing/story.ts';
import { CatalogScreen } from './catalog.tsx';

const NOW = Date.UTC(2026, 10, 20, 15, 30);

const IMAGE =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="2" height="1" fill="teal"/></svg>';

export const row: CatalogRow = {
  ...{
    number: '41',
    productId: 'p',
    duty: null,
    dutyUnknown: null,
    product: 'Hex bolt, hot-dip galvanized',
    image: IMAGE,
    variant: 'M6 / 50 mm',
    sku: 'BOLT-M6-50',
  },
  ...{ code: '7318.15.20.61', origin: 'TW', digits: 'full', status: 'hit' },
  ...{ description: ['Bolts', 'Having a round head'], efiling: 'not_loaded' },
  listings: [{ program: 'steel', role: 'derivative', rate: 50, depends: true }],
};
const bare: CatalogRow = { ...row, image: null, listings: [], product: 'Cotton tee', variant: null, sku: null };
const ROWS: readonly CatalogRow[] = [
  row,
  {
    ...{
      ...row,
      number: '42',
      productId: '42',
      product: 'Brake disc',
      variant: null,
      status: 'in_scope',
      code: '8708.30.50.30',
    },
    listings: [
      { program: 'auto_parts', role: 'article', rate: 25, depends: false },
      { program: 'steel', role: 'derivative', rate: null, depends: true },
      { program: 'trucks', role: 'article', rate: 0, depends: false },
    ],
  },
  {
    ...bare,
    number: '43',
    productId: '43',
    product: 'Camp chair',
    status: 'adjacent',
    code: '9401.79.00.50',
    origin: 'CN',
  },
  { ...bare, number: '44', productId: '44', status: 'clear', code: '6109.10.00.12', origin: 'VN' },
  {
    ...bare,
    number: '45',
    productId: '45',
    product: 'Pan',
    status: 'needs_digits',
    digits: 'short',
    code: '7615.10',
    sku: 'PAN-1',
  },
  {
    ...bare,
    number: '46',
    productId: '46',
    product: 'Mug',
    status: 'missing',
    digits: 'missing',
    code: null,
    origin: null,
  },
  {
    ...bare,
    number: '47',
    productId: '47',
    product: 'Vase',
    status: 'invalid',
    digits: 'invalid',
    code: 'see invoice',
    origin: 'XX',
  },
];
export const view: CatalogView = {
  timeZone: 'America/New_York',
  now: NOW,
  live: null,
  notices: [],
  everRead: true,
  coverage: { total: 5000, products: 1200, answered: 4200, listed: 310, missing: 500, short: 280, invalid: 20 },
  lists: { version: '2026-10-09', knownThrough: '2026-10-09' },
  ...{ edition: null, flagsAsOf: null },
  changed: { count: 0, more: false },
  asked: {},
  rows: ROWS,
  next: null,
};
const NONE = { total: 0, products: 0, answered: 0, listed: 0, missing: 0, short: 0, invalid: 0 };
const unread: CatalogView = { ...view, everRead: false, coverage: NONE, rows: [] };
const live = (step: CatalogProgress['step'], done: number, total: number): CatalogView => ({
  ...view,
  live: { queued: false, progress: { step, done, total, bulk: null, polls: 0 } },
});
const NOTICES: readonly [CatalogView['notices'][number], string][] = [
  ['needs_reopening', 'Close the app and open it again from your Shopify admin.'],
  ['frozen', 'Shopify has frozen this store'],
  ['no_scope', 'Reopen the app and allow it to read products.'],
  ['throttled', 'The sync is paused and resumes automatically.'],
  ['failed', 'Sync the catalog again. If the sync still fails, contact us.'],
  [
    'interrupted',
    'Any data synced before the interruption has been saved. Sync the catalog again to get the remaining data.',
  ],
  ['unavailable', 'We’ll try again automatically, or you can sync the catalog now.'],
  ['partial', 'Variants that weren’t synced keep their previous results.'],
  ['lists_old', 'The Section 232 lists might have changed since Oct 9, 2026'],
  ['answers_old', 'Some results are still based on older lists.'],
];

export const catalog = (view: CatalogView, starting = false) => (
  <CatalogScreen {...view} starting={starting} onSync={() => {}} onFilter={() => {}} />
);

/** Catalog screen stories, each with its expected text. */
export const STORIES = [
  ...storiesOf(catalog, [
    ['before the first sync', unread, ['Your catalog hasn’t been synced yet. Sync it', 'Sync catalog']],
    [
      'during the first sync, while it is queued',
      { ...unread, live: { queued: true, progress: null } },
      ['The sync will start soon', 'You can leave this page. The sync will continue.'],
    ],
    [
      'during the first sync, while Shopify throttles it',
      { ...unread, live: { queued: true, progress: null }, notices: ['throttled'] },
      ['Shopify is limiting our requests', 'The sync is paused and resumes automatically.'],
    ],
    [
      'without permission to read products',
      { ...unread, notices: ['no_scope'] },
      ['The app doesn’t have permission to read your products'],
    ],
    [
      'of a store without products',
      { ...unread, everRead: true },
      ['Your store doesn’t have any products in Shopify.'],
    ],
    [
      'with HTS descriptions and eFiling flags',
      { ...view, edition: 'HTS 2026 Revision 10', flagsAsOf: '2026-09-14', rows: [{ ...row, efiling: 'flagged' }] },
      [
        'HTS descriptions are from HTS 2026 Revision 10. eFiling flags are from CPSC’s list dated Sep 14, 2026.',
        'Bolts › Having a round head CPSC flags this code for eFiling',
      ],
    ],
    [
      'with every status',
      view,
      [
        '4,200 of 5,000 variants have a Section 232 result',
        '310 variants are covered by Section 232. Your catalog has 1,200 products.',
        '500 variants don’t have a code 280 variants need a 10-digit code 20 variants have an invalid code',
        'Variants without a result might still be covered.',
        'current through Oct 9, 2026. HTS descriptions aren’t loaded. CPSC’s list of flagged codes isn’t loaded.',
        'Hex bolt, hot-dip galvanized – M6 / 50 mm Covered as a derivative article',
        'Steel (derivative articles) · 50% (depends on product details)',
        'HTS code: 7318.15.20.61 · Origin: TW · SKU: BOLT-M6-50',
        'Brake disc Covered by Section 232 Automobile parts (primary articles) · 25%',
        'Steel (derivative articles) · Our sources don’t list a rate.',
        'Camp chair Not covered (related listings)',
        'Cotton tee Not covered HTS code: 6109.10.00.12 · Origin: VN',
        'Pan Needs 10 digits HTS code: 7615.10 · Fewer than 10 digits · Origin: TW · SKU: PAN-1',
        'Mug No code No HTS code · No country of origin',
        'Vase Invalid code HTS code: see invoice',
        'The app doesn’t read or change the Shopify setting.',
        'Download CSV',
      ],
    ],
    [
      'of one variant with a result',
      {
        ...view,
        coverage: { ...NONE, total: 1, products: 1, answered: 1, listed: 1 },
        rows: [row],
      },
      ['1 of 1 variants have a Section 232 result', '1 variant is covered by Section 232. Your catalog has 1 product.'],
    ],
    [
      'with filters that match nothing',
      { ...view, rows: [], asked: { status: 'invalid', digits: 'full', text: 'bolt' } },
      ['No variants match your filters.'],
    ],
    ['on the first of several pages', { ...view, next: 'n' }, ['Next page']],
    [
      'grouped by product, with estimated duties',
      {
        ...view,
        rows: [
          { ...row, duty: { min: 2.4, max: 48 } },
          { ...row, number: '48', variant: 'M8 / 50 mm', duty: { min: 12, max: 12 } },
          { ...bare, number: '49', productId: '49', duty: null, dutyUnknown: 'origin' },
        ],
      },
      [
        'Hex bolt, hot-dip galvanized M6 / 50 mm',
        'Estimated Section 232 duty: 2.40 to 48.00 per unit',
        'Estimated Section 232 duty: 12.00 per unit',
        'Duty unknown: the country of origin is missing or invalid.',
        'These estimates use the selling price.',
      ],
    ],
    ['on a later page', { ...view, asked: { cursor: 'c' } }, ['Back to first page']],
    [
      'with results changed by new lists',
      { ...view, changed: { count: 12, more: false } },
      ['Version 2026-10-09 of the Section 232 lists changed the result for 12 variants', 'Show variants'],
    ],
    ['with many changed results', { ...view, changed: { count: 50, more: true } }, ['More variants are affected.']],
    [
      'filtered to changed results',
      { ...view, asked: { changed: 'yes' }, rows: [row] },
      ['Showing only variants whose results changed with version 2026-10-09 of the lists.', 'Show all variants'],
    ],
    ['while counting variants', live('counting', 0, 0), ['Counting your variants']],
    ['while Shopify exports the catalog', live('exporting', 1200, 5000), ['Shopify is exporting your catalog']],
    ['while reading the export', live('reading', 2500, 5000), ['Reading the exported file', '2,500 of 5,000.']],
    ['while checking codes', live('answering', 4999, 5000), ['Checking HTS codes', '4,999 of 5,000.']],
    ['while comparing results', live('settling', 5000, 5000), ['Comparing with the previous results']],
    ...NOTICES.map(
      ([notice, sentence]) => [`with the notice ${notice}`, { ...view, notices: [notice] }, [sentence]] as const,
    ),
    [
      'with all notices at once',
      { ...view, notices: NOTICES.map(([notice]) => notice) },
      NOTICES.map(([, sentence]) => sentence),
    ],
    [
      'with hostile text',
      {
        ...view,
        asked: { text: HOSTILE.markup },
        rows: [
          {
            ...row,
            number: '51',
            productId: '51',
            product: HOSTILE.markup,
            variant: HOSTILE.unicode,
            sku: HOSTILE.word,
          },
          {
            ...row,
            number: '52',
            productId: '52',
            product: HOSTILE.reversed,
            sku: HOSTILE.reversed,
            code: HOSTILE.markup,
            origin: '<b>',
          },
          { ...row, number: '53', productId: '53', product: HOSTILE.word, variant: HOSTILE.nullish, sku: null },
        ],
      },
      [
        `${HOSTILE.markup} – ${HOSTILE.unicode}`,
        `${bidiIsolate(HOSTILE.reversed)} – M6 / 50 mm`,
        `HTS code: ${HOSTILE.markup} · Origin: <b> · SKU: ${bidiIsolate(HOSTILE.reversed)}`,
        `${HOSTILE.word} – ${HOSTILE.nullish}`,
      ],
    ],
  ]),
  {
    name: 'after a sync request',
    screen: catalog(view, true),
    texts: ['4,200 of 5,000 variants have a Section 232 result'],
  },
];
