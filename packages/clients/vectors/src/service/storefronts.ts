import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Api,
  createApi,
  createInputSources,
  createJobLinks,
  createLinks,
  createParquetReader,
  createWebhookSecrets,
  startBulkWorker,
} from '@compliance/api';
import { DATASET } from '@compliance/core/tariff';
import { createCrawler, createFileFetcher, createScanner, createSiteScanner } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { createNetwork, pages, unlimitedRate } from '@compliance/crawler/testing';
import { drawInProcess } from '@compliance/drawing';
import { type KeyScope, openStore } from '@compliance/store';
import { serve } from '@hono/node-server';

/** Page with a legacy tag that the scan reports. */
const SHOP = `<html><head><script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script></head></html>`;

/**
 * Starts the service in this process with real components, but without internet access. The service's crawler can reach
 * three storefronts on loopback. `shop.example` works, `down.example` responds with 503, and `broken.example` sends a
 * response that isn't HTTP.
 */
export async function startWithStorefronts() {
  const data = await mkdtemp(join(tmpdir(), 'compliance-storefronts-'));
  const store = await openStore({ dataDir: data, clock: Date.now });
  const network = createNetwork();
  await network.site('shop.example', pages({ '/': SHOP }));
  await network.site('down.example', pages({ '/': { status: 503 } }), '93.184.216.35');
  await network.rawSite('broken.example', socket => socket.end('not HTTP\r\n\r\n'), '93.184.216.36');
  const pool = createPool({ workers: 1, timeoutMs: 10_000, memoryMb: 256, queue: 100 });
  const options = {
    contact: 'https://scanner.example/about',
    pool,
    limits: { refusalMs: 0 },
    targetRate: unlimitedRate,
  };
  const scanner = createScanner(createCrawler(network.transport), options);
  const siteScanner = createSiteScanner(network.transport, options);

  let api: Api | null = null;
  const server = serve({ fetch: (...request) => api!.fetch(...request), port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { active: 'k1', keys: { k1: randomBytes(32) } };
  const links = createLinks(keys);
  const certificates = { drawing: drawInProcess, links, baseUrl: base };
  const webhookSecrets = createWebhookSecrets(keys);
  const jobLinks = createJobLinks(keys, base);
  const readParquet = createParquetReader(pool);
  const files = createFileFetcher(network.transport, options);
  const inputSources = createInputSources({ files, s3: null });
  api = createApi({
    store,
    clock: Date.now,
    scanner,
    siteScanner,
    certificates,
    webhookSecrets,
    jobLinks,
    readParquet,
    inputSources,
    rendersPages: true,
  });
  const worker = startBulkWorker({
    ...{ store, clock: Date.now, dataset: () => DATASET, nomenclature: null, scanner, certificates },
    ...{ concurrency: 1, name: 'test' },
    onFailure: error => {
      throw error;
    },
  });

  return {
    base,
    /** Issues an API key. */
    async issue(scope: KeyScope, note = 'delegate:on'): Promise<string> {
      return (await store.keys.issue({ scope, note, actor: 'test' })).key;
    },
    async stop() {
      await worker.stop();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      await Promise.all([store.close(), network.close(), pool.close()]);
      await rm(data, { recursive: true, force: true });
    },
  };
}
