import { spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type ChromiumFiles, findChromium } from '@compliance/chromium';
import { createForwardProxy, defaultCrawlLimits, publicTransport } from '@compliance/crawler';
import { inspectKernelIsolation, type KernelIsolation } from '@compliance/crawler/pool';
import { certificateFor, createNetwork } from '@compliance/crawler/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CdpConnection, connectCdp } from '../../browser/cdp.ts';
import { DISABLED_FEATURES } from '../../browser/flags.ts';
import { launchFenced } from '../launch.ts';
import { processTree, readProc } from '../process-tree.ts';
import { type Canaries, nameOf, openCanaries, TARGETS, type Target, TLS } from './testing/canaries.ts';
import { CHANNELS } from './testing/channels.ts';
import { channelsOf, hostileShop, PAGES } from './testing/lab.ts';

const kernel = inspectKernelIsolation();
const isLinux = process.platform === 'linux';
const certificate = await certificateFor('shop.example', { trusted: false });
/**
 * Hash of the certificate's public key. Chromium applies the policies of sites that use the key only if this hash is
 * specified.
 */
const spki = createHash('sha256')
  .update(new X509Certificate(certificate.cert).publicKey.export({ type: 'spki', format: 'der' }))
  .digest('base64');

/** Flags that turn off Chromium's own checks, because those checks would hide whether the fence works. */
const UNCHECKED = [
  '--ignore-certificate-errors',
  `--ignore-certificate-errors-spki-list=${spki}`,
  '--allow-running-insecure-content',
  '--autoplay-policy=no-user-gesture-required',
  '--short-reporting-delay',
];
const WITHOUT_LOCAL_CHECKS = 'LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests';

/**
 * Time allowed for the pages to reach a canary, in milliseconds. Without the fence, most of them need less than a
 * second.
 */
const SETTLE_MS = 3_000;
/** Time allowed for opening all pages on a busy machine, in milliseconds. */
const LOAD_MS = 40_000;
/** Time allowed for all channels to reach their canaries without the fence, in milliseconds, in each browser. */
const UNFENCED_MS = 20_000;
/** Maximum number of browsers that open the pages without the fence. */
const ATTEMPTS = 3;
/** Pause between opening one page and the next, in milliseconds. */
const PACE_MS = 200;

/** Expression that's true when a page has loaded. A new tab is empty at first. */
const LOADED = "location.protocol === 'https:' && document.readyState === 'complete'";

/** Names and addresses of the sites in the lab. */
const SITES = {
  'shop.example': '93.184.216.34',
  'redirect.example': '93.184.216.35',
  'strict-loopback.example': '93.184.216.36',
  'strict-other.example': '93.184.216.37',
};

let canaries: Canaries;
let chromium: ChromiumFiles;
const EVERY_PAGE = PAGES.flatMap(path => TARGETS.map(target => `${path} ${target}`)).sort();
/** Pages that a browser opened, such as `download other`. */
const opened = new Set<string>();

/**
 * Opens the hostile pages in a browser, without attaching to their frames and workers, and waits until every page has
 * been requested.
 */
async function openPages(cdp: CdpConnection): Promise<void> {
  // Chromium sends reports only with this permission, which a browser with a window grants to every site.
  await cdp.send('Browser.grantPermissions', { permissions: ['backgroundSync'] });
  const openAll = async (target: Target) => {
    for (const path of PAGES) {
      const url = `https://shop.example/page/${encodeURI(path)}/${target}`;
      const { targetId } = await cdp.send('Target.createTarget', { url });
      const driven = channelsOf(path).filter(({ drive }) => drive);
      if (driven.length > 0) {
        const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
        const isLoaded = async () =>
          (await cdp.send('Runtime.evaluate', { expression: LOADED }, sessionId)).result.value === true;
        for (const end = performance.now() + LOAD_MS; performance.now() < end; await wait(PACE_MS))
          if (await isLoaded().catch(() => false)) break;
        // Don't wait for these commands, because a closed page never responds.
        for (const { name, drive } of driven)
          drive!(cdp, { targetId, sessionId }, canaries.of(name, target)).catch(() => {});
      }
      await wait(PACE_MS);
    }
  };
  await Promise.all(TARGETS.map(openAll));
  await expect.poll(() => [...opened].sort(), { timeout: LOAD_MS }).toEqual(EVERY_PAGE);
}

