import { sampleShop } from '@compliance/fake-shopify';
import { createJobHarness, newestScan } from '../test/job-harness.ts';

/**
 * Scans one store repeatedly and prints the memory use after each scan: `node --expose-gc
 * --conditions=@compliance/source bench/soak.ts [scans] [files]`. Memory use isn't expected to grow after the first few
 * scans.
 */
const [scans = 30, files = 300] = process.argv.slice(2).map(Number);
const given = sampleShop('soak');
for (let i = 0; i < files; i++)
  given.themes[0]!.files.set(`snippets/part-${i}.liquid`, `<div>{{ product.title }} ${'x'.repeat(8_000)}</div>`);

const harness = await createJobHarness();
const shop = await harness.install(given);
const held: number[] = [];
for (let round = 1; round <= scans; round++) {
  const started = performance.now();
  const job = await harness.scan(given.domain);
  if (job.state !== 'done') throw new Error(`scan ${round} ended in state ${job.state}: ${job.error}`);
  const ms = performance.now() - started;
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  held.push(heapUsed / 1e6);
  process.stdout.write(
    `${String(round).padStart(3)}  ${ms.toFixed(0).padStart(6)} ms  heap ${(heapUsed / 1e6).toFixed(1)} MB  RSS ${(rss / 1e6).toFixed(0)} MB\n`,
  );
}
const { score, coverage } = await newestScan(shop);
const live = (await shop.jobs.list({ limit: 1_000 })).filter(({ finishedAt }) => finishedAt === null).length;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const growth = mean(held.slice(-5)) / mean(held.slice(4, 9));
process.stdout.write(
  `score ${score}, ${coverage.theme.filesRead} files per scan, ${live} unfinished jobs; average heap in the last five scans ÷ average heap in scans 5 to 9: ${growth.toFixed(2)}\n`,
);
await harness.close();
