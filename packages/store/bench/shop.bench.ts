// Measures every read that the app's pages wait for. The SQLite database contains 20 shops, each with 5,000 variants,
// 200 scans, and 500 findings. The benchmark also measures the time to write this data.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, report, slowest, spent } from '@compliance/bench';
import { type NewVariant, type ObservedFinding, openShopStore } from '../src/shop/index.ts';

/** Maximum duration of a read, in milliseconds. */
const LIMIT_MS = 10;
const SHOPS = 20;

const folder = mkdtempSync(join(tmpdir(), 'compliance-bench-'));
let now = 1_795_000_000_000;
const store = await openShopStore({ dataDir: folder, clock: () => now });

const variants: NewVariant[] = Array.from({ length: 5000 }, (_, i) => ({
  variantId: `gid://shopify/ProductVariant/${40_000_000 + i}`,
  productId: `gid://shopify/Product/${8_000_000 + (i >> 2)}`,
  productTitle: `Hex head cap screw, zinc plated, size M${i % 40}`,
  variantTitle: `Pack of ${i % 4}`,
  sku: `SKU-${i}`,
  htsCode: i % 5 === 0 ? null : `7318152${String(i % 1000).padStart(3, '0')}`,
  origin: 'CN',
  digits: ['full', 'full', 'short', 'missing'][i % 4] ?? 'full',
  status: ['hit', 'clear', 'adjacent', 'invalid'][i % 4] ?? 'hit',
  answer: { status: 'hit', message: 'x'.repeat(800) },
  listVersion: i % 50 === 0 ? 'v2' : 'v1',
}));
const findings: ObservedFinding[] = Array.from({ length: 500 }, (_, i) => ({
  fingerprint: `${i}`.padStart(32, '0'),
  ruleId: `rule_${i % 25}`,
  severity: (['error', 'warn', 'info'] as const)[i % 3] ?? 'info',
  place: `https://shop.example/products/${i % 12}`,
  detail: { message: 'm'.repeat(400), fix: 'f'.repeat(300) },
}));
const covered = Array.from({ length: 12 }, (_, i) => `https://shop.example/products/${i}`);

const writes: Record<string, number> = {};
for (let n = 0; n < SHOPS; n++) {
  const domain = `shop-${n}.myshopify.com`;
  await store.shops.install(domain, { scopes: [] });
  const shop = store.shop(domain);
  // Keep only the measurements for the last shop, because the earlier ones use a partly populated database.
  writes['an upsert of 5,000 new variants'] = await spent(() => shop.variants.upsert('run', variants));
  writes['an upsert of 5,000 existing variants'] = await spent(() => shop.variants.upsert('run', variants));
  let recording = 0;
  for (let i = 0; i < 200; i++) {
    now += 1000;
    const seen = findings.filter((_, f) => (f + i) % 20 !== 0);
    const inventory = {
      tags: Array.from({ length: 30 }, (_, t) => ({ vendor: 'google', id: `G-${t}`, events: ['purchase'] })),
    };
    const scan = {
      ...{ id: `scan-${i}`, startedAt: now, score: i % 100, scoreVersion: 1, inventory, findings: seen, covered },
      ...({ trigger: 'schedule', state: 'complete', reason: null, breakdown: [], theme: null, coverage: {} } as const),
    };
    recording += await spent(() => shop.scans.record(scan));
  }
  writes['recording a scan with 475 findings'] = recording / 200;
  for (let i = 0; i < 300; i++)
    await shop.productCertificates.issued(`gid://shopify/Product/${8_000_000 + i}`, { gccId: `${n}-${i}`, by: 'b' });
  await shop.jobs.enqueue({ kind: 'scan', payload: {} });
}

const shop = store.shop('shop-7.myshopify.com');
const middle = await shop.variants.list({ limit: 1000 });
const reads: Record<string, () => Promise<unknown>> = {
  record: () => shop.record(),
  'jobs.latest': () => shop.jobs.latest('scan'),
  'jobs.list': () => shop.jobs.list({ limit: 20 }),
  'scans.latest': () => shop.scans.latest(),
  'scans.latestComplete': () => shop.scans.latestComplete(),
  'scans.get': () => shop.scans.get('scan-100'),
  'scans.list, 20': () => shop.scans.list({ limit: 20 }),
  'scans.trend, 90': () => shop.scans.trend(90),
  'findings.list, 50': () => shop.findings.list({ limit: 50 }),
  'findings.list, open and not accepted': () => shop.findings.list({ limit: 50, status: 'open', accepted: false }),
  'findings.list, one place': () => shop.findings.list({ limit: 50, place: covered[3] }),
  'findings.counts': () => shop.findings.counts(),
  'variants.list, 50': () => shop.variants.list({ limit: 50 }),
  'variants.list, 21st page': () => shop.variants.list({ limit: 50, cursor: middle.next }),
  'variants.list, one status': () => shop.variants.list({ limit: 50, status: 'adjacent' }),
  'variants.list, search with many matches': () => shop.variants.list({ limit: 50, text: 'm3' }),
  'variants.list, search with one match': () => shop.variants.list({ limit: 50, text: 'SKU-4999' }),
  'variants.list, search without matches': () => shop.variants.list({ limit: 50, text: 'nowhere' }),
  'variants.counts': () => shop.variants.counts(),
  'variants.list changed': () => shop.variants.list({ changedBy: 'v2', limit: 50 }),
  'productCertificates.list': () => shop.productCertificates.list({ state: 'issued', limit: 50 }),
  'productCertificates.missing': () => shop.productCertificates.missing({ limit: 50 }),
  'productCertificates.counts': () => shop.productCertificates.counts(),
};
report([
  await slowest('database reads for a shop', LIMIT_MS, reads),
  ...Object.entries(writes).map(
    ([what, value]): BenchRow => ({ what, value, unit: 'ms', details: 'in a populated database' }),
  ),
]);

await store.close();
rmSync(folder, { recursive: true });
