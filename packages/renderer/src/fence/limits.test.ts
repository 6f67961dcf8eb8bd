import { type ChromiumFiles, findChromium } from '@compliance/chromium';
import { createForwardProxy, defaultCrawlLimits } from '@compliance/crawler';
import { inspectKernelIsolation } from '@compliance/crawler/pool';
import { createNetwork } from '@compliance/crawler/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTabHost } from '../browser/tab.ts';
import { launchFenced } from './launch.ts';
import { processTree, readProc } from './process-tree.ts';

const WALL_MS = 3_000;

/** Pages that try to exhaust the machine. */
const BOMBS = {
  'DOM bomb in an endless loop': '<script>for(;;)document.body.append(document.createElement("div"))</script>',
  'dialog and fetch storm':
    '<script>setInterval(()=>{for(let i=0;i<200;i++)fetch("/"+Math.random());alert(1)},1)</script>',
  'memory outside the JavaScript heap': '<script>const kept=[];for(;;)kept.push(new Uint8Array(16e6).fill(1))</script>',
  'memory in many workers':
    '<script>for(let i=0;i<8;i++)new Worker(URL.createObjectURL(new Blob(["const kept=[];for(;;)kept.push(new Array(1e5).fill(Math.random()))"])))</script>',
  '1,000 workers':
    '<script>const u=URL.createObjectURL(new Blob(["for(;;);"]));for(let i=0;i<1000;i++)new Worker(u)</script>',
} as const;

let chromium: ChromiumFiles;
const network = createNetwork();

beforeAll(async () => {
  chromium = await findChromium();
});
afterAll(async () => {
  await chromium?.remove();
  await network.close();
});

describe.runIf(process.platform === 'linux')('a browser that runs a hostile page', () => {
  it.each(Object.entries(BOMBS))(
    'ends in time, uses at most 1 GiB, and leaves no process behind: %s',
    async (_name, html) => {
      const tabs = createTabHost();
      let requests = 0;
      const browser = await launchFenced({
        chromium,
        proxy: createForwardProxy(network.transport, { limits: { ...defaultCrawlLimits, refusalMs: 0 } }),
        kernel: inspectKernelIsolation(),
        limits: { memoryMb: 640, processes: 40, threads: 600, wallMs: WALL_MS },
        userAgent: 'limits',
        onEvent: tabs.receive,
      });
      const [pid] = processTree(process.pid).filter(each =>
        readProc(each, 'cmdline').includes('remote-debugging-pipe'),
      );
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
      tab.navigate('https://shop.example/').catch(() => {});
      await browser.ended;
      const ms = performance.now() - start;
      const { memoryMb } = browser.peak();
      await browser.close();
      expect(ms).toBeLessThan(WALL_MS + 1_000);
      expect(memoryMb).toBeLessThanOrEqual(1_024);
      expect(processTree(pid!)).toEqual([]);
    },
  );
});
