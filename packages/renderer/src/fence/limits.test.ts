import { spawnSync } from 'node:child_process';
import { type ChromiumFiles, findChromium } from '@compliance/chromium';
import { createForwardProxy, defaultCrawlLimits } from '@compliance/crawler';
import { inspectKernelIsolation } from '@compliance/crawler/pool';
import { createNetwork } from '@compliance/crawler/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTabHost } from '../browser/tab.ts';
import { BOMBS } from '../testing/bombs.ts';
import { createControlGroup } from './control-group.ts';
import { launchFenced } from './launch.ts';
import { MAX_MEMORY_MB, MAX_TASKS } from './layers.ts';
import { processTree, readProc } from './process-tree.ts';

const WALL_MS = 2_000;

let chromium: ChromiumFiles;
/** Control group that was created and removed to detect which limits the kernel enforces. */
const probe = createControlGroup({ memoryMb: MAX_MEMORY_MB, tasks: MAX_TASKS });
await probe?.remove();
const network = createNetwork();

beforeAll(async () => {
  chromium = await findChromium();
});
afterAll(async () => {
  await chromium?.remove();
  await network.close();
});

/**
 * Opens a hostile page. Returns the limit that the browser exceeded, the time until the browser ended, the browser's
 * peak memory usage, and the remaining processes.
 */
async function explode(html: string, memoryMb: number, wallMs = WALL_MS) {
  const tabs = createTabHost();
  let requests = 0;
  const browser = await launchFenced({
    chromium,
    proxy: createForwardProxy(network.transport, { limits: { ...defaultCrawlLimits, refusalMs: 0 } }),
    kernel: inspectKernelIsolation(),
    limits: { memoryMb, processes: 40, threads: 600, wallMs },
    userAgent: 'limits',
    onEvent: tabs.receive,
  });
  const [pid] = processTree(process.pid).filter(each => readProc(each, 'cmdline').includes('remote-debugging-pipe'));
  const start = performance.now();
  const tab = await tabs.open(browser, {
    handle: () => {
      requests += 1;
      return {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: `<body>${requests === 1 ? html : ''}</body>`,
      };
    },
  });
  const { memoryLimited } = browser.layers();
  tab.navigate('https://shop.example/').catch(() => {});
  const limit = await browser.ended;
  const ms = performance.now() - start;
  const peak = browser.peak().memoryMb;
  await browser.close();
  return { limit, ms, peak, memoryLimited, left: processTree(pid!) };
}

describe.runIf(process.platform === 'linux')('a browser that runs a hostile page', () => {
  it.each(Object.entries(BOMBS))(
    'is stopped in time, uses at most 1 GiB, and leaves no processes behind: %s',
    async (_name, html) => {
      const { ms, peak, left } = await explode(html, 640);
      expect(ms).toBeLessThan(WALL_MS + 1_000);
      expect(peak).toBeLessThanOrEqual(1_024);
      expect(left).toEqual([]);
    },
  );

  it.runIf(probe?.enforced.has('tasks'))('can’t start more processes than the kernel allows', async () => {
    const group = createControlGroup({ memoryMb: MAX_MEMORY_MB, tasks: 10 })!;
    const start = 'for i in 1 2 3 4 5 6 7 8 9 10 11; do sleep 0.2 & done';
    const [command = '', ...args] = group.inGroup(['sh', '-c', start]);
    const { stderr } = spawnSync(command, args, { encoding: 'utf8' });
    await group.remove();
    expect(stderr).toContain('Cannot fork');
  });

  it.runIf(probe?.enforced.has('memoryMb'))(
    'can’t use more than 1 GiB even if the watch doesn’t limit its memory',
    async () => {
      // On a busy machine, allocating 1 GiB can take longer than the time limit used for the other pages.
      const { limit, peak, memoryLimited, left } = await explode(
        BOMBS['memory outside the JavaScript heap'],
        100_000,
        10 * WALL_MS,
      );
      expect([memoryLimited, limit, left]).toEqual([true, 'memory', []]);
      expect(peak).toBeGreaterThan(640);
      expect(peak).toBeLessThanOrEqual(1_024);
    },
  );
});
