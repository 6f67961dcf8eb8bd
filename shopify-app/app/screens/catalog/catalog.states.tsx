import type { CatalogRow, CatalogView } from '../../../src/catalog/catalog.ts';
import type { CatalogProgress } from '../../../src/catalog/catalog-job.ts';
import { isolated } from '../../i18n/isolated.ts';
import { HOSTILE } from '../testing/hostile.ts';
import { statesOf } from '../testing/state.ts';
import { Catalog } from './catalog.tsx';

const NOW = Date.UTC(2026, 10, 20, 15, 30);

export const row: CatalogRow = {
  ...{ number: '41', product: 'Hex bolt, hot-dip galvanized', variant: 'M6 / 50 mm', sku: 'BOLT-M6-50' },
  ...{ code: '7318.15.20.61', origin: 'TW', digits: 'full', status: 'hit' },
  listings: [{ program: 'steel', role: 'derivative', rate: 50, depends: true }],
};
const bare: CatalogRow = { ...row, listings: [], product: 'Cotton tee', variant: null, sku: null };
const ROWS: readonly CatalogRow[] = [
  row,
  {
    ...{ ...row, number: '42', product: 'Brake disc', variant: null, status: 'in_scope', code: '8708.30.50.30' },
    listings: [
      { program: 'auto_parts', role: 'article', rate: 25, depends: false },
      { program: 'steel', role: 'derivative', rate: null, depends: true },
      { program: 'trucks', role: 'article', rate: 0, depends: false },
    ],
  },
  { ...bare, number: '43', product: 'Camp chair', status: 'adjacent', code: '9401.79.00.50', origin: 'CN' },
  { ...bare, number: '44', status: 'clear', code: '6109.10.00.12', origin: 'VN' },
  { ...bare, number: '45', product: 'Pan', status: 'needs_digits', digits: 'short', code: '7615.10', sku: 'PAN-1' },
  { ...bare, number: '46', product: 'Mug', status: 'missing', digits: 'missing', code: null, origin: null },
  { ...bare, number: '47', product: 'Vase', status: 'invalid', digits: 'invalid', code: 'see invoice', origin: 'XX' },
];
export const view: CatalogView = {
  timeZone: 'America/New_York',
  now: NOW,
  live: null,
  notices: [],
  everRead: true,
  coverage: { total: 5000, products: 1200, answered: 4200, listed: 310, missing: 500, short: 280, invalid: 20 },
  lists: { version: '2026-10-09', knownThrough: '2026-10-09' },
  changed: { count: 0, more: false },
  asked: {},
  rows: ROWS,
  next: null,
};
const NONE = { total: 0, products: 0, answered: 0, listed: 0, missing: 0, short: 0, invalid: 0 };
const unread: CatalogView = { ...view, everRead: false, coverage: NONE, rows: [] };
const live = (step: CatalogProgress['step'], done: number, total: number): CatalogView => ({
  ...view,
  live: { queued: false, progress: { step, done, total, bulk: null } },
});
const NOTICES: readonly [CatalogView['notices'][number], string][] = [
  ['needs_reopening', 'Close the app and open it again from your Shopify admin.'],
  ['frozen', 'Shopify has paused this store'],
  ['no_scope', 'Open the app again and allow it to read products.'],
  ['throttled', 'The reading waits and goes on by itself.'],
  ['failed', 'Read the catalog again; if it fails again, write to us.'],
  ['interrupted', 'What was read is kept; read the catalog again to have the rest.'],
  ['unavailable', 'It is tried again by itself, or at once when you click.'],
  ['partial', 'Variants that were not read keep their last answer.'],
  ['lists_old', 'The lists may have changed since Oct 9, 2026'],
  ['answers_old', 'Some answers still come from older lists.'],
];

export const catalog = (view: CatalogView, starting = false) => (
  <Catalog {...view} starting={starting} onRead={() => {}} onAsk={() => {}} />
);

