// Measures how long a merchant's browser waits for the built app's pages while the app reads the shop's catalog and
// handles product webhooks. Each measurement starts when the request with the session token is sent, and ends with the
// last byte of the document. The shop has 50,000 variants, 200 scans, and 500 findings. Runs once with SQLite and once
// with PostgreSQL. Compares the app's response times with those of a bare HTTP server. Builds the app first if the
// build is missing or outdated.
import '../src/set-node-env.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BenchRow, median, report, show } from '@compliance/bench';
import { embeddedAppUrl } from '@compliance/fake-shopify';
import { startPostgres } from '@compliance/store/testing';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { startCatalogRead } from '../src/catalog/catalog.ts';
import { CATALOG } from '../src/catalog/model/job-types.ts';
import buildOnce from '../test/build-once.ts';
import { createPopulatedShop } from './populated-shop.ts';

/** Limit, in milliseconds of wall-clock time, for the 95th-percentile response time over 100 visits to a page. */
const PAGE_MS = 100;
const VARIANTS = 50_000;
const WARM_UP = 10;
const VISITS = 100;

const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36' };

/**
 * Returns the time, in milliseconds, until the response is complete. Throws an error if the response isn't the requested
 * page.
 */
async function visit(address: string, says: string): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(address, { headers, redirect: 'manual' });
  const text = await answer.text();
  const ms = performance.now() - begun;
  if (answer.status !== 200 || !text.includes(says))
    throw new Error(`${address} returned an unexpected response with status ${answer.status}`);
  return ms;
}

const p95 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!;

async function measure(engine: string, databaseUrl?: string): Promise<BenchRow[]> {
  const { harness, domain, pages } = await createPopulatedShop(VARIANTS, databaseUrl);
  const { fakeShopify, dataDir, store } = harness;
  const program = join(import.meta.dirname, 'pages-app.ts');
  const argv = [
    '--conditions=@compliance/source',
    program,
    dataDir,
    fakeShopify.url,
    ...(databaseUrl === undefined ? [] : [databaseUrl]),
  ];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [appUrl] = (await once(createInterface(child.stdout), 'line')) as [string];
  const hello = serve({ fetch: new Hono().get('/', c => c.html('hello')).fetch, port: 0, hostname: '127.0.0.1' });
  await once(hello, 'listening', { signal: AbortSignal.timeout(10_000) });
  const helloUrl = `http://127.0.0.1:${(hello.address() as AddressInfo).port}/`;

  const { jobs } = store.shop(domain);
  let reads = 0;
  /** Keeps the app busy: starts a catalog read unless one is queued or running, and sends a product webhook. */
  async function addWork(product: number): Promise<void> {
    const state = (await jobs.latest(CATALOG))?.state;
    if (state !== 'queued' && state !== 'running') {
      await startCatalogRead(store.shop(domain));
      reads++;
    }
    const payload = { admin_graphql_api_id: `gid://shopify/Product/${product}`, id: product };
    await fakeShopify.webhook(appUrl, 'products/update', domain, payload);
  }

  const bare: number[] = [];
  const shown = Object.entries(pages).map(([name, path]) => ({ name, path, times: [] as number[] }));
  for (let round = -WARM_UP; round < VISITS; round++) {
    await addWork(round + WARM_UP + 1);
    // Visit all pages in each round, so that other load on the machine affects all pages equally.
    const ms = await visit(helloUrl, 'hello');
    if (round >= 0) bare.push(ms);
    for (const { path, times } of shown) {
      const ms = await visit(await embeddedAppUrl(appUrl, domain, { path }), '<h1');
      if (round >= 0) times.push(ms);
    }
  }
  hello.close();
  child.kill();
  await once(child, 'close');
  await harness.close();

  const slowestFirst = shown
    .map(({ name, times }) => ({ name, p50: median(times), p95: p95(times) }))
    .sort((a, b) => b.p95 - a.p95);
  const figures = slowestFirst.map(({ name, p50, p95 }) => `${name}: ${show(p50)}, ${show(p95)}`);
  process.stderr.write(`${engine}: p50 and p95 in ms\n${figures.join('\n')}\n`);
  return [
    {
      what: `p95 response time while jobs run, slowest of ${shown.length} app pages, ${engine}`,
      value: slowestFirst[0]!.p95,
      unit: 'ms',
      limit: { atMost: PAGE_MS },
      details: `${VARIANTS.toLocaleString('en-US')} variants, ${reads} catalog reads; p50 and p95 in ms: ${figures.slice(0, 5).join('; ')}`,
    },
    {
      what: `median app page over HTTP ÷ bare Hono server, ${engine}`,
      value: median(slowestFirst.map(({ p50 }) => p50)) / median(bare),
      unit: '×',
      details: `${show(median(bare))} ms for the bare server`,
    },
  ];
}

buildOnce();
const onSqlite = await measure('SQLite');
const postgres = await startPostgres();
const onPostgres = await measure('PostgreSQL', postgres.url);
await postgres.stop();
report([...onSqlite, ...onPostgres]);
