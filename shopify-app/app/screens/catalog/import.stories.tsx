import type { FileFault, ImportPreview, ImportRow } from '../../../src/catalog/csv/read.ts';
import type { SaveOutcome } from '../../../src/catalog/save/save-job.ts';
import { HOSTILE } from '../testing/hostile.ts';
import type { Story } from '../testing/story.ts';
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
  ['empty', 'The file doesn’t have any rows.'],
  ['too_large', 'The file is larger than 2 MB. Split it into smaller files.'],
  ['too_many_rows', 'The file has more than 2,000 rows. Split it into smaller files.'],
  ['encoding', 'The file isn’t encoded in UTF-8. Save it as “CSV UTF-8” and try again.'],
  ['not_csv', 'This file isn’t a valid CSV.'],
  ['no_key', 'The file needs a “Variant ID” or “SKU” column.'],
  ['no_value', 'The file needs an “HTS code” or “Country of origin” column.'],
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

const story = (name: string, props: Partial<ImportProps>, ...texts: readonly string[]): Story => ({
  name,
  screen: (
    <Import
      {...{ preview: null, saving: null, declined: false, busy: false, sent: false, ...props }}
      onFile={() => {}}
      onSave={() => {}}
    />
  ),
  texts,
});

/** Import screen stories, each with its expected text. */
export const STORIES: readonly Story[] = [
  story('before a file is chosen', {}, 'Choose a file to preview its changes row by row.', 'The limit is 2,000 rows'),
  story(
    'with a preview of every outcome',
    { preview },
    '1 variant will change',
    '1 row has no changes.',
    'Line 2 Hex bolt – M6 / 50 mm Will change HTS code: none → 7318152061 Origin: CN → TW',
    'Line 4 BOLT-M7 Variant not found',
    'Line 5 TEE SKU matches several variants',
    'Line 6 Hex bolt – M6 / 50 mm Duplicate row',
    'Line 7 Pan Invalid HTS code',
    'see invoice',
    'Line 8 Mug Invalid country',
    'Narnia',
  ),
  story(
    'with a preview without changes',
    { preview: { rows: preview.rows.slice(1, 2), counts: { same: 1 }, changes: [] } },
    '0 variants will change',
    '1 row has no changes.',
  ),
  story('while loading a preview', { busy: true }, 'Reading the file'),
  ...FAULTS.map(([fault, sentence]) => story(`with the file error ${fault}`, { preview: { fault } }, sentence)),
  story(
    'without permission to save',
    { preview, declined: true },
    'Nothing was saved because the app doesn’t have permission to change inventory.',
  ),
  story('after submitting', { preview, sent: true, busy: true }, '1 variant will change'),
  story('while the save is queued', saving('queued', {}), 'Saving to Shopify'),
  story(
    'while Shopify throttles the save',
    saving('queued', { error: 'throttled' }),
    'Shopify is limiting our requests',
  ),
  story('while saving', saving('running', { progress: { done: 3, total: 12 } }), '3 of 12.'),
  story('after saving', saving('done', { result: { saved: 12, failed: [] } }), '12 variants saved to Shopify'),
  story(
    'after saving some variants',
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
    `4101 Shopify rejected this value. HS code is invalid ${HOSTILE.markup}`,
    '4102 This value has changed in Shopify.',
    '12 more variants weren’t saved.',
  ),
  story(
    'stopped for lack of permission',
    saving('failed', { error: 'forbidden' }),
    'Saving stopped because the app doesn’t have permission to change inventory.',
  ),
  story(
    'stopped because the store is frozen',
    saving('failed', { error: 'frozen' }),
    'Saving stopped because Shopify has frozen this store.',
  ),
  story(
    'stopped for another reason',
    saving('failed', { error: 'failed' }),
    'Saving stopped before it finished. Reload the page',
  ),
  story(
    'with hostile text',
    {
      preview: {
        rows: [
          { ...row, name: HOSTILE.markup, to: { htsCode: HOSTILE.word, origin: HOSTILE.markup } },
          { ...row, line: 3, name: HOSTILE.word },
          { ...row, line: 4, name: HOSTILE.reversed, outcome: 'unknown' },
        ],
        counts: { change: 2, unknown: 1 },
        changes: [change, change],
      },
    },
    `${HOSTILE.markup} Will change HTS code: none → ${HOSTILE.word} Origin: CN → ${HOSTILE.markup}`,
    HOSTILE.reversed,
  ),
];
