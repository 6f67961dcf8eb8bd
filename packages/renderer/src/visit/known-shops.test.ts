import { type ChromiumFiles, findChromium } from '@compliance/chromium';
import { joinRendering, type RenderedPage, scan } from '@compliance/core/pixel';
import { openRobotsReader } from '@compliance/crawler';
import { createPool, inspectKernelIsolation } from '@compliance/crawler/pool';
import { createNetwork, unlimitedRate } from '@compliance/crawler/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KNOWN_SHOPS } from '../testing/known-shops.ts';
import { captureOf, type KnownShop, serveShops } from '../testing/shop.ts';
import { openRenderer, type Renderer } from './render-storefront.ts';

const LIMITS = { requests: 100_000, requestsPerHost: 100_000, requestsPerTargetMinute: 100_000, refusalMs: 0 };

const network = createNetwork();
const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 128, queue: 1_000 });
const hostOf = (index: number): string => `shop${index}.known.example`;
let chromium: ChromiumFiles;
/** All shops belong to one site, so they can share a browser. */
let renderer: Renderer;

beforeAll(async () => {
  chromium = await findChromium();
  const shops = new Map(KNOWN_SHOPS.map((shop, index) => [hostOf(index), shop]));
  await network.site(
    'known.example',
    serveShops(host => shops.get(host)),
  );
  for (const host of [...shops.keys(), 'connect.facebook.net', 'www.googletagmanager.com'])
    network.names.set(host, network.names.get('known.example')!);
  renderer = await openRenderer(
    { url: 'http://known.example/', allows: async () => true },
    {
      ...{ chromium, kernel: inspectKernelIsolation(), transport: network.transport, targetRate: unlimitedRate },
      ...{ userAgent: 'Test (+https://scanner.example/)', quietMs: 250, settleMs: 30_000, connectionLimits: LIMITS },
      limits: { memoryMb: 4_000, processes: 200, threads: 3_000, wallMs: 120_000 },
    },
  );
});
afterAll(async () => {
  await renderer?.close();
  await chromium?.remove();
  await pool.close();
  await network.close();
});

/** Returns the events of each step, such as `load page` → `meta PageView from page`. */
function sentIn({ beacons }: RenderedPage): Record<string, string[]> {
  const steps = Object.groupBy(beacons, ({ phase, step }) => `${phase} ${step}`);
  return Object.fromEntries(
    Object.entries(steps).map(([step, sent = []]) => [
      step,
      sent
        .map(
          ({ vendor, event, initiator: { kind, id } }) =>
            `${vendor} ${event} from ${kind}${id === null ? '' : ` ${id}`}`,
        )
        .sort(),
    ]),
  );
}

async function examine(shop: KnownShop, index: number) {
  const url = `http://${hostOf(index)}/`;
  const robots = openRobotsReader(network.transport, new URL(url), {
    ...{ contact: 'https://scanner.example/', pool, targetRate: unlimitedRate, limits: { totalMs: 60_000 } },
  });
  try {
    const allows = (target: URL) => robots.allows(target);
    const rendering = await renderer.render({ url, allows }, shop.journey);
    const joined = joinRendering(scan(captureOf(shop, url), { asOf: '2026-11-23', profile: 'eea' }), rendering);
    const steps = rendering.phases.filter(({ phase }) => phase !== 'load');
    return {
      cut: rendering.cut,
      sent: sentIn(rendering),
      decisions: [...new Set(steps.map(({ decision }) => decision))],
      incomplete: rendering.phases.filter(({ complete, skipped }) => !complete && skipped === null),
      skipped: Object.fromEntries(steps.flatMap(({ step, skipped }) => (skipped === null ? [] : [[step, skipped]]))),
      verdicts: Object.fromEntries(
        joined.findings.filter(({ verdict }) => verdict !== 'unseen').map(({ rule_id, verdict }) => [rule_id, verdict]),
      ),
      traffic: joined.traffic.map(({ code, vendor }) => `${code} ${vendor}`).sort(),
    };
  } finally {
    await robots.close();
  }
}

describe.runIf(process.platform === 'linux')(
  'a rendering finds all events and checks all findings in a shop where',
  () => {
    it.concurrent.each(KNOWN_SHOPS.map((shop, index) => ({ ...shop, index })))('$title', async ({ index, ...shop }) => {
      const { sent, decision = 'shopify', skipped = {}, verdicts = {}, traffic = [] } = shop.truth;
      expect(await examine(shop, index)).toEqual({
        ...{ cut: null, decisions: [decision], incomplete: [], skipped, verdicts },
        sent: Object.fromEntries(Object.entries(sent).map(([step, events]) => [step, [...events].sort()])),
        traffic: [...traffic].sort(),
      });
    });
  },
);
