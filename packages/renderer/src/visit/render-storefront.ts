import type { ChromiumFiles } from '@compliance/chromium';
import {
  type Capture,
  failedRequest,
  type JourneyStep,
  type Phase,
  type QueueCall,
  type RecordedBeacon,
  type RenderedPage,
} from '@compliance/core/pixel';
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
import { createTabHost } from '../browser/tab.ts';
import { browserAgent } from '../browser/user-agent.ts';
import { launchFenced } from '../fence/launch.ts';
import type { FenceLayers } from '../fence/layers.ts';
import { NO_TRANSPORT } from '../fence/no-transport.ts';
import type { ProcessLimits, ProcessUse } from '../fence/watch.ts';
import type { RecordedRequest } from '../record/visit-requests.ts';
import { livePage, type PageSource } from './page-source.ts';
import { savedPage, withoutFragment } from './saved-page.ts';
import { BrowserGone, type StepScreenshot, startVisit, type Visit } from './visit.ts';

/** A page to render: a live page, or a saved copy, which is rendered without network access. */
export type PageToRender =
  | { readonly saved: Capture }
  | {
      readonly url: string;
      /** Returns whether the site's robots.txt file allows a URL. Must not reject. */
      readonly allows: (url: URL) => Promise<boolean>;
    };

/** Options for {@link renderStorefront}. */
export interface RenderOptions {
  readonly chromium: ChromiumFiles;
  readonly kernel: KernelIsolation;
  /** Network access for live pages. Saved pages never use it. */
  readonly transport: Transport;
  /** Text to add to the browser's own user agent, so that site owners can recognize the scanner. */
  readonly userAgent: string;
  /** Steps to take in the storefront after each consent choice. By default, only the page itself is rendered. */
  readonly journey?: readonly JourneyStep[];
  /** Whether to take a screenshot of the page at the end of each step. */
  readonly screenshots?: boolean;
  readonly limits?: Partial<ProcessLimits>;
  /** Overrides for the default limits on the browser's connections. */
  readonly connectionLimits?: Partial<CrawlLimits>;
  readonly targetRate?: TargetRate;
  /** Time without browser events after which a page counts as quiet, in milliseconds. The default is 1,000. */
  readonly quietMs?: number;
  /** Maximum time until a page is quiet, in milliseconds. The default is 6,000. */
  readonly settleMs?: number;
}

/** A rendered page, with the fence's layers, the browser's peak resource usage, and its connections. */
export interface Rendering extends RenderedPage {
  readonly requests: readonly RecordedRequest[];
  readonly screenshots: readonly StepScreenshot[];
  readonly layers: FenceLayers;
  readonly peak: ProcessUse;
  /** Hosts that the browser connected to or tried to connect to. */
  readonly connections: readonly ProxyConnection[];
}

/** A browser behind the fence that renders pages of one site. */
export interface Renderer {
  /** Renders a page. Several pages can be rendered at the same time. They share the browser's limits. */
  render(page: PageToRender, journey?: readonly JourneyStep[]): Promise<Rendering>;
  close(): Promise<void>;
}

/** Default limits for a rendering. The memory limit leaves room for allocations between measurements. */
export const defaultRenderLimits: ProcessLimits = { memoryMb: 640, processes: 80, threads: 600, wallMs: 60_000 };

/** Time limit for a rendering with a journey, in milliseconds. */
const JOURNEY_MS = 120_000;

/** Limits for the connections of one rendering. */
const PROXY_LIMITS: CrawlLimits = {
  ...defaultCrawlLimits,
  requests: 300,
  requestsPerHost: 60,
  totalBytes: 60_000_000,
};

const QUIET_MS = 1_000;

/** Maximum time until a page is quiet, in milliseconds. */
const SETTLE_MS = 6_000;

/**
 * Renders a page behind the fence: once without a consent choice, once after declining, and once after accepting. If a
 * journey is specified, also takes the journey's steps after each choice. Returns the beacons that the browser sends in
 * each phase and step. Beacons are recorded but not delivered, so that a rendering doesn't appear in the shop's
 * analytics. There's one exception: if a live page is rendered, beacons that a new process sends before the recorder
 * attaches to the process are delivered through the proxy.
 *
 * @throws Error if the browser can't be started
 * @example
 * const rendering = await renderStorefront({ saved: capture }, { chromium, kernel, transport: publicTransport, userAgent });
 * rendering.beacons.filter(({ phase }) => phase === 'deny')
 */
export async function renderStorefront(page: PageToRender, options: RenderOptions): Promise<Rendering> {
  const renderer = await openRenderer(page, options);
  try {
    return await renderer.render(page, options.journey);
  } finally {
    await renderer.close();
  }
}

