import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type ChromiumFiles, findChromium } from '@compliance/chromium';
import { createForwardProxy, defaultCrawlLimits } from '@compliance/crawler';
import { inspectKernelIsolation, type KernelIsolation } from '@compliance/crawler/pool';
import { certificateFor, createNetwork } from '@compliance/crawler/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectCdp } from '../../browser/cdp.ts';
import { DISABLED_FEATURES } from '../../browser/flags.ts';
import { createTabHost } from '../../browser/tab.ts';
import { launchFenced } from '../launch.ts';
import { type Canary, CHANNELS, type EscapeChannel } from './channels.ts';

const kernel = inspectKernelIsolation();
const isLinux = process.platform === 'linux';

/** Flags that turn off Chromium's own checks, which would hide whether the fence works. */
const UNCHECKED = [
  '--ignore-certificate-errors',
  '--allow-running-insecure-content',
  '--autoplay-policy=no-user-gesture-required',
];
const WITHOUT_LOCAL_CHECKS = 'LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests';

const certificate = await certificateFor('shop.example', { trusted: false });
const canaries = new Map<string, Canary>();
const hits = new Set<string>();
const closers: (() => unknown)[] = [];
let chromium: ChromiumFiles;

/** Loopback and, if this machine has one, a network address, because each namespace has its own loopback device. */
const addresses = [
  '127.0.0.1',
  ...Object.values(networkInterfaces()).flatMap(
    each => each?.find(a => a.family === 'IPv4' && !a.internal)?.address ?? [],
  ),
].slice(0, 2);

async function openCanary(channel: EscapeChannel, index: number): Promise<void> {
  const server = createServer(socket => {
    hits.add(channel.name);
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.end(
          'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
        );
      });
  });
  await once(server.listen(0, '::'), 'listening');
  const { port } = server.address() as AddressInfo;
  const udp = createSocket('udp6').on('message', () => hits.add(channel.name));
  udp.bind(port, '::');
  await once(udp, 'listening');
  closers.push(
    () => server.close(),
    () => udp.close(),
  );
  const host = addresses[index % addresses.length]!;
  const at = `${host}:${port}`;
  // Chromium treats loopback as secure. At other addresses, it blocks mixed content unless the URL uses TLS.
  const secure = host === '127.0.0.1' ? '' : 's';
  canaries.set(channel.name, {
    http: `http${secure}://${at}`,
    https: `https://${at}`,
    ws: `ws${secure}://${at}`,
    host,
    port,
  });
}

const pageOf = (channels: readonly EscapeChannel[]) =>
  `<!doctype html><body>${channels.map(channel => channel.html(canaries.get(channel.name)!)).join('\n')}</body>`;
const staying = CHANNELS.filter(({ leaves }) => !leaves);
const leaving = CHANNELS.filter(({ leaves }) => leaves);

/** The hostile shop. `/page/2` is the page for the third channel that leaves its page. */
const lab: RequestListener = (request, response) => {
  const [, first, second, third] = (request.url ?? '').replace('?', '/').split('/');
  const html = (body: string, headers = {}) =>
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
  if (request.headers.host === 'redirect.example')
    return response
      .writeHead(302, { location: `https://${second}:${third}/`, 'access-control-allow-origin': '*' })
      .end();
  if (first === '') return html(pageOf(staying));
  if (first === 'page') return html(pageOf([leaving[Number(second)]!]));
  if (first === 'csp')
    return html('<img src="https://elsewhere.example/">', {
      'content-security-policy': `default-src 'none'; report-uri https://${second}:${third}/`,
    });
  if (first === 'shared.js' || first === 'service.js')
    return response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end(`fetch("https://${second}:${third}/",{mode:"no-cors"})`);
  return response.writeHead(404).end();
};

const urls = ['https://shop.example/', ...leaving.map((_, index) => `https://shop.example/page/${index}`)];
const settle = (index: number) => wait(index === 0 ? 3_000 : 500);

