import type { ChromiumFiles } from '@compliance/chromium';
import { createForwardProxy, defaultCrawlLimits } from '@compliance/crawler';
import type { KernelIsolation } from '@compliance/crawler/pool';
import { createTabHost } from '../browser/tab.ts';
import { launchFenced } from './launch.ts';
import type { FenceLayers } from './layers.ts';
import { NO_TRANSPORT } from './no-transport.ts';

/** Layers that isolate the browser from the network and from this machine. Only namespaces provide all of them. */
export const ISOLATING_LAYERS = [
  'noRoutes',
  'ownProcesses',
  'ownFiles',
  'unprivileged',
] as const satisfies readonly (keyof FenceLayers)[];

/** Limits for a browser that opens only an empty page. */
const LIMITS = { memoryMb: 640, processes: 40, threads: 600, wallMs: 30_000 };

/**
 * Starts a browser behind the fence, with no network access, opens an empty page, and returns which layers are active.
 *
 * @throws Error if the browser doesn't start
 * @example (await probeFence({ chromium, kernel: inspectKernelIsolation() })).noRoutes // true
 */
export async function probeFence(options: {
  readonly chromium: Omit<ChromiumFiles, 'remove'>;
  readonly kernel: KernelIsolation;
}): Promise<FenceLayers> {
  const tabs = createTabHost();
  const proxy = createForwardProxy(NO_TRANSPORT, { limits: { ...defaultCrawlLimits, totalMs: LIMITS.wallMs } });
  const browser = await launchFenced({ ...options, proxy, limits: LIMITS, userAgent: 'probe', onEvent: tabs.receive });
  try {
    const tab = await tabs.open(browser, { handle: () => 'fail' });
    // Once the page has evaluated an expression, its process is sandboxed.
    await tab.evaluate('1');
    return browser.layers();
  } finally {
    await browser.close();
  }
}

/**
 * Returns the missing isolation layers. Without them, a page that takes over the browser could reach the network or
 * this machine.
 *
 * @example missingIsolation(layers) // ['noRoutes', 'ownProcesses', 'ownFiles']
 */
export const missingIsolation = (layers: FenceLayers): (keyof FenceLayers)[] =>
  ISOLATING_LAYERS.filter(name => !layers[name]);
