// Measures how long it takes to read a large catalog.
import { type BenchRow, report, spent } from '@compliance/bench';
import { bigShop } from '@compliance/fake-shopify';
import { startCatalogRead } from '../src/catalog/catalog.ts';
import { createJobHarness } from '../test/job-harness.ts';

const VARIANTS = 5_000;

const harness = await createJobHarness();
const given = bigShop(VARIANTS);
const shop = await harness.install(given);
const readings: BenchRow[] = [];
for (const which of ['first', 'second']) {
  const ms = await spent(async () => {
    await startCatalogRead(shop);
    await harness.work(given.domain);
  });
  const what = `${which} read of a catalog with ${VARIANTS.toLocaleString('en-US')} variants`;
  readings.push({ what, value: ms, unit: 'ms', details: 'from the fake Shopify server' });
}
report(readings);
await harness.close();
