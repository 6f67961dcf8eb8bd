import { setTimeout as wait } from 'node:timers/promises';
import type { ChromiumFiles } from '@compliance/chromium';
import type { Capture, Phase, PhaseRecord, RenderedPage } from '@compliance/core/pixel';
import {
  type CrawlLimits,
  createForwardProxy,
  defaultCrawlLimits,
  type ProxyConnection,
  siteOf,
  type TargetRate,
  type Transport,
} from '@compliance/crawler';
import type { KernelIsolation } from '@compliance/crawler/pool';
import { createTabHost, type Handling, type PausedRequest, type Tab, type TabHost } from '../browser/tab.ts';
import { type FencedBrowser, launchFenced } from '../fence/launch.ts';
import type { FenceLayers } from '../fence/layers.ts';
import type { ProcessLimits, ProcessUse } from '../fence/watch.ts';
import { createRecorder, type Recorder } from '../record/recorder.ts';
import { chooseConsent, PRIVACY_API } from './choose-consent.ts';
import { servedFrom } from './saved-page.ts';

/** A page to render: a URL, or a saved copy, which is rendered without network access. */
export type PageToRender = { readonly saved: Capture } | { readonly url: string };

/** Options for {@link renderStorefront}. */
export interface RenderOptions {
  readonly chromium: ChromiumFiles;
  readonly kernel: KernelIsolation;
  /** Network access for live pages. Saved pages never use it. */
  readonly transport: Transport;
  /** Added to the browser's own user agent, so that site owners can recognize the scanner. */
  readonly userAgent: string;
  readonly limits?: Partial<ProcessLimits>;
  readonly targetRate?: TargetRate;
}

/** A rendered page, with the fence's layers, the browser's peak use of resources, and its connections. */
export interface Rendering extends RenderedPage {
  readonly layers: FenceLayers;
  readonly peak: ProcessUse;
  /** Hosts that the browser connected to or tried to connect to. */
  readonly connections: readonly ProxyConnection[];
}

/** Default limits for a rendering. The memory limit leaves room for allocations between two measurements. */
export const defaultRenderLimits: ProcessLimits = { memoryMb: 640, processes: 40, threads: 600, wallMs: 60_000 };

/** Limits for the connections of one rendering. */
const PROXY_LIMITS: CrawlLimits = {
  ...defaultCrawlLimits,
  requests: 300,
  requestsPerHost: 60,
  totalBytes: 60_000_000,
  totalMs: 60_000,
};

/** The browser's user agent, so that sites send the same pages as to other browsers. */
const BROWSER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/153.0.0.0 Safari/537.36';

/** Time without browser events after which a page counts as quiet, in milliseconds. */
const QUIET_MS = 1_000;
const MAX_SETTLE_MS = 6_000;

/** Access for saved pages: every connection is refused. */
const NO_TRANSPORT: Transport = {
  resolve: async () => [],
  isAllowed: () => false,
  dial: async () => {
    throw new Error('A saved page has no network access.');
  },
};

/** Paths that a visit never opens, because they belong to an order or an account. */
const NEVER_OPENED = /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:checkouts?|account|orders|payments?)(?:\/|$)/i;

/**
 * Renders a page behind the fence: once without a choice about tracking, once after declining, and once after accepting.
 * Returns the beacons that the browser sends in each phase. Beacons are recorded but not delivered, so that a rendering
 * doesn't appear in the shop's statistics. The exceptions are beacons that a new process sends before the recorder attaches to
 * it: for a live page, they're delivered through the proxy.
 *
 * @throws Error if the browser can't be started
 * @example
 * const rendering = await renderStorefront({ saved: capture }, { chromium, kernel, transport: publicTransport, userAgent });
 * rendering.beacons.filter(({ phase }) => phase === 'deny')
 */
export async function renderStorefront(page: PageToRender, options: RenderOptions): Promise<Rendering> {
  const isSaved = 'saved' in page;
  const url = isSaved ? page.saved.finalUrl : page.url;
  const connections: ProxyConnection[] = [];
  const tabs = createTabHost();
  const browser = await launchFenced({
    chromium: options.chromium,
    proxy: createForwardProxy(isSaved ? NO_TRANSPORT : options.transport, {
      limits: { ...PROXY_LIMITS, ...(isSaved && { refusalMs: 0 }) },
      site: siteOf(new URL(url)),
      ...(options.targetRate && { targetRate: options.targetRate }),
      onConnection: connection => connections.push(connection),
    }),
    kernel: options.kernel,
    limits: { ...defaultRenderLimits, ...options.limits },
    userAgent: `${BROWSER_AGENT} ${options.userAgent}`,
    onEvent: tabs.receive,
  });
  try {
    const recorder = createRecorder();
    const visit: Visit = {
      ...{ browser, tabs, recorder, url, phases: [] },
      respond: isSaved ? servedFrom(page.saved) : onSite(url),
      initScript: isSaved ? PRIVACY_API : undefined,
    };
    const cut: RenderedPage['cut'] = await Promise.race([
      runVisits(visit).then(
        () => null,
        (error: unknown) => (error instanceof BrowserGone ? ('crash' as const) : raise(error)),
      ),
      browser.ended.then(limit => limit ?? ('crash' as const)),
      recorder.flooded.then(() => 'requests' as const),
    ]);
    return {
      ...{ url, phases: visit.phases, beacons: recorder.beacons(), stubbed: isSaved, cut },
      ...{ layers: visit.layers ?? browser.layers(), peak: browser.peak(), connections },
    };
  } finally {
    await browser.close();
  }
}

