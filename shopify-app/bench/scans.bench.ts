// Measures how much Home and the history page slow down as a shop accumulates scans.

import { type BenchRow, growth, report } from '@compliance/bench';
import { DATASET } from '@compliance/core/tariff';
import { sampleShop } from '@compliance/fake-shopify';
import type { Shop } from '@compliance/store/shop';
import { historyOf } from '../src/history/history.ts';
import { homeOf } from '../src/home/home.ts';
import { createJobHarness, newestScan } from '../test/job-harness.ts';

const HOUR = 3_600_000;
/** Number of page reads per measurement. */
const TIMES = 20;
const SIZES = [1, 10, 100, 1_000, 10_000];

const harness = await createJobHarness();
const first = await harness.install(sampleShop('bench'));
await harness.scan(first.domain);
const real = await newestScan(first);

// Record few findings per scan, as in most shops.
const few = real.findings.slice(0, 10);
const shops = new Map<number, Shop>();
for (const size of SIZES) {
  const scanned = await harness.install(sampleShop(`scanned-${size}`));
  for (let i = 0; i < size; i++) {
    harness.advance(HOUR);
    await scanned.scans.record({
      ...{ ...real, id: `scan-${i}`, trigger: 'schedule', score: 50 + (i % 50) },
      findings: few.filter((_, f) => (f + i) % few.length !== 0),
    });
  }
  shops.set(size, scanned);
}
const now = Date.now() + 2 * SIZES.at(-1)! * HOUR;
const pages: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  'loading the home page': shop => homeOf(shop, now, DATASET),
  'loading the history page': shop => historyOf(shop, null),
};
const rows: BenchRow[] = [];
for (const [name, read] of Object.entries(pages)) {
  rows.push(
    await growth(`${name}, by number of scans`, 'constant', SIZES, size => async () => {
      for (let i = 0; i < TIMES; i++) await read(shops.get(size)!);
    }),
  );
}
report(rows);
await harness.close();
