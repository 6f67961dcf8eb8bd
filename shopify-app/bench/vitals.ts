import '../src/set-node-env.ts';
import { loadavg } from 'node:os';
import { launchBrowser } from '@compliance/browser';
import { API_KEY } from '@compliance/fake-shopify';
import { BROWSER_ARGS, routeFakeShopify, USER_AGENT } from '@compliance/fake-shopify/browser';
import type { Frame, Page } from 'playwright-core';
import { serveAppForBrowsers } from '../test/serve-app.ts';
import { createPopulatedShop } from './populated-shop.ts';
import { observeVitals, SCREENS, type TimedEvent, type VitalsRecord } from './screens.ts';

/**
 * Measures each screen's web vitals: `pnpm --filter shopify-app vitals [screen]`. The app must already be built. For
 * each visit, the command opens the screen in its own browser process, clicks once after the first paint, and then
 * performs a typical interaction. The first click occurs at a different time in each visit. All clicks and keystrokes
 * go through the browser's own mouse and keyboard handling, and the Event Timing API measures each interaction from the
 * input to the next paint.
 */

/** CPU slowdown factor. */
const THROTTLE = 4;
const LIMITS = { lcp: 2_500, cls: 0.1, inp: 200 };
/**
 * Delay, in milliseconds, between the first paint and the click in each visit to a screen. Some clicks occur during
 * startup, and others occur just after startup.
 */
const MOMENTS = [0, 50, 100, 200, 400, 800];
/** Time, in milliseconds, that the browser needs to discard the previous page. */
const PUT_AWAY_MS = 1_500;
/** Time, in milliseconds, to wait before assuming that a screen is idle. */
const SETTLED_MS = 1_500;

/**
 * Measurements of one visit, with its slowest event and the duration of the slowest event caused by the first click.
 */
type Vitals = Record<keyof typeof LIMITS | 'atOnce', number> & { readonly slowest: TimedEvent };

/** Errors in the browser console, for example because an update arrived before React hydrated the page. */
const errors = new Set<string>();

const [only] = process.argv.slice(2);
const { harness, domain, pages } = await createPopulatedShop();
const app = await serveAppForBrowsers(harness.fakeShopify, { dataDir: harness.dataDir, jobsAtOnce: 0 });
const browser = await launchBrowser(BROWSER_ARGS);
const context = await browser.newContext({ userAgent: USER_AGENT, viewport: { width: 1280, height: 860 } });
await routeFakeShopify(context, harness.fakeShopify, app.url);
await context.addInitScript(observeVitals);
const admin = `https://admin.shopify.com/store/${domain.replace('.myshopify.com', '')}/apps/${API_KEY}`;

async function measured(name: string, moment: number): Promise<Vitals> {
  const { first, use } = SCREENS[name]!;
  // Open each page in its own process, and load the admin before the app, as when a merchant opens the app. Then wait,
  // because the browser discards the previous page one second later, and an interaction during that time would exceed
  // the limit.
  const page = await context.newPage();
  page.on('console', message => message.type() === 'error' && errors.add(message.text()));
  page.on('pageerror', error => errors.add(error.message));
  const slow = await context.newCDPSession(page);
  const isOfApp = ({ origin }: URL) => origin === new URL(app.url).origin;
  await page.route(isOfApp, route => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(`${admin}${pages[name]}`);
  await page.waitForTimeout(PUT_AWAY_MS);
  await page.unroute(isOfApp);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  await page.evaluate("document.querySelector('iframe').src += ''");
  const inFrame = page.frameLocator('iframe[name="app"]');
  const frame = await painted(page);
  const target = first(inFrame);
  const { x, y } = (await target.boundingBox())!;
  await page.waitForTimeout(moment);
  await page.mouse.click(x + 5, y + 5);
  await page.waitForTimeout(SETTLED_MS);
  const seen = () => frame.evaluate<VitalsRecord>('globalThis.seen');
  const { lcp, events } = await seen();

  await use(inFrame, page);
  await page.waitForTimeout(300);
  const after = await seen();
  await harness.store.shop(domain).jobs.cancel();
  await page.close();
  // Ignore shifts before the first paint: when stylesheets load, the browser can report a shift of a layout that was
  // never painted.
  const cls = after.shifts.reduce((sum, { at, value }) => (at < after.painted! ? sum : sum + value), 0);
  const slowest = slowestOf(after.events);
  return { lcp, cls, inp: slowest.ms, atOnce: slowestOf(events).ms, slowest };
}

const slowestOf = (events: readonly TimedEvent[]): TimedEvent =>
  events.reduce((slowest, event) => (event.ms > slowest.ms ? event : slowest), { ms: 0, name: 'none' });

/**
 * Returns the app's frame after its first paint. Doesn't query the document before the first paint, because a query
 * would force a layout without styles.
 */
async function painted(page: Page): Promise<Frame> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    if (Date.now() > deadline) throw new Error('The app did not paint within a minute.');
    const frame = page.frame({ name: 'app' });
    // The browser might replace the frame during the call.
    if (await frame?.evaluate<number | null>('globalThis.seen?.painted').catch(() => null)) return frame!;
    await page.waitForTimeout(5);
  }
}

process.stdout.write(`CPU slowdown: ${THROTTLE}×. Visits per screen: ${MOMENTS.length}. Load average: ${loadavg()[0]!.toFixed(1)}.
75th-percentile limits: LCP ${LIMITS.lcp} ms, CLS ${LIMITS.cls}, INP ${LIMITS.inp} ms.
The time in parentheses is the longest response time for the first click.\n`);
for (const name of Object.keys(SCREENS)) {
  if (only && only !== name) continue;
  const visits: Vitals[] = [];
  for (const moment of MOMENTS) visits.push(await measured(name, moment));
  const sorted = (vital: keyof typeof LIMITS | 'atOnce') => visits.map(visit => visit[vital]).sort((a, b) => a - b);
  const p75 = (vital: keyof typeof LIMITS) => sorted(vital)[Math.ceil(0.75 * visits.length) - 1]!;
  const over = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).filter(vital => p75(vital) > LIMITS[vital]);
  if (over.length > 0) process.exitCode = 1;
  const slowest = slowestOf(visits.map(visit => visit.slowest));
  process.stdout.write(
    `${name.padEnd(20)} LCP ${Math.round(p75('lcp'))} ms, CLS ${p75('cls').toFixed(3)}, INP ${p75('inp')} ms (${sorted('atOnce').at(-1)} ms); slowest event: ${slowest.name}, ${slowest.ms} ms${over.length > 0 ? `  OVER: ${over.join(', ')}` : ''}\n`,
  );
}
for (const error of errors) {
  process.exitCode = 1;
  process.stdout.write(`Browser error: ${error}\n`);
}
await browser.close();
await app.stop();
await harness.close();
