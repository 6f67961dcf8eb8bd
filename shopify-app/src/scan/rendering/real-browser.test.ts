import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgressProxy } from '@compliance/crawler';
import { inspectKernelIsolation } from '@compliance/crawler/pool';
import { unlimitedRate } from '@compliance/crawler/testing';
import { emptyShop } from '@compliance/fake-shopify';
import { expect, it, onTestFinished } from 'vitest';
import { createJobHarness } from '../../../test/job-harness.ts';
import { browserCheckOf } from '../../browser-check/browser-check.ts';
import { RENDER } from '../model/rendering.ts';
import { openAppRenderer } from './open-renderer.ts';

const PAGE = `<script async src="https://www.googletagmanager.com/gtag/js?id=G-ABCDEFGH12"></script>
<script>
  window.dataLayer = []; function gtag() { dataLayer.push(arguments); }
  gtag('js', new Date()); gtag('config', 'G-ABCDEFGH12');
  navigator.sendBeacon('https://www.google-analytics.com/g/collect?v=2&tid=G-ABCDEFGH12&en=page_view');
</script><title>Shop</title><h1>Shop</h1>`;

it.runIf('tool' in inspectKernelIsolation())(
  'opens a storefront in a real browser and reports what the storefront sends to vendors',
  async () => {
    const harness = await createJobHarness();
    onTestFinished(() => harness.close());
    const { network } = harness.fakeShopify;
    const fakeShop = emptyShop('real-browser');
    const shop = await harness.install(fakeShop);
    // The storefront uses HTTP, because the browser doesn't trust the fake Shopify's certificate.
    const storefront = createServer((request, response) => {
      const isRobots = request.url === '/robots.txt';
      response.setHeader('Content-Type', isRobots ? 'text/plain' : 'text/html');
      response.end(isRobots ? 'User-agent: *\nDisallow: /cart\nDisallow: /search' : PAGE);
    });
    await network.listen((network.names.get(fakeShop.host) as string[])[0]!, 80, storefront);
    network.names.set('www.google-analytics.com', ['93.184.216.99']);
    const egress = createEgressProxy(network.transport);
    await once(egress.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      egress.closeAllConnections();
      egress.close();
    });
    const renderer = await openAppRenderer(
      { isOn: true, runsJobs: true },
      {
        ...{ transport: network.transport, contact: 'https://app.example/about', pool: harness.pool },
        ...{ targetRate: unlimitedRate, egress: new URL(`http://127.0.0.1:${(egress.address() as AddressInfo).port}`) },
      },
    );
    onTestFinished(() => renderer.close());
    expect(renderer.availability).toBe('available');

    await shop.setSettings({ rendering: true });
    await shop.setProfile({ primaryHost: fakeShop.host });
    await shop.jobs.enqueue({ kind: RENDER });
    await harness.work(shop.domain, {
      renderScan: renderer.render,
      scanner: (url, request) => harness.scanner(url.replace('https:', 'http:'), request),
    });
    const { seen } = await browserCheckOf(shop, renderer.availability, Date.now());
    expect(seen).toMatchObject({ isPartial: true, cut: null });
    expect(seen!.events).toBeGreaterThan(0);
    expect(seen!.traffic).toContainEqual(expect.objectContaining({ code: 'sent_before_choice', vendor: 'Google' }));
    expect(seen!.steps.filter(({ step }) => step === 'page').map(({ phase, decision }) => [phase, decision])).toEqual([
      ['load', null],
      ['deny', 'none'],
      ['accept', 'none'],
    ]);
    expect(seen!.steps.find(({ step }) => step === 'search')?.skipped).toBe('robots');
  },
);
