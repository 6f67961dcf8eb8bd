import { parseFlagList } from '@compliance/core/entry';
import { DATASET } from '@compliance/core/tariff';
import { sampleShop } from '@compliance/fake-shopify';
import type { Shop } from '@compliance/store/shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { bulkEditOf } from './bulk/bulk-edit.ts';
import { catalogOf } from './catalog.ts';
import { loadHtsText } from './hts-text.ts';
import { CATALOG } from './model/job-types.ts';
import { variantOf } from './variant.ts';

const row = (htsno: string, indent: number, description: string) => ({ htsno, indent: `${indent}`, description });
const HTS = loadHtsText({
  edition: 'Sample',
  body: JSON.stringify([
    row('6301', 0, 'Blankets:'),
    row('6301.20.00', 1, 'Of wool'),
    row('6301.20.00.10', 2, 'Other'),
    row('7318', 0, 'Screws, bolts and nuts:'),
    row('7318.12.00.00', 1, 'Wood screws'),
    row('7318.15.20', 1, 'Bolts'),
    row('7318.15.20.61', 2, 'Other'),
  ]),
});
const FLAGS = parseFlagList({
  ...{ as_of: '2026-09-14', source: 'CPSC' },
  groups: [{ name: 'Bolts', codes: ['7318152061'] }],
});
const reference = { hts: HTS, flags: FLAGS, labs: null };

let harness: JobHarness;
let shop: Shop;
beforeAll(async () => {
  harness = await createJobHarness();
  const given = sampleShop('hts-text');
  shop = await harness.install(given);
  await shop.jobs.enqueue({ kind: CATALOG });
  await harness.work(given.domain);
});
afterAll(() => harness.close());

async function titled(title: string) {
  const { rows } = await shop.variants.list({ text: title, limit: 1 });
  return variantOf(shop, rows[0]!.variantId.split('/').at(-1)!, Date.now(), DATASET, { reference });
}

describe('official HTS text', () => {
  it('describes a code starting with its heading, and summarizes the code starting with its last specific description', () => {
    expect(HTS.describe('7318.15.20.61')).toEqual(['Screws, bolts and nuts', 'Bolts', 'Other']);
    expect(HTS.summarize('7318152061')).toEqual(['Bolts', 'Other']);
    expect([HTS.describe('see invoice'), HTS.summarize('9401.79.00')]).toEqual([null, null]);
  });

  it('shows official text and CPSC’s flag next to each code in the catalog', async () => {
    const { rows, edition, flagsAsOf } = await catalogOf(shop, { text: 'Hex bolt' }, Date.now(), DATASET, reference);
    expect({ edition, flagsAsOf }).toEqual({ edition: 'Sample', flagsAsOf: '2026-09-14' });
    expect(rows[0]).toMatchObject({ description: ['Bolts', 'Other'], efiling: 'flagged' });
  });

  it('suggests codes based on the title if the code is missing, and longer codes if the code is short', async () => {
    const blanket = await titled('Wool blanket');
    expect(blanket!.candidates).toMatchObject([{ hts: '6301.20.00.10', words: ['wool', 'blanket'] }]);
    expect(blanket!.efiling).toBeNull();
    const screws = await titled('Wood screws');
    expect(screws!.candidates).toMatchObject([{ hts: '7318.12.00.00', words: ['wood', 'screws'] }]);
    expect((await titled('Hex bolt'))!.candidates).toBeNull();
  });

  it('stores the product type from Shopify for use in suggestions', async () => {
    const { rows } = await shop.variants.list({ text: 'Wool blanket', limit: 1 });
    expect(rows[0]!.productType).toBe('Home');
  });

  it('uses the product title to suggest codes only if a group has one product', async () => {
    const view = await bulkEditOf(shop, { digits: 'short' }, HTS);
    const group = view.groups.find(({ key }) => key === '731812')!;
    expect(group.candidates).toMatchObject([{ words: ['wood', 'screws'] }]);
    expect(group.description).toEqual(['Wood screws']);
    await shop.variants.upsert('other', [
      { ...(await shop.variants.list({ htsCode: '731812', limit: 1 })).rows[0]!, variantId: 'v', productId: 'p' },
    ]);
    const shared = (await bulkEditOf(shop, { digits: 'short' }, HTS)).groups.find(({ key }) => key === '731812')!;
    expect(shared.candidates).toMatchObject([{ hts: '7318.12.00.00', words: [] }]);
  });

  it('reports that the text is missing if no edition is loaded', async () => {
    const { rows, edition } = await catalogOf(shop, { text: 'Hex bolt' }, Date.now(), DATASET);
    expect({ edition, row: rows[0] }).toMatchObject({
      edition: null,
      row: { description: null, efiling: 'not_loaded' },
    });
    expect((await bulkEditOf(shop, { digits: 'missing' })).groups[0]!.candidates).toBeNull();
  });
});
