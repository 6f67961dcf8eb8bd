import { createWorld, newestScan } from '../src/scan/testing/world.ts';
import { sampleShop } from '../stand-in/shop/samples.ts';

/**
 * Scans one store again and again, and prints what the process holds after each: `node --expose-gc
 * --conditions=@compliance/source bench/soak.ts [scans] [files]`. Memory must be as flat at the end as after the first few.
 */
const [scans = 30, files = 300] = process.argv.slice(2).map(Number);
const given = sampleShop('soak');
for (let i = 0; i < files; i++)
  given.themes[0]!.files.set(`snippets/part-${i}.liquid`, `<div>{{ product.title }} ${'x'.repeat(8_000)}</div>`);

const world = await createWorld();
const shop = await world.install(given);
const held: number[] = [];
for (let round = 1; round <= scans; round++) {
  const started = performance.now();
  const job = await world.scan(given.domain);
  if (job.state !== 'done') throw new Error(`scan ${round} ended as ${job.state}: ${job.error}`);
  const ms = performance.now() - started;
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  held.push(heapUsed / 1e6);
  process.stdout.write(
    `${String(round).padStart(3)}  ${ms.toFixed(0).padStart(6)} ms  heap ${(heapUsed / 1e6).toFixed(1)} MB  rss ${(rss / 1e6).toFixed(0)} MB\n`,
  );
}
const { score, coverage } = await newestScan(shop);
const live = (await shop.jobs.list({ limit: 1_000 })).filter(({ finishedAt }) => finishedAt === null).length;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const growth = mean(held.slice(-5)) / mean(held.slice(4, 9));
process.stdout.write(
  `score ${score}, ${coverage.theme.filesRead} files a scan, ${live} jobs left; heap of the last five scans ${growth.toFixed(2)} times that of the fifth to ninth\n`,
);
await world.close();
