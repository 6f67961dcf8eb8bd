import { DATASET } from '@compliance/core/tariff';
import { sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { catalogOf, startCatalogRead } from './catalog.ts';
import { variantOf } from './variant.ts';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

it('links a variant to the previous and next variants in the filtered list', async () => {
  const given = sampleShop('neighbors');
  const shop = await harness.install(given);
  await startCatalogRead(shop);
  await harness.work(given.domain);
  const asked = { status: 'hit' } as const;
  const { rows } = await catalogOf(shop, asked, Date.now(), DATASET);
  expect(rows.length).toBeGreaterThan(2);
  // Skip the last variant on the page, because the variant after it is on the next page.
  for (const [index, { number, duty }] of rows.slice(0, -1).entries()) {
    const variant = await variantOf(shop, number, Date.now(), DATASET, { asked });
    expect(variant).toMatchObject({
      neighbors: { previous: rows[index - 1]?.number ?? null, next: rows[index + 1]!.number },
      duty,
    });
  }
});
