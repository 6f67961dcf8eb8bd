import type { NewVariant, SeenFinding } from '@compliance/store';
import { readAsked } from '../src/findings/filter.ts';
import { findingOf, findingsOf } from '../src/findings/findings.ts';
import { historyOf, scanViewOf } from '../src/history/history.ts';
import { homeOf } from '../src/home/home.ts';
import { placeOfPage } from '../src/scan/places.ts';
import { createWorld, newestScan } from '../src/scan/testing/world.ts';
import { sampleShop } from '../stand-in/shop/samples.ts';

/**
 * What the pages of Home, the findings and the history wait for: the slowest of twenty times (p95) beside the 100 ms that a
 * page may take, for a shop with 5,000 variants, 200 scans and 500 findings, on SQLite in a file.
 */

const LIMIT_MS = 100;
const ROUNDS = 200;
const SCANS = 200;
const FINDINGS = 500;
const HOUR = 3_600_000;

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
for (const [name, read] of Object.entries(pages)) {
  if (!(await read())) throw new Error(`${name}: there is no such page`);
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const begun = performance.now();
    await read();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const [median, p95] = [times[ROUNDS / 2]!, times[ROUNDS * 0.95]!];
  process.stdout.write(
    `${name.padEnd(30)} p95 ${p95.toFixed(1).padStart(6)} ms  median ${median.toFixed(1).padStart(6)} ms  ${(LIMIT_MS / p95).toFixed(1).padStart(6)} × below the limit\n`,
  );
}
await world.close();
