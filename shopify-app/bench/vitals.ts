import '../src/as-production.ts';
import { loadavg } from 'node:os';
import { launchBrowser } from '@compliance/browser';
import type { Frame, Page } from 'playwright-core';
import { API_KEY } from '../stand-in/admin/tokens.ts';
import { BROWSER_ARGS, routeStandIn, USER_AGENT } from '../stand-in/frame/route.ts';
import { serveAppForBrowsers } from '../stand-in/serve-app.ts';
import { SCREENS, type Seen, watch } from './screens.ts';
import { createShopInUse } from './shop-in-use.ts';

/**
 * What a merchant feels: `pnpm --filter shopify-app vitals [screen]`. It builds nothing. Each screen is opened in a process of
 * its own, pressed once soon after its first paint, each time at another moment of its start, and then used. All is done by the
 * browser's own mouse and keys; an interaction is as long as the event timing API says, from the finger to the next paint.
 */

/** How much slower the processor is made. */
const THROTTLE = 4;
const LIMITS = { lcp: 2_500, cls: 0.1, inp: 200 };
/** When a screen is pressed, one round each, in milliseconds from its first paint: while it starts, and when it just has. */
const MOMENTS = [0, 50, 100, 200, 400, 800];
/** By then a browser has put away the page before. */
const PUT_AWAY_MS = 1_500;
/** By then it has settled. */
const SETTLED_MS = 1_500;

type Vitals = Record<keyof typeof LIMITS | 'atOnce', number>;

const [only] = process.argv.slice(2);
const { world, domain, pages } = await createShopInUse();
const app = await serveAppForBrowsers(world.standIn, { dataDir: world.dataDir, jobsAtOnce: 0 });
const browser = await launchBrowser(BROWSER_ARGS);
const context = await browser.newContext({ userAgent: USER_AGENT, viewport: { width: 1280, height: 860 } });
await routeStandIn(context, world.standIn, app.url);
await context.addInitScript(watch);
const admin = `https://admin.shopify.com/store/${domain.replace('.myshopify.com', '')}/apps/${API_KEY}`;

async function measured(name: string, moment: number): Promise<Vitals> {
  const { first, use } = SCREENS[name]!;
  // A process of its own, and the admin stands in it before the app is opened, as it does for a merchant: a browser puts the
  // page before away one second later, which alone takes longer than a press may.
  const page = await context.newPage();
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
  const seen = () => frame.evaluate<Seen>('globalThis.seen');
  const { lcp, events } = await seen();

  await use(inFrame, page);
  await page.waitForTimeout(300);
  const after = await seen();
  await world.store.shop(domain).jobs.cancel();
  await page.close();
  // When its styles come, a browser may tell a shift of what it had laid out without them and never showed.
  const cls = after.shifts.reduce((sum, { at, value }) => (at < after.painted! ? sum : sum + value), 0);
  const longest = (durations: readonly number[]) => Math.max(0, ...durations);
  return { lcp, cls, inp: longest(after.events), atOnce: longest(events) };
}

/** The app's frame once it shows something. Nothing is looked for before: that would lay out a page that has no styles yet. */
async function painted(page: Page): Promise<Frame> {
  for (;;) {
    const frame = page.frame({ name: 'app' });
    // A frame may go while it is asked.
    if (await frame?.evaluate<number | null>('globalThis.seen?.painted').catch(() => null)) return frame!;
    await page.waitForTimeout(5);
  }
}

process.stdout.write(`processor ${THROTTLE} times slower, ${MOMENTS.length} visits; load of this machine ${loadavg()[0]!.toFixed(1)}
limits: LCP ${LIMITS.lcp} ms, CLS ${LIMITS.cls}, INP ${LIMITS.inp} ms, each at the 75th percentile of the visits; beside them the worst
press while a page starts\n`);
for (const name of Object.keys(SCREENS)) {
  if (only && only !== name) continue;
  const visits: Vitals[] = [];
  for (const moment of MOMENTS) visits.push(await measured(name, moment));
  const sorted = (vital: keyof Vitals) => visits.map(visit => visit[vital]).sort((a, b) => a - b);
  const p75 = (vital: keyof Vitals) => sorted(vital)[Math.ceil(0.75 * visits.length) - 1]!;
  const over = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).filter(vital => p75(vital) > LIMITS[vital]);
  if (over.length > 0) process.exitCode = 1;
  process.stdout.write(
    `${name.padEnd(20)} LCP ${Math.round(p75('lcp'))} ms, CLS ${p75('cls').toFixed(3)}, INP ${p75('inp')} ms (${sorted('atOnce').at(-1)} ms)${over.length > 0 ? `  OVER: ${over.join(', ')}` : ''}\n`,
  );
}
await browser.close();
await app.stop();
await world.close();