/**
 * Returns the path of a script that runs Chromium with a canary as the name server, or Chromium's own path if this
 * system can't replace the name server.
 */
function withCanaryResolver(): string {
  const { resolver, folder } = canaries;
  if (!('tool' in kernel) || resolver === null) return chromium.executable;
  const program = join(folder, 'chromium.sh');
  const inside = `mount --bind ${resolver} /etc/resolv.conf; exec unshare --user --map-user=65534 --map-group=65534 -- "$0" "$@"`;
  const script = `#!/bin/sh\nexec unshare --user --map-root-user --mount -- sh -ec '${inside}' ${chromium.executable} "$@"\n`;
  writeFileSync(program, script, { mode: 0o755 });
  return program;
}

/**
 * Opens the hostile pages behind the fence. Returns the channels that reached their canaries, the active layers, and
 * the lab addresses that the proxy connected to.
 */
async function escapesFromFence(isolation: KernelIsolation, disabled: readonly string[], executable: string) {
  const network = createNetwork();
  const { transport, names, secureSite, dialed } = network;
  for (const [name, address] of Object.entries(SITES))
    await secureSite(
      name,
      certificate,
      hostileShop(canaries, path => opened.add(path)),
      address,
    );
  for (const name of ['localhost', '2130706433']) names.set(name, ['127.0.0.1']);
  names.set('other.example', [canaries.addresses.other]);
  const lab = new Set(Object.values(SITES));
  const browser = await launchFenced({
    chromium: { ...chromium, executable },
    proxy: createForwardProxy(
      {
        ...transport,
        // If the proxy allowed a canary's address, the connection would reach the canary.
        dial: (addresses, ...rest) => (lab.has(addresses[0]!) ? transport : publicTransport).dial(addresses, ...rest),
      },
      {
        limits: {
          ...defaultCrawlLimits,
          ...{ requests: 1_000, requestsPerHost: 1_000, requestsPerTargetMinute: 1_000 },
          ...{ refusalMs: 0, totalMs: 2 * LOAD_MS },
        },
      },
    ),
    kernel: isolation,
    limits: { memoryMb: 1_000, processes: 80, threads: 2_000, wallMs: 2 * LOAD_MS },
    userAgent: 'contain',
    onEvent: () => {},
    extraFlags: [...UNCHECKED, `--disable-features=${[...disabled, WITHOUT_LOCAL_CHECKS].join(',')}`],
  });
  try {
    if ('tool' in isolation) await canaries.watchNamespaceOf(browserProcess());
    opened.clear();
    canaries.hits.clear();
    await openPages(browser.cdp);
    await wait(SETTLE_MS);
    return { escaped: [...canaries.hits], layers: browser.layers(), dialed: [...new Set(dialed)].sort() };
  } finally {
    await browser.close();
    await network.close();
  }
}

/** Returns the ID of a process that runs inside the browser's namespaces. */
function browserProcess(): number {
  const own = processTree(process.pid).find(pid => /--type=zygote/.test(readProc(pid, 'cmdline')));
  if (own === undefined) throw new Error('The browser has no processes.');
  return own;
}

/** Expected contacts without the fence: one for each target of each channel that headless Chromium uses. */
const EFFECTIVE = CHANNELS.filter(({ inert }) => inert === undefined).flatMap(({ name, tls }) =>
  TARGETS.map(target => nameOf({ name, target }) + (tls ? TLS : '')),
);

