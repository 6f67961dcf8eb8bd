// What a merchant's browser waits for: whole answers over HTTP by the app as it is built, from the session token to the last byte
// of the document, for a shop that has been in use for a year; beside a server that says hello. It builds nothing.
import '../src/as-production.ts';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { median, report, show } from '@compliance/bench';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { addressOfApp } from '../stand-in/frame/frame.ts';
import { serveAppBeside } from '../stand-in/serve-app.ts';
import { createShopInUse } from './shop-in-use.ts';

/** What a page may take at the 95th of 100 visits, in ms by the clock: the merchant waits by it. */
const PAGE_MS = 100;
const WARM_UP = 10;
const VISITS = 100;

const { world, domain, pages } = await createShopInUse();
const app = await serveAppBeside(world.standIn, { dataDir: world.dataDir, jobsAtOnce: 0 });
const hello = serve({ fetch: new Hono().get('/', c => c.html('hello')).fetch, port: 0, hostname: '127.0.0.1' });
await once(hello, 'listening');
const helloUrl = `http://127.0.0.1:${(hello.address() as AddressInfo).port}/`;

const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36' };

/** Milliseconds until the whole answer is there. Fails when it is not the page. */
async function visit(address: string, says: string): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(address, { headers, redirect: 'manual' });
  const text = await answer.text();
  const ms = performance.now() - begun;
  if (answer.status !== 200 || !text.includes(says)) throw new Error(`${address} gave ${answer.status}`);
  return ms;
}

const bare: number[] = [];
const shown = Object.entries(pages).map(([name, path]) => ({ name, path, times: [] as number[] }));
for (let round = -WARM_UP; round < VISITS; round++) {
  // In turn, so that what else the machine does meets all alike.
  const ms = await visit(helloUrl, 'hello');
  if (round >= 0) bare.push(ms);
  for (const { path, times } of shown) {
    const ms = await visit(await addressOfApp(app.url, domain, { path }), '<h1');
    if (round >= 0) times.push(ms);
  }
}
hello.close();
await app.stop();
await world.close();

const p95 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
const slowestFirst = shown
  .map(({ name, times }) => ({ name, p50: median(times), p95: p95(times) }))
  .sort((a, b) => b.p95 - a.p95);
const figures = slowestFirst.map(({ name, p50, p95 }) => `${name}: ${show(p50)}, ${show(p95)}`);
report([
  {
    what: `slowest page of the app of ${shown.length}, whole answer over HTTP, p95`,
    value: slowestFirst[0]!.p95,
    unit: 'ms',
    limit: { atMost: PAGE_MS },
    beside: `p50 and p95 in ms: ${figures.slice(0, 5).join('; ')}`,
  },
  {
    what: 'page of the app over HTTP, the middle one',
    value: median(slowestFirst.map(({ p50 }) => p50)) / median(bare),
    unit: '×',
    beside: `a bare Hono that says hello in ${show(median(bare))} ms`,
  },
]);
