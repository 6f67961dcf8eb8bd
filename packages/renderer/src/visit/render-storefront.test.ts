import { type ChromiumFiles, findChromium } from '@compliance/chromium';
import { joinRendering, type Phase, scan } from '@compliance/core/pixel';
import { inspectKernelIsolation } from '@compliance/crawler/pool';
import { createNetwork, unlimitedRate } from '@compliance/crawler/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PageToRender, type Rendering, renderStorefront } from './render-storefront.ts';

const META_ID = '918273645546372';

const BASE_CODE = `!function(f,b,e,v,n,t,s){if(f.fbq)return;n=f.fbq=function(){n.callMethod?n.callMethod.apply(n,arguments):n.queue.push(arguments)};
if(!f._fbq)f._fbq=n;n.push=n;n.loaded=!0;n.version='2.0';n.queue=[];t=b.createElement(e);t.async=!0;t.src=v;
s=b.getElementsByTagName(e)[0];s.parentNode.insertBefore(t,s)}(window,document,'script','https://connect.facebook.net/en_US/fbevents.js');`;
const PAGE_VIEW = `<script>${BASE_CODE} fbq('init', '${META_ID}'); fbq('track', 'PageView');</script>`;

/** Meta ignores the visitor's choice, Google follows it with consent mode, and TikTok waits for consent. */
const SHOP = `<!doctype html><html><head><script>
var Shopify = Shopify || {}; Shopify.shop = 'x.myshopify.com';
${BASE_CODE}
fbq('dataProcessingOptions', ['LDU'], 0, 0); fbq('init', '${META_ID}', { em: 'ana@shop.example' });
fbq('track', 'PageView', { content_name: 'Gift for ana@shop.example', email: 'ana@shop.example', value: 5 }, { eventID: 'view-1' });
</script>
<script async src="https://www.googletagmanager.com/gtag/js?id=G-ABCDEFGH12"></script>
<script>
window.dataLayer = window.dataLayer || []; function gtag(){dataLayer.push(arguments)}
gtag('consent', 'default', { ad_storage: 'denied', analytics_storage: 'denied' });
if (Shopify.customerPrivacy.marketingAllowed()) gtag('consent', 'update', { ad_storage: 'granted', analytics_storage: 'granted' });
gtag('config', 'G-ABCDEFGH12');
document.cookie = 'session=1'; localStorage.setItem('visitor', '1');
window.ga = window.ga || function(){(ga.q = ga.q || []).push(arguments)}; ga('send', 'pageview');
window.ttq = []; ttq.track = (...values) => ttq.push(['track', ...values]); ttq.track('ViewContent', { value: 5 });
window.klaviyo = { track: () => {} }; klaviyo.track('Viewed Product', { ProductID: '1' });
window._learnq = []; _learnq.push(['identify', { $email: 'ana@shop.example' }]);
addEventListener('pagehide', () => navigator.sendBeacon('https://analytics.google.com/g/collect?v=2&tid=G-ABCDEFGH12&en=scroll&gcs=G100'), { once: true });
const start = () => fetch('https://analytics.tiktok.com/api/v2/pixel', { method: 'POST', body: JSON.stringify({ event: 'Pageview', context: { pixel: { code: 'CABCDEFGHIJKLMNOPQRS' } } }) });
if (Shopify.customerPrivacy.marketingAllowed()) start();
document.addEventListener('visitorConsentCollected', event => event.detail.marketingAllowed && start());
</script></head><body>
<iframe sandbox="allow-scripts" srcdoc="<script>new Worker(URL.createObjectURL(new Blob(['fetch(&quot;https://bat.bing.com/action/0?ti=12345678&evt=pageLoad&quot;)'])));dataLayer=[];dataLayer.push({event:'framed',value:5})</script>"></iframe>
</body></html>`;

const capture = (html: string) => ({
  ...{ url: 'https://shop.example/', finalUrl: 'https://shop.example/', status: 200, html },
  ...{ headers: { 'content-type': 'text/html' }, scripts: [], truncated: false, notes: [] },
});

let chromium: ChromiumFiles;
const network = createNetwork();

const render = (page: PageToRender, quietMs = 250): Promise<Rendering> =>
  renderStorefront(page, {
    ...{ chromium, kernel: inspectKernelIsolation(), transport: network.transport },
    ...{ userAgent: 'Test (+https://scanner.example/)', targetRate: unlimitedRate, limits: { wallMs: 30_000 } },
    quietMs,
  });

/** Returns the events of each phase, such as `meta PageView`. */
const timeline = ({ beacons }: Rendering) => {
  const eventsIn = (phase: Phase) =>
    [...new Set(beacons.filter(each => each.phase === phase).map(({ vendor, event }) => `${vendor} ${event}`))].sort();
  return { load: eventsIn('load'), deny: eventsIn('deny'), accept: eventsIn('accept') };
};

beforeAll(async () => {
  chromium = await findChromium();
});
afterAll(async () => {
  await chromium?.remove();
  await network.close();
});

