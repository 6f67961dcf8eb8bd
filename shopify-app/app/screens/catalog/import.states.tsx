import type { FileFault, ImportPreview, ImportRow } from '../../../src/catalog/csv/read.ts';
import type { SaveOutcome } from '../../../src/catalog/save/save-job.ts';
import { HOSTILE } from '../testing/hostile.ts';
import type { State } from '../testing/state.ts';
import { Import, type ImportProps } from './import.tsx';

const NONE = { htsCode: null, origin: null };
const row: ImportRow = {
  ...{ line: 2, outcome: 'change', name: 'Hex bolt – M6 / 50 mm' },
  ...{ from: { htsCode: null, origin: 'CN' }, to: { htsCode: '7318152061', origin: 'TW' } },
};
const change = { variantId: 'gid://shopify/ProductVariant/41', expected: NONE, wanted: row.to };
export const preview: ImportPreview = {
  rows: [
    row,
    { ...row, line: 3, outcome: 'same', name: 'Cotton tee', from: row.to },
    { ...row, line: 4, outcome: 'unknown', name: 'BOLT-M7', from: NONE },
    { ...row, line: 5, outcome: 'ambiguous', name: 'TEE', from: NONE },
    { ...row, line: 6, outcome: 'duplicate' },
    { ...row, line: 7, outcome: 'bad_code', name: 'Pan', to: { htsCode: 'see invoice', origin: null } },
    { ...row, line: 8, outcome: 'bad_origin', name: 'Mug', to: { htsCode: null, origin: 'Narnia' } },
  ],
  counts: { change: 1, same: 1, unknown: 1, ambiguous: 1, duplicate: 1, bad_code: 1, bad_origin: 1 },
  changes: [change],
};
const FAULTS: readonly [FileFault, string][] = [
  ['empty', 'The file has no rows.'],
  ['too_large', 'The file is larger than 2 MB. Split it.'],
  ['too_many_rows', 'The file has more than 2,000 rows. Split it.'],
  ['encoding', 'The file is not in UTF-8. Save it as “CSV UTF-8”.'],
  ['not_csv', 'The file is no CSV that can be read.'],
  ['no_key', 'The file has no column Variant ID or SKU.'],
  ['no_value', 'The file has no column HTS code or Country of origin.'],
];
const saving = (
  state: 'queued' | 'running' | 'done' | 'failed',
  more: Partial<NonNullable<ImportProps['saving']>>,
) => ({
  ...{ saving: { state, error: null, progress: null, result: null, ...more }, preview, sent: true },
});
const failed = (index: number): SaveOutcome['failed'][number] => ({
  variantId: `gid://shopify/ProductVariant/${4100 + index}`,
  code: 'gone',
  message: null,
});

const is = (name: string, props: Partial<ImportProps>, ...says: readonly string[]): State => ({
  name,
  screen: (
    <Import
      {...{ preview: null, saving: null, declined: false, busy: false, sent: false, ...props }}
      onFile={() => {}}
      onSave={() => {}}
    />
  ),
  says,
});

/** What the import can be, and what a merchant reads then. */
export const STATES: readonly State[] = [
  is('before a file is chosen', {}, 'Choose a file to see, row by row, what would change.', 'At most 2,000 rows'),
  is(
    'a preview with every outcome',
    { preview },
    '1 variant would change',
    '1 row changes nothing.',
    'Line 2 Hex bolt – M6 / 50 mm Changes HTS code: none → 7318152061 Origin: CN → TW',
    'Line 4 BOLT-M7 No such variant',
    'Line 5 TEE Several variants have this SKU',
    'Line 6 Hex bolt – M6 / 50 mm Second row for a variant',
    'Line 7 Pan Not an HTS code',
    'see invoice',
    'Line 8 Mug Not a country',
    'Narnia',
  ),
  is(
    'a preview of nothing to do',
    { preview: { rows: preview.rows.slice(1, 2), counts: { same: 1 }, changes: [] } },
    '0 variants would change',
    '1 row changes nothing.',
  ),
  is('a preview under way', { busy: true }, 'Reading the file'),
  ...FAULTS.map(([fault, sentence]) => is(`a file that is ${fault}`, { preview: { fault } }, sentence)),
  is('without leave to save', { preview, declined: true }, 'Nothing was saved: the app may not change inventory.'),
  is('sent', { preview, sent: true, busy: true }, '1 variant would change'),
  is('a saving that waits', saving('queued', {}), 'Saving to Shopify'),
  is('a saving that Shopify slows down', saving('queued', { error: 'throttled' }), 'Shopify asks us to slow down'),
  is('a saving under way', saving('running', { progress: { done: 3, total: 12 } }), '3 of 12.'),
  is('saved', saving('done', { result: { saved: 12, failed: [] } }), '12 variants saved to Shopify'),
  is(
    'saved in part',
    saving('done', {
      result: {
        saved: 1,
        failed: [
          { ...failed(1), code: 'refused', message: `HS code is invalid ${HOSTILE.markup}` },
          { ...failed(2), code: 'changed_meanwhile' },
          ...Array.from({ length: 30 }, (_, index) => failed(index + 3)),
        ],
      },
    }),
    '1 variant saved to Shopify',
    `4101 Shopify refused this value. HS code is invalid ${HOSTILE.markup}`,
    '4102 Shopify has another value by now than when the file was read.',
    '12 more were not saved.',
  ),
  is(
    'not saved for lack of leave',
    saving('failed', { error: 'forbidden' }),
    'The saving stopped: the app may not change inventory.',
  ),
  is('not saved as the store is paused', saving('failed', { error: 'frozen' }), 'Shopify has paused this store.'),
  is(
    'not saved for another reason',
    saving('failed', { error: 'failed' }),
    'The saving stopped before its end. Choose the file once more',
  ),
  is(
    'of hostile strangers',
    {
      preview: {
        rows: [
          { ...row, name: HOSTILE.markup, to: { htsCode: HOSTILE.word, origin: HOSTILE.markup } },
          { ...row, line: 3, name: HOSTILE.word },
          { ...row, line: 4, name: HOSTILE.turned, outcome: 'unknown' },
        ],
        counts: { change: 2, unknown: 1 },
        changes: [change, change],
      },
    },
    `${HOSTILE.markup} Changes HTS code: none → ${HOSTILE.word} Origin: CN → ${HOSTILE.markup}`,
    HOSTILE.turned,
  ),
];
