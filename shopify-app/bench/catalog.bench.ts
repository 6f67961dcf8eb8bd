// What the pages of the catalog cost the server, and how long a big catalog is read.
import { type Row, report, slowest, spent } from '@compliance/bench';
import { catalogOf, startReading } from '../src/catalog/catalog.ts';
import { readAsked } from '../src/catalog/filter.ts';
import { variantOf } from '../src/catalog/variant.ts';
import { createWorld } from '../src/scan/testing/world.ts';
import { bigShop } from '../stand-in/shop/samples.ts';

/** What a page may take on the server. */
const PAGE_MS = 100;
const VARIANTS = 5_000;

const world = await createWorld();
const given = bigShop(VARIANTS);
const shop = await world.install(given);
const readings: Row[] = [];
for (const which of ['first', 'second']) {
  const ms = await spent(async () => {
    await startReading(shop);
    await world.work(given.domain);
  });
  const what = `${which} reading of a catalog of ${VARIANTS} variants`;
  readings.push({ what, value: ms, unit: 'ms', beside: 'from a Shopify that is stood in for' });
}

const pages: Record<string, () => Promise<unknown>> = {
  'list, first page': () => catalogOf(shop, {}, Date.now()),
  'list, on a derivative list': () => catalogOf(shop, readAsked(new URLSearchParams('status=hit')), Date.now()),
  'list, search': () => catalogOf(shop, readAsked(new URLSearchParams('text=no. 12')), Date.now()),
  'list, changed': () => catalogOf(shop, readAsked(new URLSearchParams('changed=yes')), Date.now()),
  'one variant': () => variantOf(shop, given.products[0]!.variants[0]!.id.split('/').at(-1)!, Date.now()),
};
report([await slowest('page of the catalog', PAGE_MS, pages), ...readings]);
await world.close();