/** What the catalog can be, and what a merchant reads then. */
export const STATES = [
  ...statesOf(catalog, [
    ['before the first reading', unread, ['Your catalog has not been read yet. Read it now', 'Read catalog now']],
    [
      'at the first reading, which waits',
      { ...unread, live: { queued: true, progress: null } },
      ['The reading is about to start', 'You can leave this page; the reading goes on.'],
    ],
    [
      'at the first reading, which Shopify slows down',
      { ...unread, live: { queued: true, progress: null }, notices: ['throttled'] },
      ['Shopify asks us to slow down', 'The reading waits and goes on by itself.'],
    ],
    ['not readable from the start', { ...unread, notices: ['no_scope'] }, ['The app may not read your products']],
    ['of an empty shop', { ...unread, everRead: true }, ['Shopify says that your store has no products.']],
    [
      'with every answer there is',
      view,
      [
        '4,200 of 5,000 variants have an answer',
        '310 are on a Section 232 list. 1,200 products in all.',
        '500 have no code 280 need all 10 digits 20 have something else in the field',
        'What has no answer is unknown. It may be listed.',
        'Lists of 2026-10-09, known through Oct 9, 2026.',
        'Hex bolt, hot-dip galvanized – M6 / 50 mm On a derivative list',
        'List of steel derivatives · 50 %, depending on facts about the goods',
        'HTS code 7318.15.20.61 · Origin TW · SKU BOLT-M6-50',
        'Brake disc On a Section 232 list List of automobile part articles · 25 %',
        'List of steel derivatives · The rate is not in our sources.',
        'Camp chair Not listed, but near',
        'Cotton tee Not listed HTS code 6109.10.00.12 · Origin VN',
        'Pan Needs 10 digits HTS code 7615.10 · Fewer than 10 digits · Origin TW · SKU PAN-1',
        'Mug No code No HTS code · No country of origin',
        'Vase Not an HTS code HTS code see invoice',
        'it neither reads nor changes that setting',
        'Download CSV',
      ],
    ],
    [
      'of one variant, answered',
      {
        ...view,
        coverage: { ...NONE, total: 1, products: 1, answered: 1, listed: 1 },
        rows: [row],
      },
      ['1 of 1 variants have an answer', '1 is on a Section 232 list. 1 product in all.'],
    ],
    [
      'filtered to nothing',
      { ...view, rows: [], asked: { status: 'invalid', digits: 'full', text: 'bolt' } },
      ['No variant matches. Choose other filters to see more.'],
    ],
    ['a first page', { ...view, next: 'n' }, ['Next page']],
    ['a later page', { ...view, asked: { cursor: 'c' } }, ['First page']],
    [
      'changed by new lists',
      { ...view, changed: { count: 12, more: false } },
      ['The lists of 2026-10-09 changed the answer for 12 variants', 'Show them'],
    ],
    ['changed by new lists in many places', { ...view, changed: { count: 50, more: true } }, ['There are more.']],
    [
      'asked for what new lists changed',
      { ...view, asked: { changed: 'yes' }, rows: [row] },
      ['Shown are variants whose answer the lists of 2026-10-09 changed.', 'Show all variants'],
    ],
    ['counted', live('counting', 0, 0), ['Counting your variants']],
    ['exported by Shopify', live('exporting', 1200, 5000), ['Shopify is writing your catalog into a file']],
    ['read', live('reading', 2500, 5000), ['Reading the file', '2,500 of 5,000.']],
    ['looked up', live('answering', 4999, 5000), ['Looking up the codes', '4,999 of 5,000.']],
    ['settled', live('settling', 5000, 5000), ['Comparing with what was known']],
    ...NOTICES.map(([notice, sentence]) => [notice, { ...view, notices: [notice] }, [sentence]] as const),
    [
      'with all notices at once',
      { ...view, notices: NOTICES.map(([notice]) => notice) },
      NOTICES.map(([, sentence]) => sentence),
    ],
    [
      'of hostile strangers',
      {
        ...view,
        asked: { text: HOSTILE.markup },
        rows: [
          { ...row, number: '51', product: HOSTILE.markup, variant: HOSTILE.signs, sku: HOSTILE.word },
          { ...row, number: '52', product: HOSTILE.turned, sku: HOSTILE.turned, code: HOSTILE.markup, origin: '<b>' },
          { ...row, number: '53', product: HOSTILE.word, variant: HOSTILE.nullish, sku: null },
        ],
      },
      [
        `${HOSTILE.markup} – ${HOSTILE.signs}`,
        `${isolated(HOSTILE.turned)} – M6 / 50 mm`,
        `HTS code ${HOSTILE.markup} · Origin <b> · SKU ${isolated(HOSTILE.turned)}`,
        `${HOSTILE.word} – ${HOSTILE.nullish}`,
      ],
    ],
  ]),
  { name: 'asked to be read', screen: catalog(view, true), says: ['4,200 of 5,000 variants have an answer'] },
];