describe.runIf(process.platform === 'linux')('a saved page', () => {
  it('is rendered before a consent choice, after tracking is declined, and after it’s accepted', async () => {
    const rendering = await render({ saved: capture(SHOP) });
    expect(rendering).toMatchObject({ cut: null, stubbed: true });
    expect(rendering.connections).toEqual([]);
    expect(rendering.beacons.filter(({ intercepted }) => !intercepted)).toEqual([]);
    expect(timeline(rendering)).toEqual({
      load: ['google page_view', 'google scroll', 'meta PageView', 'microsoft pageLoad'],
      deny: ['google page_view', 'google scroll', 'meta PageView', 'microsoft pageLoad'],
      accept: ['google page_view', 'google scroll', 'meta PageView', 'microsoft pageLoad', 'tiktok Pageview'],
    });
    const google = (phase: Phase) => rendering.beacons.find(b => b.event === 'page_view' && b.phase === phase)!;
    expect(google('deny').consent.signals.gcs).toBe('G100');
    expect(google('accept').consent.signals.gcs).toBe('G111');
    const meta = rendering.beacons.find(({ vendor }) => vendor === 'meta')!;
    expect(meta).toMatchObject({ id: META_ID, event_id: 'view-1', initiator: { kind: 'page' } });
    expect(rendering.phases.map(({ phase, decision, complete }) => [phase, decision, complete])).toEqual([
      ['load', null, true],
      ['deny', 'shopify', true],
      ['accept', 'shopify', true],
    ]);
    expect(rendering.phases[0]!.cookies).toEqual([{ name: 'session', domain: 'shop.example' }]);
    for (const { storage } of rendering.phases) expect(storage).toContain('visitor');

    expect(meta.consent.signals).toEqual({ dpo: 'LDU', dpoco: '0', dpost: '0' });
    // These are the positions of the calls, not of the code that forwards them.
    expect(meta.initiator).toMatchObject({ url: null, line: 7, column: 1 });
    expect(google('load').initiator).toMatchObject({ kind: 'container', id: 'G-ABCDEFGH12', line: 14, column: 1 });
    const calls = rendering.calls.filter(({ phase }) => phase === 'load');
    expect(
      calls.map(({ queue, command, name }) => [queue, command, name].filter(each => each !== null).join(' ')),
    ).toEqual(
      expect.arrayContaining([
        ...['fbq init 918273645546372', 'fbq track PageView', 'dataLayer config G-ABCDEFGH12', 'ga send pageview'],
        ...['ttq track ViewContent', 'klaviyo track Viewed Product', '_learnq identify', 'dataLayer framed'],
      ]),
    );
    const call = (queue: string, command: string) =>
      calls.find(each => each.queue === queue && each.command === command);
    expect(call('fbq', 'track')!.parameters).toEqual({ content_name: 'Gift for [email]', value: '5' });
    expect(call('ttq', 'track')!.parameters).toEqual({ value: '5' });
    expect(call('dataLayer', 'framed')).toMatchObject({ framed: true, parameters: { event: 'framed', value: '5' } });
    expect(call('fbq', 'track')!.framed).toBe(false);
    const shown = JSON.stringify(rendering, (name, value) =>
      name === 'requests' ? undefined : value instanceof Map ? Object.fromEntries(value) : value,
    );
    expect(shown).not.toContain('ana@');

    const { traffic } = joinRendering(scan(capture(SHOP), { asOf: '2026-11-23', profile: 'eea' }), rendering);
    expect(traffic.map(({ code, vendor }) => `${code} ${vendor}`)).toEqual(
      expect.arrayContaining(['sent_before_choice meta', 'sent_after_denial meta', 'unknown_tag microsoft']),
    );
    expect(traffic.filter(({ vendor }) => vendor === 'google')).toEqual([]);
  });

  it('shows a duplicate base code as duplicate page views, even if both views are sent at the same time', async () => {
    const page = capture(`<html><head>${PAGE_VIEW}${PAGE_VIEW}</head></html>`);
    const rendering = await render({ saved: page });
    const views = rendering.beacons.filter(({ phase, event }) => phase === 'load' && event === 'PageView');
    expect(views.map(({ id }) => id)).toEqual([META_ID, META_ID]);
    const { findings } = joinRendering(scan(page, { asOf: '2026-11-23' }), rendering);
    expect(findings).toContainEqual(
      expect.objectContaining({ rule_id: 'meta_pixel_duplicate_init', verdict: 'confirmed' }),
    );
  });

  it('stops being rendered when it floods the recorder with requests', async () => {
    const { cut, beacons } = await render({
      saved: capture("<script>for(let i=0;i<2000;i++)fetch('https://www.facebook.com/tr/?id=1&ev=X&n='+i)</script>"),
    });
    expect(cut).toBe('requests');
    expect(beacons.length).toBeLessThanOrEqual(500);
  });
});
