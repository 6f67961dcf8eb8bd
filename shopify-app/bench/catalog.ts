import { catalogOf, startReading } from '../src/catalog/catalog.ts';
import { readAsked } from '../src/catalog/filter.ts';
import { variantOf } from '../src/catalog/variant.ts';
import { createWorld } from '../src/scan/testing/world.ts';
import { bigShop } from '../stand-in/shop/samples.ts';

// What a page may take on the server, in milliseconds, at the 95th of 100 visits.
const PAGE_MS = 100;
const VARIANTS = 5_000;
const VISITS = 100;

const world = await createWorld();
const given = bigShop(VARIANTS);
const shop = await world.install(given);
const read = async () => {
  const started = performance.now();
  await startReading(shop);
  await world.work(given.domain);
  return performance.now() - started;
};
for (const which of ['first', 'second'])
  console.log(`${VARIANTS} variants, ${which} reading: ${((await read()) / 1000).toFixed(1)} s`);

const pages: Record<string, () => Promise<unknown>> = {
  'list, first page': () => catalogOf(shop, {}, Date.now()),
  'list, on a derivative list': () => catalogOf(shop, readAsked(new URLSearchParams('status=hit')), Date.now()),
  'list, search': () => catalogOf(shop, readAsked(new URLSearchParams('text=no. 12')), Date.now()),
  'list, changed': () => catalogOf(shop, readAsked(new URLSearchParams('changed=yes')), Date.now()),
  'one variant': () => variantOf(shop, given.products[0]!.variants[0]!.id.split('/').at(-1)!, Date.now()),
};
for (const [name, visit] of Object.entries(pages)) {
  const times: number[] = [];
  for (let count = 0; count < VISITS; count++) {
    const started = performance.now();
    await visit();
    times.push(performance.now() - started);
  }
  const p95 = times.sort((a, b) => a - b)[Math.floor(VISITS * 0.95)]!;
  console.log(`${name}: p95 ${p95.toFixed(1)} ms, ${(p95 / PAGE_MS).toFixed(2)} of what a page may take`);
}
await world.close();