/**
 * Starts a browser for the pages of one site, or for saved pages. Pages of different sites must not share a browser.
 *
 * @param first a page of the site
 * @throws Error if the browser can't be started
 * @example const renderer = await openRenderer(page, options); try { await renderer.render(page) } finally { await renderer.close() }
 */
export async function openRenderer(first: PageToRender, options: RenderOptions): Promise<Renderer> {
  const { screenshots = false, quietMs = QUIET_MS, settleMs = SETTLE_MS } = options;
  const wallMs = options.journey ? JOURNEY_MS : defaultRenderLimits.wallMs;
  const limits = { ...defaultRenderLimits, wallMs, ...options.limits };
  const isOffline = 'saved' in first;
  const connections: ProxyConnection[] = [];
  const unresolved = new Set<string>();
  const tabs = createTabHost();
  const browser = await launchFenced({
    chromium: options.chromium,
    proxy: createForwardProxy(isOffline ? NO_TRANSPORT : notingUnresolved(options.transport, unresolved), {
      limits: {
        ...{ ...PROXY_LIMITS, totalMs: limits.wallMs },
        ...(isOffline && { refusalMs: 0 }),
        ...options.connectionLimits,
      },
      site: siteOf(new URL(sourceOf(first).url)),
      ...(options.targetRate && { targetRate: options.targetRate }),
      onConnection: connection => connections.push(connection),
    }),
    kernel: options.kernel,
    limits,
    userAgent: `${browserAgent(options.chromium.executable)} ${options.userAgent}`,
    onEvent: tabs.receive,
  });
  let layers: FenceLayers | undefined;
  return {
    close: browser.close,
    async render(page, journey = []) {
      const source = sourceOf(page);
      const visits = (['deny', 'accept'] as const).map(choice =>
        startVisit({
          ...{ browser, tabs, source, choice, journey, screenshots, quietMs, settleMs },
          onPage: () => {
            layers ??= browser.layers();
          },
        }),
      );
      const cut: RenderedPage['cut'] = await Promise.race([
        Promise.all(visits.map(({ done }) => done)).then(
          () => null,
          (error: unknown) => (error instanceof BrowserGone ? ('crash' as const) : raise(error)),
        ),
        browser.ended.then(limit => limit ?? ('crash' as const)),
        Promise.race(visits.map(({ flooded }) => flooded)).then(() => 'requests' as const),
      ]);
      return {
        ...{ url: source.url, stubbed: source.isSaved, cut, ...recorded(visits, unresolved) },
        ...{ layers: layers ?? browser.layers(), peak: browser.peak(), connections },
      };
    },
  };
}

/** Returns a transport that also collects the hostnames that don't resolve. */
const notingUnresolved = (transport: Transport, unresolved: Set<string>): Transport => ({
  ...transport,
  async resolve(hostname, signal) {
    const addresses = await transport.resolve(hostname, signal);
    if (addresses.length === 0) unresolved.add(hostname);
    return addresses;
  },
});

const sourceOf = (page: PageToRender): PageSource =>
  'saved' in page ? savedPage(page.saved) : livePage(withoutFragment(page.url), page.allows);

function raise(error: unknown): never {
  throw error;
}

const PHASES: readonly Phase[] = ['load', 'deny', 'accept'];

/** Combines the recordings of concurrent visits, and sorts them by phase. */
function recorded(
  visits: readonly Visit[],
  unresolved: ReadonlySet<string>,
): Omit<Rendering, 'url' | 'stubbed' | 'cut' | 'layers' | 'peak' | 'connections'> {
  let views = 0;
  const beacons: RecordedBeacon[] = [];
  const calls: QueueCall[] = [];
  const requests: RecordedRequest[] = [];
  for (const visit of visits) {
    // Each visit counts its own page views.
    const before = views;
    const numbered = <Each extends { readonly view: number }>(each: Each): Each => ({
      ...each,
      view: each.view + before,
    });
    beacons.push(...visit.beacons().map(numbered));
    calls.push(...visit.calls().map(numbered));
    requests.push(...visit.requests().map(numbered));
    views += visit.views();
  }
  const phases = visits.flatMap(visit => visit.phases);
  const screenshots = visits.flatMap(visit => visit.screenshots);
  const order = <Each extends { readonly phase: Phase }>(all: readonly Each[]): Each[] =>
    PHASES.flatMap(phase => all.filter(each => each.phase === phase));
  const failures = requests.flatMap(({ url, body, response, error, blocked, phase, step }) => {
    const isUnresolved = error !== null && unresolved.has(URL.parse(url)?.hostname ?? '');
    const status = response?.status ?? null;
    const failure = failedRequest({ ...{ url, body, status, blocked }, unresolved: isUnresolved });
    return failure ? [{ ...failure, phase, step }] : [];
  });
  return {
    ...{ phases: order(phases), beacons: order(beacons), calls: order(calls), failures: order(failures) },
    ...{ requests: order(requests), screenshots: order(screenshots) },
  };
}
