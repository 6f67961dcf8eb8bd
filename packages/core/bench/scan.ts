/**
 * Measures a scan over the saved pages beside parsing the same bytes and, when its path is given, beside simple-wappalyzer:
 * `pnpm --filter @compliance/core bench [path of an installed simple-wappalyzer]`.
 * It is not among the dependencies, since its core is under the GPL.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { scan } from '@compliance/core/pixel';
import { parseModule, parseScript } from 'meriyah';
import { parse } from 'parse5';
import { readPage } from '../src/pixel/html/page.ts';
import { reachability } from '../src/pixel/html/reachability.ts';
import { captureOf } from '../src/pixel/testing/capture-of.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const corpus = join(import.meta.dirname, '../../../../shared/data/pixel-corpus/pages');
if (!existsSync(corpus)) {
  print('No saved pages beside the checkout (../shared/data/pixel-corpus): nothing measured.');
  process.exit(0);
}

const pages = readdirSync(corpus).map(file => {
  const html = readFileSync(join(corpus, file), 'utf8');
  const scripts = readPage(html).elements.flatMap(e =>
    e.tag === 'script' && e.text && reachability(e) !== 'inert' ? [e.text] : [],
  );
  return { html, scripts };
});

function parseOnly({ html, scripts }: (typeof pages)[number]): void {
  parse(html, { sourceCodeLocationInfo: true });
  for (const script of scripts) {
    try {
      parseScript(script, { next: true, webcompat: true, ranges: true });
    } catch {
      try {
        parseModule(script, { next: true, webcompat: true, ranges: true });
      } catch {
        // Not readable by either.
      }
    }
  }
}

/** The best of several rounds for each page, in milliseconds. */
async function measure(work: (page: (typeof pages)[number]) => unknown, rounds: number): Promise<number[]> {
  const best = pages.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [i, page] of pages.entries()) {
      const start = performance.now();
      await work(page);
      best[i] = Math.min(best[i]!, performance.now() - start);
    }
  }
  return best.sort((a, b) => a - b);
}
const sum = (times: readonly number[]): number => times.reduce((a, b) => a + b, 0);
const at = (times: readonly number[], share: number): string =>
  times[Math.floor((times.length - 1) * share)]!.toFixed(1);

const parsing = await measure(parseOnly, 5);
const scanning = await measure(page => scan(captureOf(page.html), { asOf: '2026-11-21' }), 5);
print(`${pages.length} pages, ${(pages.reduce((n, p) => n + p.html.length, 0) / 1e6).toFixed(1)} million characters`);
print(`scan: median ${at(scanning, 0.5)} ms, p95 ${at(scanning, 0.95)} ms, all ${sum(scanning).toFixed(0)} ms`);
print(
  `parse5 and meriyah alone: median ${at(parsing, 0.5)} ms, p95 ${at(parsing, 0.95)} ms, all ${sum(parsing).toFixed(0)} ms`,
);
print(`scan / parsing alone: ${(sum(scanning) / sum(parsing)).toFixed(2)} (limit 2.5)`);

const [peer] = process.argv.slice(2);
if (peer) {
  const wappalyzer = createRequire(import.meta.url)(peer) as (page: {
    url: string;
    headers: object;
    html: string;
  }) => Promise<unknown>;
  const others = await measure(page => wappalyzer({ url: 'https://shop.example/', headers: {}, html: page.html }), 1);
  print(
    `simple-wappalyzer: median ${at(others, 0.5)} ms, p95 ${at(others, 0.95)} ms, all ${sum(others).toFixed(0)} ms`,
  );
  print(`simple-wappalyzer / scan: ${(sum(others) / sum(scanning)).toFixed(1)} (at least 4)`);
}

const gc = (globalThis as { gc?: () => void }).gc;
const used = (): number => {
  gc?.();
  return process.memoryUsage().heapUsed / 1e6;
};
const small = pages.filter(p => p.html.length < 300_000);
for (const page of small) scan(captureOf(page.html), { asOf: '2026-11-21' });
const before = used();
for (let i = 0; i < 1_000; i++) scan(captureOf(small[i % small.length]!.html), { asOf: '2026-11-21' });
const after = used();
print(
  `heap after 1,000 scans / before: ${(after / before).toFixed(2)} (${before.toFixed(0)} → ${after.toFixed(0)} MB${gc ? '' : ', without --expose-gc'})`,
);
