// What the pages of Home, the findings and the history cost the server, for a shop with 5,000 variants, 200 scans and 500 findings
// on SQLite in a file; and how Home and the history grow with the number of scans.
import { growth, type Row, report, slowest } from '@compliance/bench';
import type { NewVariant, SeenFinding, Shop } from '@compliance/store';
import { readAsked } from '../src/findings/filter.ts';
import { findingOf, findingsOf } from '../src/findings/findings.ts';
import { historyOf, scanViewOf } from '../src/history/history.ts';
import { homeOf } from '../src/home/home.ts';
import { placeOfPage } from '../src/scan/places.ts';
import { createWorld, newestScan } from '../src/scan/testing/world.ts';
import { sampleShop } from '../stand-in/shop/samples.ts';

/** What a page may take on the server. */
const PAGE_MS = 100;
const SCANS = 200;
const FINDINGS = 500;
const HOUR = 3_600_000;
/** How often a page is read for one figure. */
const TIMES = 20;
const SIZES = [1, 10, 100, 1_000, 10_000];

const world = await createWorld();
const shop = await world.install(sampleShop('bench'));
await world.scan(shop.domain);
const real = await newestScan(shop);

// Everything has the shape that a real scan gave it; there is only more of it.
const findings: SeenFinding[] = Array.from({ length: FINDINGS }, (_, i) => {
  const one = real.findings[i % real.findings.length]!;
  return { ...one, fingerprint: `${i}`.padStart(32, '0'), place: placeOfPage(`/products/${i % 12}`) };
});
const covered = Array.from({ length: 12 }, (_, i) => placeOfPage(`/products/${i}`));
for (let i = 0; i < SCANS; i++) {
  world.advance(HOUR);
  await shop.scans.record({
    ...{ ...real, id: `scan-${i}`, trigger: 'schedule', score: 50 + (i % 50), covered },
    findings: findings.filter((_, f) => (f + i) % 20 !== 0),
  });
}
const variants: NewVariant[] = Array.from({ length: 5_000 }, (_, i) => ({
  variantId: `gid://shopify/ProductVariant/${40_000_000 + i}`,
  productId: `gid://shopify/Product/${8_000_000 + (i >> 2)}`,
  productTitle: `Hex head cap screw, zinc plated, size M${i % 40}`,
  variantTitle: `Pack of ${i % 4}`,
  sku: `SKU-${i}`,
  htsCode: i % 5 === 0 ? null : `7318152${String(i % 1000).padStart(3, '0')}`,
  origin: 'CN',
  digits: ['full', 'short', 'missing', 'invalid'][i % 4]!,
  status: ['hit', 'clear', 'adjacent', 'invalid'][i % 4]!,
  answer: { listings: 'x'.repeat(800) },
  listVersion: 'v1',
}));
await shop.variants.upsert('bench', variants);

const now = Date.now() + SCANS * HOUR;
const open = readAsked(new URLSearchParams());
const second = (await findingsOf(shop, open)).next!;
const { fingerprint } = findings[7]!;
const pages: Readonly<Record<string, () => Promise<unknown>>> = {
  Home: () => homeOf(shop, now),
  findings: () => findingsOf(shop, open),
  'findings, second page': () => findingsOf(shop, { ...open, cursor: second }),
  'findings of a rule on a page': () =>
    findingsOf(shop, { ...open, rule: findings[0]!.ruleId, place: placeOfPage('/products/3') }),
  'one finding': () => findingOf(shop, fingerprint),
  history: () => historyOf(shop, null),
  'one scan': () => scanViewOf(shop, `scan-${SCANS - 1}`, null),
  'one scan beside the first': () => scanViewOf(shop, `scan-${SCANS - 1}`, 'scan-0'),
};
for (const [name, read] of Object.entries(pages))
  if (!(await read())) throw new Error(`${name}: there is no such page`);
const rows: Row[] = [await slowest('page of findings and history', PAGE_MS, pages)];

// Shops that have been scanned so many times, with few findings each, as most have.
const few = findings.slice(0, 10);
const shops = new Map<number, Shop>();
for (const size of SIZES) {
  const scanned = await world.install(sampleShop(`scanned-${size}`));
  for (let i = 0; i < size; i++) {
    world.advance(HOUR);
    await scanned.scans.record({
      ...{ ...real, id: `scan-${i}`, trigger: 'schedule', score: 50 + (i % 50), covered },
      findings: few.filter((_, f) => (f + i) % few.length !== 0),
    });
  }
  shops.set(size, scanned);
}
const growing: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  Home: shop => homeOf(shop, now),
  history: shop => historyOf(shop, null),
};
for (const [name, read] of Object.entries(growing)) {
  rows.push(
    await growth(`${name}, scans of a shop`, 'constant', SIZES, size => async () => {
      for (let i = 0; i < TIMES; i++) await read(shops.get(size)!);
    }),
  );
}
report(rows);
await world.close();