interface Visit {
  readonly browser: FencedBrowser;
  readonly tabs: TabHost;
  readonly recorder: Recorder;
  readonly url: string;
  readonly phases: PhaseRecord[];
  readonly respond: (request: PausedRequest) => Handling;
  readonly initScript: string | undefined;
  layers?: FenceLayers;
}

class BrowserGone extends Error {}

function raise(error: unknown): never {
  throw error;
}

/** Runs all phases. Each choice gets its own tab, which has no cookies or storage from the other choice. */
async function runVisits(visit: Visit): Promise<void> {
  for (const choice of ['deny', 'accept'] as const) {
    const tab = await openTab(visit);
    try {
      if (choice === 'deny') await runPhase(visit, tab, 'load', async () => null);
      else {
        await load(visit, tab);
        await settled(visit.recorder);
      }
      visit.layers ??= visit.browser.layers();
      await runPhase(visit, tab, choice, async () => {
        const decision = await chooseConsent(tab, choice);
        await settled(visit.recorder);
        return decision;
      });
    } finally {
      await tab.close();
    }
  }
}

async function openTab({ browser, tabs, recorder, respond, initScript }: Visit): Promise<Tab> {
  const handle = (request: PausedRequest): Handling => {
    if (!/^https?:/.test(request.url)) return 'continue';
    if (!recorder.record(request)) return respond(request);
    const headers = {
      'access-control-allow-origin': request.headers.Origin ?? '*',
      'access-control-allow-credentials': 'true',
    };
    // Some libraries send an event again if its image fails.
    return request.type === 'Image'
      ? { status: 200, headers: { ...headers, 'content-type': 'image/gif' }, body: PIXEL }
      : { status: 204, headers };
  };
  return await tabs
    .open(browser, { handle, onEvent: recorder.observe }, initScript)
    .catch(error => Promise.reject(new BrowserGone(String(error))));
}

/** Records one phase: the choice, if any, and then a page view. */
async function runPhase(
  visit: Visit,
  tab: Tab,
  phase: Phase,
  choose: () => Promise<PhaseRecord['decision']>,
): Promise<void> {
  const { recorder, browser, phases } = visit;
  recorder.start(phase);
  const decision = await choose();
  const hasResponse = await load(visit, tab);
  const isQuiet = await settled(recorder);
  // Otherwise, a page that returns an error in only one phase would seem to have stopped sending events.
  const complete = hasResponse && isQuiet && recorder.hasPage();
  const requests = recorder.requests();
  recorder.stop();
  const { cookies } = await browser.cdp
    .send('Storage.getCookies', { browserContextId: tab.contextId })
    .catch(() => ({ cookies: [] }));
  phases.push({
    ...{ phase, decision, complete, requests },
    cookies: cookies.slice(0, MAX_COOKIES).map(({ name, domain }) => ({ name: name.slice(0, 100), domain })),
  });
}

const MAX_COOKIES = 200;

/** Transparent GIF with one pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

/** Loads the page. Returns whether the browser got a response. */
async function load({ url, recorder }: Visit, tab: Tab): Promise<boolean> {
  recorder.view();
  return await tab.navigate(url);
}

/** Waits until the page has loaded and is quiet. Returns false if it isn't quiet in time. */
async function settled(recorder: Recorder): Promise<boolean> {
  const end = performance.now() + MAX_SETTLE_MS;
  while (performance.now() < end) {
    await wait(50);
    if (recorder.quietMs() >= QUIET_MS) return true;
  }
  return false;
}

/** Lets a live page load from the network, but keeps the tab on its site and away from orders and accounts. */
function onSite(url: string): (request: PausedRequest) => Handling {
  const site = siteOf(new URL(url));
  return ({ url: target, method, navigatesTab }) => {
    if (!navigatesTab) return 'continue';
    const { pathname } = new URL(target);
    const isAllowed = siteOf(new URL(target)) === site && method === 'GET' && !NEVER_OPENED.test(pathname);
    return isAllowed ? 'continue' : 'fail';
  };
}
