// How Home and the history grow with the number of scans that a shop has had.
import { growth, type Row, report } from '@compliance/bench';
import type { Shop } from '@compliance/store';
import { historyOf } from '../src/history/history.ts';
import { homeOf } from '../src/home/home.ts';
import { createWorld, newestScan } from '../src/scan/testing/world.ts';
import { sampleShop } from '../stand-in/shop/samples.ts';

const HOUR = 3_600_000;
/** How often a page is read for one figure. */
const TIMES = 20;
const SIZES = [1, 10, 100, 1_000, 10_000];

const world = await createWorld();
const first = await world.install(sampleShop('bench'));
await world.scan(first.domain);
const real = await newestScan(first);

// Few findings each, as most shops have.
const few = real.findings.slice(0, 10);
const shops = new Map<number, Shop>();
for (const size of SIZES) {
  const scanned = await world.install(sampleShop(`scanned-${size}`));
  for (let i = 0; i < size; i++) {
    world.advance(HOUR);
    await scanned.scans.record({
      ...{ ...real, id: `scan-${i}`, trigger: 'schedule', score: 50 + (i % 50) },
      findings: few.filter((_, f) => (f + i) % few.length !== 0),
    });
  }
  shops.set(size, scanned);
}
const now = Date.now() + 2 * SIZES.at(-1)! * HOUR;
const pages: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  Home: shop => homeOf(shop, now),
  history: shop => historyOf(shop, null),
};
const rows: Row[] = [];
for (const [name, read] of Object.entries(pages)) {
  rows.push(
    await growth(`${name}, scans of a shop`, 'constant', SIZES, size => async () => {
      for (let i = 0; i < TIMES; i++) await read(shops.get(size)!);
    }),
  );
}
report(rows);
await world.close();
