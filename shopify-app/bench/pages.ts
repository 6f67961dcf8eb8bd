import '../src/as-production.ts';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { addressOfApp } from '../stand-in/frame/frame.ts';
import { serveAppBeside } from '../stand-in/serve-app.ts';
import { createShopInUse } from './shop-in-use.ts';

/**
 * What a merchant's browser waits for: whole answers over HTTP by the app as it is built, from the session token to the last
 * byte of the document, beside a server that says hello. `pnpm --filter shopify-app bench`; it builds nothing.
 */

/** What a page may take at the 95th of 100 visits, in milliseconds. */
const LIMIT_MS = 100;
const WARM_UP = 10;
const VISITS = 200;

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

const times = new Map<string, number[]>();
for (let round = -WARM_UP; round < VISITS; round++) {
  const take = (name: string, ms: number) => round >= 0 && times.set(name, [...(times.get(name) ?? []), ms]);
  // In turn, so that what else the machine does meets all alike.
  take('hello', await visit(helloUrl, 'hello'));
  for (const [name, path] of Object.entries(pages))
    take(name, await visit(await addressOfApp(app.url, domain, { path }), '<h1'));
}
hello.close();
await app.stop();
await world.close();

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)]!;
const [bare = [], ...shown] = [...times.values()].map(taken => taken.sort((a, b) => a - b));
process.stdout.write(
  `whole answers over HTTP, ${VISITS} of each; limit ${LIMIT_MS} ms at p95; a bare Hono says hello in p50 ${at(bare, 0.5).toFixed(1)} ms, p95 ${at(bare, 0.95).toFixed(1)} ms\n`,
);
for (const [index, name] of Object.keys(pages).entries()) {
  const [p50, p95] = [at(shown[index]!, 0.5), at(shown[index]!, 0.95)];
  process.stdout.write(
    `${name.padEnd(26)} p50 ${p50.toFixed(1).padStart(6)} ms  p95 ${p95.toFixed(1).padStart(6)} ms  ${(p50 / at(bare, 0.5)).toFixed(0).padStart(4)} × hello  ${p95 > LIMIT_MS ? 'OVER' : `${(LIMIT_MS / p95).toFixed(1)} × below the limit`}\n`,
  );
  if (p95 > LIMIT_MS) process.exitCode = 1;
}
