// Measures the latency of a key holder's scans and lookups while visitors without a key request 100 hostile scans per
// minute from 10 IP addresses. The scans target 5 MB pages, hosts that respond slowly, and robots.txt files that
// exhaust the parser's memory.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile, probe, report, show } from '@compliance/bench';
import { lookupRequest, postRequest, startWorkerService } from './worker-service.ts';

const ADDRESSES = 10;
const FLOOD_SECONDS = 60;
const QUIET_SECONDS = 15;
/** Interval between hostile scans, in milliseconds, for a rate of 100 scans per minute. */
const HOSTILE_EVERY_MS = 600;

const SHOP = `<html><head><script>fbq('init','111000000000001');fbq('track','PageView')</script><script src="/theme.js"></script></head><body>${'<p>A shop</p>'.repeat(500)}</body></html>`;
const CARD =
  '<div class="card"><a href="/products/x"><img src="x.png" alt=""></a><script>gtag("event","view_item",{items:[{id:"x",price:9}]});</script></div>';
const HEAVY = `<html><body>${CARD.repeat(Math.floor(4_900_000 / CARD.length))}</body></html>`;
const BOMB = [
  ...Array.from({ length: 20_000 }, (_, index) => `User-agent: a${index}`),
  ...Array.from({ length: 15_000 }, () => 'Disallow: /a'),
].join('\n');

const sites = createServer((request, response) => {
  const [kind] = (request.headers.host ?? '').split('.');
  if (request.url === '/robots.txt') return void response.end(kind?.startsWith('crash') ? BOMB : 'User-agent: *\n');
  response.setHeader('content-type', request.url === '/theme.js' ? 'text/javascript' : 'text/html');
  if (kind?.startsWith('heavy')) return void response.end(HEAVY);
  if (!kind?.startsWith('slow')) return void response.end(request.url === '/theme.js' ? 'var theme = 1;' : SHOP);
  const drip = setInterval(() => response.write('<p>'), 250);
  response.on('close', () => clearInterval(drip));
});
sites.listen(0, '127.0.0.1');
await once(sites, 'listening');

const dataDir = await mkdtemp(join(tmpdir(), 'compliance-bench-'));
const { base, keys, stop } = await startWorkerService(dataDir, (sites.address() as AddressInfo).port);
const key = keys[0]!;
const scan = postRequest(`${base}/api/v1/pixel/scan`, key, { url: 'http://shop.example/' });
const lookup = lookupRequest(base, key);

async function measure(seconds: number) {
  const [scans, lookups] = await Promise.all([
    probe(scan, { everyMs: 500, seconds }),
    probe(lookup, { everyMs: 20, seconds }),
  ]);
  return { scans, lookups };
}

/**
 * Requests scans of hostile sites until the signal is aborted, and returns the number of responses with each status.
 */
async function flood(signal: AbortSignal) {
  const statuses = new Map<number, number>();
  const open: Promise<void>[] = [];
  for (let sent = 0; !signal.aborted; sent++) {
    const kind = ['heavy', 'slow', 'heavy', 'crash'][sent % 4];
    const url = `${base}/api/v0/scan?url=${encodeURIComponent(`http://${kind}.host-${sent}.example/`)}`;
    const headers = { 'x-forwarded-for': `203.0.113.${sent % ADDRESSES}` };
    open.push(
      fetch(url, { headers }).then(async response => {
        await response.arrayBuffer();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }),
    );
    await new Promise(resolve => setTimeout(resolve, HOSTILE_EVERY_MS));
  }
  await Promise.all(open);
  return statuses;
}

// Start every worker so that the measurement doesn't include loading the code.
await Promise.all(Array.from({ length: 6 }, scan));
await measure(3);
const before = await measure(QUIET_SECONDS);
const stopped = new AbortController();
const flooding = flood(stopped.signal);
const during = await measure(FLOOD_SECONDS);
stopped.abort();
const statuses = await flooding;
const after = await measure(QUIET_SECONDS);
const quiet = { scans: [...before.scans, ...after.scans], lookups: [...before.lookups, ...after.lookups] };

const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
const timesOf = (times: readonly number[]) =>
  `p50 ${show(percentile(times, 0.5))} ms, p99 ${show(percentile(times, 0.99))} ms`;
report([
  {
    what: "p99 latency of a key holder's scans during a flood of hostile keyless scans",
    value: percentile(during.scans, 0.99),
    unit: 'ms',
    limit: { atMost: 3_000 },
    details: `${timesOf(during.scans)} for ${during.scans.length} scans; without the flood ${timesOf(quiet.scans)}; hostile scans: ${counts}`,
  },
  {
    what: 'lookup during a flood of hostile keyless scans ÷ lookup without the flood',
    value: percentile(during.lookups, 0.5) / percentile(quiet.lookups, 0.5),
    unit: '×',
    limit: { atMost: 1.3 },
    details: `${timesOf(during.lookups)} compared with ${timesOf(quiet.lookups)}, 50 lookups per second`,
  },
]);

stop();
sites.closeAllConnections();
sites.close();
await rm(dataDir, { recursive: true, force: true });
