import { HOSTILE } from '../testing/hostile.ts';
import type { Story } from '../testing/story.ts';
import { BulkEdit, type BulkEditProps } from './bulk-edit.tsx';

const bolts = {
  ...{ key: '731815', code: '7318.15', productTitle: 'Hex bolt', variants: 42, products: 10 },
  ...{ description: null, candidates: null },
};
const CANDIDATES = [
  { hts: '7318.15.20.46', description: ['Bolts', 'Of stainless steel'], words: ['bolt'] },
  { hts: '7318.15.80.30', description: ['Other', 'Set screws'], words: [] },
];
const view: BulkEditProps = {
  asked: { digits: 'short' },
  counts: { short: 376, missing: 12, invalid: 1 },
  groups: [
    { ...bolts, below: ['7318.15.20', '7318.15.50.30'] },
    { ...bolts, key: '4820', code: '4820', productTitle: 'Notebook', variants: 1, products: 1, below: [] },
  ],
  ...{ next: 'cursor', saving: null, result: null, declined: false, busy: false },
  onSave: () => {},
};
const saving = { state: 'running', error: null, progress: { done: 40, total: 376 }, result: null } as const;
const story = (name: string, props: Partial<BulkEditProps>, ...texts: readonly string[]): Story => ({
  ...{ name, screen: <BulkEdit {...view} {...props} />, texts },
});

/** Bulk edit stories, each with its expected text. */
export const STORIES: readonly Story[] = [
  story(
    'with short codes',
    {},
    'Fewer than 10 digits: 376',
    '42 variants in 10 products, such as Hex bolt',
    'Some codes that start with 7318.15 are covered: 7318.15.20, 7318.15.50.30',
    '1 variant in 1 product: Notebook',
    'Next page',
  ),
  story(
    'with HTS descriptions and candidates',
    {
      groups: [
        { ...bolts, products: 1, description: ['Other screws and bolts'], below: [], candidates: CANDIDATES },
        { ...bolts, key: '731816', code: '7318.16', below: [], candidates: CANDIDATES.slice(1) },
        { ...bolts, key: '7399', code: '7399', below: [], candidates: [] },
      ],
    },
    'Other screws and bolts',
    '2 possible codes',
    'Matches “bolt” in 7318.15.20.46',
    'Starts with 7318.15, but its description doesn’t match any words from the product',
    'Other › Set screws Starts with 7318.16 View',
    'The HTS doesn’t contain any codes that start with 7399.',
  ),
  story(
    'with products without codes',
    {
      asked: { digits: 'missing' },
      groups: [{ ...bolts, key: 'gid://shopify/Product/1', code: null, products: 1, below: [] }],
    },
    'Hex bolt',
    '42 variants',
  ),
  story(
    'without invalid codes',
    { asked: { digits: 'invalid' }, groups: [], next: null },
    'No variant has an invalid code.',
  ),
  story('with a wrong new code', { result: { faults: ['4820'] } }, 'Enter a 10-digit HTS code.'),
  story(
    'after outdated changes',
    { result: { refused: 'none' } },
    'These variants have changed since you opened the page.',
  ),
  story(
    'with more variants than one job can save',
    { result: { started: 'job', variants: 2000, more: true } },
    'We’re saving the first 2,000 variants.',
  ),
  story('without permission to save', { declined: true }, 'Nothing was saved'),
  story('while saving', { saving }, '40 of 376.'),
  story('with hostile text', {
    groups: [HOSTILE.markup, HOSTILE.word, HOSTILE.reversed].map((productTitle, key) => ({
      ...{ ...bolts, key: `${key}`, productTitle, code: key === 1 ? HOSTILE.word : null, below: [] },
    })),
  }),
];
