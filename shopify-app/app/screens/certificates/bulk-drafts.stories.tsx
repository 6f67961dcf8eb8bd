import { HOSTILE } from '../testing/hostile.ts';
import type { Story } from '../testing/story.ts';
import { BulkDrafts, type BulkDraftsProps } from './bulk-drafts.tsx';
import { ProfileForm } from './profile-form.tsx';

const asia = { id: 'a', name: 'Asia', fields: { certifier: { name: 'Cascade Imports LLC' } } };
const view: BulkDraftsProps = {
  ...{ profiles: [asia, { ...asia, id: 'b', name: 'Europe' }], without: 200 },
  ...{ saved: null, saving: false, created: null, creating: false },
  ...{ onSave: () => {}, onDelete: () => {}, onCreate: () => {} },
};
const nothing = { unknown: [], repeated: [], invalid: [], dropped: [], assumed: [] };
const story = (name: string, props: Partial<BulkDraftsProps>, ...texts: readonly string[]): Story => ({
  ...{ name, screen: <BulkDrafts {...view} {...props} />, texts },
});
const form = (fault: 'name' | null) => (
  <>
    <h1>Certificates</h1>
    <ProfileForm profile={asia} saved={fault && { fault }} saving={false} onSave={view.onSave} onClose={() => {}} />
  </>
);

/** Bulk draft stories, each with its expected text. */
export const STORIES: readonly Story[] = [
  story('with two profiles', {}, 'Asia', 'Europe', 'Create drafts for 200 products'),
  story('without profiles', { profiles: [] }, 'Add profile'),
  story('after creating drafts', { created: { created: 200, skipped: 0, ...nothing } }, 'Created 200 drafts'),
  story(
    'with rows that don’t match exactly one product',
    { created: { created: 1, skipped: 2, ...nothing, unknown: [{ line: 7, product: HOSTILE.markup }] } },
    'Created 1 draft',
    'Skipped 2 products that already have a certificate or a draft.',
    'Line 7',
  ),
  story(
    'after reading a Product Registry file',
    {
      created: {
        ...{ created: 1, skipped: 0, unknown: [] },
        repeated: [{ line: 5, product: 'HELMET-1' }],
        invalid: [
          { line: 3, column: 'Manufacture Date' },
          { line: 3, column: 'Last Test Date' },
        ],
        dropped: ['Product/Model Color', HOSTILE.markup],
        assumed: ['product_info.place_of_manufacture', 'tests', 'small_batch.year'],
      },
    },
    'Ignored 1 row because an earlier row is for the same product:',
    '2 cells are invalid, missing, or extra, so their rows were ignored:',
    'We used the manufacturer’s city and country as the place of manufacture.',
    'Values from 2 columns were changed or left out of the drafts:',
  ),
  story(
    'with a Product Registry file without codes',
    { created: { fault: 'no_codes' } },
    'Choose your list of citation',
  ),
  story('with an invalid list of codes', { created: { codes: { code: 'not_json' } } }, 'This file isn’t valid JSON'),
  story('with an unreadable file', { created: { fault: 'no_key' } }, 'The file needs a Product ID or SKU column.'),
  story('with a repeated column', { created: { fault: 'columns' } }, 'Two columns have the same name'),
  story('with too many products', { created: { fault: 'too_many_products' } }, 'up to 500 drafts at a time'),
  story('with hostile text', {
    profiles: [
      { ...asia, name: HOSTILE.word },
      { ...asia, id: 'b', name: HOSTILE.reversed },
    ],
  }),
  { name: 'while editing a profile', screen: form(null), texts: ['Edit Asia', 'Save profile'] },
  { name: 'with a profile without a name', screen: form('name'), texts: ['Enter a name.'] },
];
