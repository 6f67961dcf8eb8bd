// Compares the time to render saved pages in three phases with the time that an ordinary browser takes to load the same
// pages once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type BenchRow, report, show } from '@compliance/bench';
import { type ChromiumFiles, findChromium } from '@compliance/chromium';
import type { Capture } from '@compliance/core/pixel';
import { publicTransport } from '@compliance/crawler';
import { inspectKernelIsolation } from '@compliance/crawler/pool';
import { type Rendering, renderStorefront } from '@compliance/renderer';
import { connectCdp } from '../src/browser/cdp.ts';

const FOLDER = join(import.meta.dirname, '../../../../shared/data/pixel-corpus/pages');
const PAGES = 10;
/** Number of pages rendered at the same time: one per core of the benchmark machine. */
const AT_ONCE = 2;
const LOAD_MS = 15_000;

const seconds = (start: number): number => (performance.now() - start) / 1_000;

const captureOf = (html: string, index: number): Capture => {
  const url = `https://shop${index}.example/`;
  return { url, finalUrl: url, status: 200, headers: {}, html, scripts: [], truncated: false, notes: [] };
};

async function renderAll(chromium: ChromiumFiles, pages: readonly string[]): Promise<Rendering[]> {
  const waiting = pages.map(captureOf).values();
  const renderings: Rendering[] = [];
  const renderNext = async () => {
    for (const saved of waiting)
      renderings.push(
        await renderStorefront(
          { saved },
          { chromium, kernel: inspectKernelIsolation(), transport: publicTransport, userAgent: 'bench' },
        ),
      );
  };
  await Promise.all(Array.from({ length: AT_ONCE }, renderNext));
  return renderings;
}

/** Loads each page once in a browser that runs without the fence and can reach only this process. */
async function loadAll({ executable, fonts }: ChromiumFiles, pages: readonly string[]): Promise<void> {
  const server = createServer((request, response) => {
    const html = pages[Number(request.url?.slice(1))] ?? '';
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const profile = mkdtempSync(join(tmpdir(), 'compliance-bench-'));
  const flags = [
    ...['--headless', '--remote-debugging-pipe', '--no-sandbox', '--disable-gpu', '--no-first-run'],
    ...[`--user-data-dir=${profile}`, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  ];
  const child = spawn(executable, flags, {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(fonts !== null && { FONTCONFIG_PATH: fonts }) },
  });
  let loaded = (): void => {};
  const { send } = connectCdp({ input: child.stdio[3] as Writable, output: child.stdio[4] as Readable }, event => {
    if (event.method === 'Page.loadEventFired') loaded();
  });
  try {
    for (const index of pages.keys()) {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      await send('Page.enable', {}, sessionId);
      const load = new Promise<void>(resolve => {
        loaded = resolve;
        setTimeout(resolve, LOAD_MS).unref();
      });
      await send('Page.navigate', { url: `http://127.0.0.1:${port}/${index}` }, sessionId);
      await load;
      await send('Target.closeTarget', { targetId });
    }
  } finally {
    // Kill the process group. Otherwise, the browser's child processes would keep writing to the profile for a while.
    process.kill(-child.pid!, 'SIGKILL');
    await once(child, 'close');
    server.close();
    server.closeAllConnections();
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function measure(): Promise<BenchRow[]> {
  const what = `${PAGES} saved pages, rendered in three phases`;
  if (!existsSync(FOLDER))
    return [
      { what, value: null, unit: 'ms', details: 'no saved pages next to the checkout (../shared/data/pixel-corpus)' },
    ];
  const files = readdirSync(FOLDER).sort().slice(0, PAGES);
  const pages = files.map(file => readFileSync(join(FOLDER, file), 'utf8'));
  const chromium = await findChromium();
  try {
    let start = performance.now();
    await loadAll(chromium, pages);
    const bare = seconds(start);
    start = performance.now();
    const renderings = await renderAll(chromium, pages);
    const rendered = seconds(start);
    const peaks = renderings.map(({ peak }) => peak.memoryMb);
    const complete = renderings.flatMap(({ phases }) => phases).filter(phase => phase.complete).length;
    const cut = renderings.filter(each => each.cut !== null).length;
    const beacons = renderings.reduce((sum, each) => sum + each.beacons.length, 0);
    return [
      {
        ...{ what, value: rendered * 1_000, unit: 'ms', limit: { atMost: 60_000 } },
        details: `wall-clock time, ${AT_ONCE} pages at a time; ${complete} of ${PAGES * 3} phases complete, ${cut} pages ended early, ${beacons} events`,
      },
      {
        ...{
          what: 'rendering a saved page in three phases ÷ loading it once in an ordinary browser',
          value: rendered / bare,
          unit: '×',
        },
        details: `${show((rendered / PAGES) * 1_000)} ms per page compared with ${show((bare / PAGES) * 1_000)} ms`,
      },
      {
        ...{
          what: 'browser memory per rendered page',
          value: Math.max(...peaks),
          unit: 'MB',
          limit: { atMost: 300 },
        },
        details: `highest of ${PAGES} pages; lowest ${Math.min(...peaks)} MB`,
      },
    ];
  } finally {
    await chromium.remove();
  }
}

report(await measure());