/** Opens the hostile pages in a browser without the fence, and returns the channels that reached their canaries. */
async function escapesWithoutFence(): Promise<Set<string>> {
  const server = createHttpsServer(
    certificate,
    hostileShop(canaries, path => opened.add(path)),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const profile = mkdtempSync(join(tmpdir(), 'contain-'));
  chmodSync(profile, 0o777);
  const rules = [
    ...Object.keys(SITES).map(name => `MAP ${name}:443 127.0.0.1:${port}`),
    ...TARGETS.map(target => `MAP strict-${target}.example ${canaries.addresses[target]}`),
    `MAP other.example ${canaries.addresses.other}`,
  ];
  const flags = [
    ...['--headless', '--remote-debugging-pipe', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`],
    ...UNCHECKED,
    `--disable-features=${WITHOUT_LOCAL_CHECKS}`,
    `--host-resolver-rules=${rules.join(', ')}`,
  ];
  const child = spawn(withCanaryResolver(), flags, {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const cdp = connectCdp({ input: child.stdio[3] as Writable, output: child.stdio[4] as Readable }, () => {});
  opened.clear();
  canaries.hits.clear();
  try {
    await openPages(cdp);
    for (const end = performance.now() + UNFENCED_MS; performance.now() < end; await wait(100))
      if (EFFECTIVE.every(each => canaries.hits.has(each))) break;
    return new Set(canaries.hits);
  } finally {
    // Otherwise, the browser's child processes would keep writing to the profile for a while.
    process.kill(-child.pid!, 'SIGKILL');
    await once(child, 'close');
    server.close();
    server.closeAllConnections();
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

beforeAll(async () => {
  [chromium, canaries] = await Promise.all([findChromium(), openCanaries()]);
});
afterAll(async () => {
  canaries?.close();
  await chromium?.remove();
});

describe('the fence', { timeout: 5 * LOAD_MS }, () => {
  it.runIf(isLinux && 'tool' in kernel)(
    'blocks every channel even if the browser ignores the flags that disable features',
    async () => {
      const { escaped, layers, dialed } = await escapesFromFence(kernel, [], chromium.executable);
      expect(escaped).toEqual([]);
      // The proxy connected to every site in the lab, so the fence was tested.
      expect(dialed).toEqual(Object.values(SITES).map(address => `${address}:443`));
      expect(layers).toEqual({
        ...{ noRoutes: true, ownProcesses: true, ownFiles: true, unprivileged: true, chromiumSandbox: true },
        ...{ memoryLimited: expect.any(Boolean), processesLimited: expect.any(Boolean) },
        watched: true,
      });
    },
  );

  it('blocks every channel even without namespaces, using only the proxy and the flags', async () => {
    const executable = withCanaryResolver();
    const { escaped, layers } = await escapesFromFence({ missing: 'test' }, DISABLED_FEATURES, executable);
    expect(escaped).toEqual([]);
    // If root starts the browser, the browser runs as an unprivileged user.
    expect(layers).toMatchObject({
      noRoutes: false,
      ownProcesses: false,
      chromiumSandbox: true,
      unprivileged: process.getuid?.() === 0,
    });
  });

  it('is tested with channels that reach both of their canaries without the fence', async () => {
    expect(EFFECTIVE.length).toBeGreaterThanOrEqual(2 * 40);
    const proved = new Set<string>();
    // On a busy machine, a browser might stop trying to send a report, so try again with another browser.
    for (let attempt = 0; attempt < ATTEMPTS && proved.size < EFFECTIVE.length; attempt++) {
      const escaped = await escapesWithoutFence();
      for (const each of EFFECTIVE) if (escaped.has(each)) proved.add(each);
    }
    const inert = CHANNELS.flatMap(({ name, inert }) => (inert === undefined ? [] : `${name}: ${inert}`));
    process.stdout.write(
      `Without the fence, ${proved.size / 2} of ${CHANNELS.length} channels reach both canaries. These channels prove nothing:\n${inert.join('\n')}\n`,
    );
    expect(EFFECTIVE.filter(each => !proved.has(each))).toEqual([]);
  });

  it('is tested with canaries in another network namespace', context => {
    const { withoutNamespace } = canaries;
    // If the namespace can't be created, the second set of canaries uses another address in the test's own namespace.
    // Only root can always create a namespace.
    const isExpected = process.env.CI && process.getuid?.() === 0;
    if (withoutNamespace !== null && !isExpected)
      context.skip(`This system doesn't allow a network namespace: ${withoutNamespace}`);
    expect(withoutNamespace).toBeNull();
  });
});
