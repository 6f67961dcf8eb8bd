import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { scan } from '@compliance/core/pixel';
import { createEgressProxy, publicTransport } from '@compliance/crawler';
import { createPool, inspectKernelIsolation } from '@compliance/crawler/pool';
import { createNetwork, unlimitedRate } from '@compliance/crawler/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScanRenderer, type ScanRendererService } from '../../process/scan-renderer.ts';
import { type Canaries, openCanaries, TARGETS } from './testing/canaries.ts';
import { hostilePage, hostileShop, PAGES } from './testing/lab.ts';

const SHOP_URL = 'http://shop.example/';
const SITES = { 'shop.example': '93.184.216.34', 'redirect.example': '93.184.216.35' };

/** Script that reports which of the removed interfaces still exist in the page or in a new frame. */
const REPORT = `<script>
const find = view => ['RTCPeerConnection', 'webkitRTCPeerConnection', 'SharedWorker', 'WebTransport'].filter(name => name in view)
  .concat('serviceWorker' in view.navigator ? 'serviceWorker' : []);
const frame = document.body.appendChild(document.createElement('iframe'));
fetch('/found' + [...find(window), ...find(frame.contentWindow)]);
window.Shopify = { customerPrivacy: { setTrackingConsent: (consent, done) => done() } };
</script>`;

const network = createNetwork();
const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 256, queue: 10 });
const lab = new Set(Object.values(SITES));
const egress = createEgressProxy({
  ...network.transport,
  // If the proxies allowed a canary's address, the connection would reach the canary.
  dial: (addresses, ...rest) => (lab.has(addresses[0]!) ? network.transport : publicTransport).dial(addresses, ...rest),
});
const asked = new Set<string>();
let canaries: Canaries;
let renderer: ScanRendererService;

beforeAll(async () => {
  canaries = await openCanaries();
  // The page tries every channel. Channels that need their own page are loaded in iframes.
  const [staying = '', ...leaving] = PAGES;
  const frames = leaving.flatMap(path => TARGETS.map(target => `/page/${encodeURI(path)}/${target}`));
  const home = `<!doctype html><body>${REPORT}${TARGETS.map(target => hostilePage(staying, target, canaries)).join('')}
${frames.map(path => `<iframe src="${path}"></iframe>`).join('')}</body>`;
  const hostile = hostileShop(canaries, path => asked.add(path));
  for (const [name, address] of Object.entries(SITES))
    await network.site(
      name,
      (request, response) => {
        asked.add(request.url!);
        if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(home);
        else hostile(request, response);
      },
      address,
    );
  network.names.set('other.example', [canaries.addresses.other]);
  await once(egress.listen(0, '127.0.0.1'), 'listening');
  renderer = await openScanRenderer({
    ...{ transport: network.transport, contact: 'https://scanner.example/', pool, targetRate: unlimitedRate },
    withoutNamespaces: 'missing' in inspectKernelIsolation(),
    egress: new URL(`http://127.0.0.1:${(egress.address() as AddressInfo).port}`),
  });
});
afterAll(async () => {
  await renderer?.close();
  canaries?.close();
  egress.closeAllConnections();
  egress.close();
  await Promise.all([network.close(), pool.close()]);
});

describe.runIf(process.platform === 'linux')('a service that renders a hostile page', () => {
  it('blocks every channel when it uses its own proxies, in both tabs, before and after a consent choice', async () => {
    const capture = { url: SHOP_URL, finalUrl: SHOP_URL, status: 200, headers: {}, html: '', scripts: [] };
    const scanned = scan({ ...capture, truncated: false, notes: [] }, { asOf: '2026-11-23' });
    canaries.hits.clear();
    const { phases, cut } = await renderer.render(scanned);
    expect([...canaries.hits]).toEqual([]);
    expect(cut).toBeNull();
    // The page ran in both tabs, and found none of the removed interfaces.
    expect(phases.map(({ phase }) => phase)).toEqual(['load', 'deny', 'accept']);
    expect([...asked].filter(path => path.startsWith('/found'))).toEqual(['/found']);
  });
});
