// Measures lookup latency while the same service renders pages that try to exhaust system resources.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApi } from '@compliance/api';
import { percentile, probe, report, show } from '@compliance/bench';
import { createCrawler, createEgressProxy, createScanner } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { createNetwork, pages, unlimitedRate } from '@compliance/crawler/testing';
import { openScanRenderer } from '@compliance/renderer';
import { openStore } from '@compliance/store';
import { serve } from '@hono/node-server';
import { BOMBS } from '../src/testing/bombs.ts';

/** Argument that starts the service process instead of the measurement. */
const SERVICE = 'service';
const CONTACT = 'https://scanner.example/about';
const QUIET_SECONDS = 10;
const START_TIMEOUT_MS = 180_000;

/** Message that the service process sends when it's ready. */
interface Ready {
  readonly port: number;
  readonly key: string;
}

/** Runs a service. When the service receives a message, it renders the hostile pages one by one, and then replies. */
async function run(dataDir: string): Promise<Ready> {
  const store = await openStore({ dataDir, clock: Date.now, limits: { minute: 1e9, day: 1e9 } });
  const { key } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'bench' });
  const network = createNetwork();
  const names = Object.keys(BOMBS);
  for (const [index, html] of Object.values(BOMBS).entries())
    await network.site(`bomb${index}.example`, pages({ '/': `<body>${html}</body>` }));
  const pool = createPool({ workers: 2, timeoutMs: 10_000, memoryMb: 256, queue: 100 });
  const crawl = { contact: CONTACT, pool, targetRate: unlimitedRate };
  const scanner = createScanner(createCrawler(network.transport), crawl);
  // The browser runs in another process and can't use this transport, so it reaches the pages through the egress proxy.
  const egress = createEgressProxy(network.transport);
  await once(egress.listen(0, '127.0.0.1'), 'listening', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  const renderer = await openScanRenderer({
    ...{ ...crawl, transport: network.transport },
    egress: new URL(`http://127.0.0.1:${(egress.address() as AddressInfo).port}`),
  });
  process.on('message', async () => {
    const endings: string[] = [];
    for (const [index, name] of names.entries()) {
      const scanned = await scanner(`http://bomb${index}.example/`, { asOf: '2026-11-24' });
      const start = performance.now();
      const { cut, phases } = await renderer.render(scanned);
      // If the page became quiet without reaching a limit, its code didn't run, so the measurement is meaningless.
      if (!cut && phases.some(({ complete }) => complete)) throw new Error(`The page didn't reach a limit: ${name}`);
      endings.push(`${name}: ${cut ?? 'no response'} after ${show((performance.now() - start) / 1_000)} s`);
    }
    process.send!(endings);
  });
  const server = serve({ fetch: createApi({ store, clock: Date.now }).fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  return { port: (server.address() as AddressInfo).port, key };
}

async function measure(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-bench-'));
  const child = fork(fileURLToPath(import.meta.url), [SERVICE, dataDir], { execArgv: process.execArgv });
  const [{ port, key }] = (await once(child, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) })) as [Ready];
  const lookup = () =>
    fetch(`http://127.0.0.1:${port}/api/v1/tariff/hts/lookup`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ codes: ['7318.15.2061', '0101.21.00', '8302.41.60'] }),
    });
  await probe(lookup, { everyMs: 20, seconds: 2 });
  const quiet = await probe(lookup, { everyMs: 20, seconds: QUIET_SECONDS });

  let isRendering = true;
  const rendering = once(child, 'message').finally(() => {
    isRendering = false;
  });
  child.send('render');
  const during: number[] = [];
  while (isRendering) during.push(...(await probe(lookup, { everyMs: 20, seconds: 0.5 })));
  const [endings] = (await rendering) as [string[]];
  const timesOf = (times: readonly number[]) =>
    `p50 ${show(percentile(times, 0.5))} ms, p99 ${show(percentile(times, 0.99))} ms`;
  report([
    {
      what: 'p99 lookup latency while the service renders pages that try to exhaust system resources',
      value: percentile(during, 0.99),
      unit: 'ms',
      limit: { atMost: 100 },
      details: `${timesOf(during)} for ${during.length} lookups; without rendering ${timesOf(quiet)}; ${endings.join('; ')}`,
    },
  ]);
  child.kill();
  await rm(dataDir, { recursive: true, force: true });
}

if (process.argv[2] === SERVICE) process.send!(await run(process.argv[3]!));
else await measure();
