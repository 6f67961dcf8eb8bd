import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { scan } from '@compliance/core/pixel';
import { createEgressProxy, type TargetRate } from '@compliance/crawler';
import { createPool, inspectKernelIsolation } from '@compliance/crawler/pool';
import { createNetwork, pages } from '@compliance/crawler/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processTree, readProc } from '../fence/process-tree.ts';
import { openScanRenderer, type ScanRendererService } from './scan-renderer.ts';

const PAGE = `<script>
  navigator.sendBeacon('https://www.google-analytics.com/g/collect?v=2&tid=G-ABCDEFGH12&en=page_view');
  new Image().src = 'http://inside.example/secret';
  setTimeout(() => { location.href = '/moved'; }, 100);
  document.write('<iframe src="/checkouts/cn/1"></iframe>');
</script><title>Shop</title>`;
const URL_OF_SHOP = 'http://shop.example/';
const SCAN = scan(
  {
    ...{ url: URL_OF_SHOP, finalUrl: URL_OF_SHOP, status: 200, headers: {}, html: PAGE, scripts: [] },
    ...{ truncated: false, notes: [] },
  },
  { asOf: '2026-11-23' },
);

const network = createNetwork();
const egress = createEgressProxy(network.transport);
const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 128, queue: 100 });
const counted = new Set<string>();
/** Rate limit that allows every connection, and records the targets. */
const targetRate: TargetRate = {
  take: async target => {
    counted.add(target);
    return { allowed: true, retryAt: null };
  },
};
const asked = new Set<string>();
const agents = new Set<string>();
/** Environments of the processes that render the page. */
const environments: string[] = [];
let renderer: ScanRendererService;

/** Returns the processes that read or run a page. */
const renderProcesses = () =>
  processTree(process.pid).filter(each => /render-process|remote-debugging-pipe/.test(readProc(each, 'cmdline')));

beforeAll(async () => {
  process.env.SECRET_OF_THE_SERVICE = 'secret-1';
  await once(egress.listen(0, '127.0.0.1'), 'listening');
  const storefront = pages({ '/': PAGE, '/robots.txt': { body: 'User-agent: *\nDisallow: /search', headers: {} } });
  await network.site('shop.example', (request, response) => {
    asked.add(`${request.method} ${request.url}`);
    agents.add(request.headers['user-agent'] ?? '');
    environments.push(...renderProcesses().map(each => readProc(each, 'environ')));
    if (request.url === '/moved') response.writeHead(302, { location: '/search' }).end();
    else storefront(request, response);
  });
  network.names.set('inside.example', ['10.0.0.1']);
  network.names.set('www.google-analytics.com', ['93.184.216.99']);
  renderer = await openScanRenderer({
    ...{ transport: network.transport, contact: 'https://scanner.example/', pool, targetRate },
    withoutNamespaces: 'missing' in inspectKernelIsolation(),
    egress: new URL(`http://127.0.0.1:${(egress.address() as AddressInfo).port}`),
  });
});
afterAll(async () => {
  delete process.env.SECRET_OF_THE_SERVICE;
  await renderer?.close();
  egress.closeAllConnections();
  egress.close();
  await Promise.all([network.close(), pool.close()]);
});

describe.runIf(process.platform === 'linux')('a service that renders a live page', () => {
  it('loads the page through the proxy, but can’t send a beacon, open a checkout, or follow a redirect to a page that robots.txt disallows', async () => {
    const { phases, beacons, events, cut, traffic, layers } = await renderer.render(SCAN, { journey: ['search'] });
    expect(new Set([...asked].filter(each => each !== 'GET /favicon.ico'))).toEqual(
      // robots.txt disallows the target of the redirect.
      new Set(['GET /', 'GET /robots.txt', 'GET /moved']),
    );
    const agent =
      /^Mozilla\/5\.0 .* HeadlessChrome\/\d+\.0\.0\.0 .* PortfolioCompliance.*\+https:\/\/scanner\.example\/\)$/;
    expect([...agents].filter(each => each.startsWith('Mozilla'))).toEqual([expect.stringMatching(agent)]);
    expect(new Set(network.dialed)).toEqual(new Set(['93.184.216.34:80']));
    expect([...counted]).toEqual(expect.arrayContaining(['shop.example']));
    expect([cut, beacons > 0]).toEqual([null, true]);
    expect(events?.[0]).toMatchObject({ phase: 'load', step: 'page', vendor: 'google', event: 'page_view' });
    expect(events?.reduce((sum, { count }) => sum + count, 0)).toBe(beacons);
    expect(traffic.map(({ code, vendor }) => `${code} ${vendor}`)).toContain('sent_before_choice google');
    expect(phases.map(({ phase, step, decision, skipped }) => [phase, step, decision, skipped])).toEqual([
      ['load', 'page', null, null],
      ['deny', 'page', 'none', null],
      ['accept', 'page', 'none', null],
      ['accept', 'search', 'none', 'robots'],
    ]);
    // Whether the kernel can limit memory and processes depends on the control group in which the test runs.
    const { memoryLimited: _, processesLimited: __, ...others } = layers;
    if ('tool' in inspectKernelIsolation()) expect(Object.values(others)).not.toContain(false);
    else expect(others).toMatchObject({ watched: true });
  });

  it('doesn’t pass the service’s secrets to the processes that read the page', () => {
    expect(environments.join('')).toContain('PATH=');
    expect(environments.join('')).not.toContain('secret-1');
  });

  it('closes the browser when the service stops', async () => {
    const ended = renderer.render(SCAN).catch((error: Error) => error.name);
    await expect.poll(() => renderProcesses().length, { timeout: 10_000 }).toBeGreaterThan(1);
    await renderer.close();
    expect(await ended).toBe('AbortError');
    expect(renderProcesses()).toEqual([]);
  });
});