/** Opens the hostile pages behind the fence, and returns the channels that reached their canaries. */
async function escapesFromFence(isolation: KernelIsolation, disabled: readonly string[]) {
  const network = createNetwork();
  const { transport, names, secureSite, dialed } = network;
  await secureSite('shop.example', certificate, lab);
  await secureSite('redirect.example', certificate, lab, '93.184.216.35');
  for (const name of ['localhost', '2130706433']) names.set(name, ['127.0.0.1']);
  const tabs = createTabHost();
  const browser = await launchFenced({
    chromium,
    proxy: createForwardProxy(transport, {
      limits: {
        ...defaultCrawlLimits,
        requests: 500,
        requestsPerHost: 500,
        requestsPerTargetMinute: 500,
        refusalMs: 0,
      },
    }),
    kernel: isolation,
    limits: { memoryMb: 900, processes: 60, threads: 2_000, wallMs: 40_000 },
    userAgent: 'contain',
    onEvent: tabs.receive,
    extraFlags: [...UNCHECKED, `--disable-features=${[...disabled, WITHOUT_LOCAL_CHECKS].join(',')}`],
  });
  hits.clear();
  try {
    const tab = await tabs.open(browser, { handle: () => 'continue' });
    for (const [index, url] of urls.entries()) {
      await tab.navigate(url).catch(() => {});
      await settle(index);
    }
    return { escaped: [...hits], layers: browser.layers(), dialed: [...new Set(dialed)].sort(), peak: browser.peak() };
  } finally {
    await browser.close();
    await network.close();
  }
}

/** Opens the hostile pages in a browser without the fence, and returns the channels that reached their canaries. */
async function escapesWithoutFence(): Promise<string[]> {
  const server = createHttpsServer(certificate, lab);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const profile = mkdtempSync(join(tmpdir(), 'contain-'));
  const flags = [
    ...[
      '--headless',
      '--remote-debugging-pipe',
      '--no-sandbox',
      '--disable-gpu',
      `--user-data-dir=${profile}`,
      ...UNCHECKED,
    ],
    `--disable-features=${WITHOUT_LOCAL_CHECKS}`,
    `--host-resolver-rules=MAP shop.example:443 127.0.0.1:${port}, MAP redirect.example:443 127.0.0.1:${port}`,
  ];
  const child = spawn(chromium.executable, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const { send } = connectCdp({ input: child.stdio[3] as Writable, output: child.stdio[4] as Readable }, () => {});
  hits.clear();
  try {
    for (const [index, url] of urls.entries()) {
      await send('Target.createTarget', { url });
      await settle(index);
    }
    return [...hits];
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
    server.close();
    server.closeAllConnections();
    rmSync(profile, { recursive: true, force: true });
  }
}

beforeAll(async () => {
  chromium = await findChromium();
  await Promise.all(CHANNELS.map(openCanary));
});
afterAll(async () => {
  for (const close of closers) close();
  await chromium?.remove();
});

describe('the fence', () => {
  it.runIf(isLinux && 'tool' in kernel)(
    'contains every channel even if the browser ignores the flags that disable features',
    async () => {
      expect(CHANNELS.length).toBeGreaterThanOrEqual(40);
      const { escaped, layers, dialed } = await escapesFromFence(kernel, []);
      expect(escaped).toEqual([]);
      // The page itself was loaded, so the fence was tested.
      expect(dialed).toEqual(['93.184.216.34:443', '93.184.216.35:443']);
      expect(layers).toEqual({
        ...{ noRoutes: true, ownProcesses: true, ownFiles: true, unprivileged: true, chromiumSandbox: true },
        watched: true,
      });
    },
  );

  it('contains every channel without namespaces, with only the proxy and the flags', async () => {
    const { escaped, layers } = await escapesFromFence({ missing: 'test' }, DISABLED_FEATURES);
    expect(escaped).toEqual([]);
    expect(layers).toMatchObject({ noRoutes: false, ownProcesses: false, ownFiles: false });
  });

  it('is necessary, because most channels reach their canaries without the fence', async () => {
    const escaped = await escapesWithoutFence();
    const contained = CHANNELS.map(({ name }) => name).filter(name => !escaped.includes(name));
    process.stdout.write(
      `Without the fence, ${escaped.length} of ${CHANNELS.length} channels reach their canaries. These don't: ${contained.join(', ')}\n`,
    );
    expect(escaped.length).toBeGreaterThanOrEqual(50);
  });
});
