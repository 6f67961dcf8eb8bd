import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  createApi,
  createInputSources,
  createJobLinks,
  createLinks,
  createParquetReader,
  createWebhookSecrets,
} from '@compliance/api';
import { createCrawler, createFileFetcher, createScanner, createSiteScanner } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { certificateFor, createNetwork, pages, unlimitedRate } from '@compliance/crawler/testing';
import { drawInProcess } from '@compliance/drawing';
import { issueCertificate, openStore } from '@compliance/store';
import { serve } from '@hono/node-server';
import supersede from '../../src/operations/entry-gcc-supersede.ts';

/** Time limit for stopping the server. */
const STOP_TIMEOUT_MS = 30_000;

/** Starts a real crawler on a loopback test network, where every hostname resolves to the same storefront. */
async function startScanner() {
  const network = createNetwork();
  const storefront = pages({ '/': '<script>ga("create", "UA-12345-1")</script>' });
  const certificate = await certificateFor('shop.example', { trusted: true });
  await network.site('shop.example', storefront);
  await network.secureSite('shop.example', certificate, storefront);
  const transport = {
    ...network.transport,
    resolve: (_: string, ...rest: [AbortSignal]) => network.transport.resolve('shop.example', ...rest),
  };
  const pool = createPool({ workers: 1, timeoutMs: 10_000, memoryMb: 256, queue: 100 });
  const options = { contact: 'https://scanner.example/', pool, limits: { refusalMs: 0 }, targetRate: unlimitedRate };
  const scanner = createScanner(createCrawler(transport), options);
  const siteScanner = createSiteScanner(transport, options);
  const inputSources = createInputSources({ files: createFileFetcher(transport, options), s3: null });
  const readParquet = createParquetReader(pool);
  return { scanner, siteScanner, inputSources, readParquet, close: () => Promise.all([network.close(), pool.close()]) };
}

/** Starts the service. Each request comes from a different IP address, so rate limits don't interrupt the run. */
export async function startFuzzedService(dataDir: string) {
  const store = await openStore({ dataDir, clock: Date.now, limits: { minute: 1e9, day: 1e9 } });
  const issueKey = () => store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'fuzzer' });
  const [{ key, record }, other] = await Promise.all([issueKey(), issueKey()]);
  const failures: unknown[] = [];
  const { close, ...crawling } = await startScanner();
  const linkKeys = { active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } };
  const links = createLinks(linkKeys);
  const baseUrl = 'https://service.example';
  const certificates = { drawing: drawInProcess, links, baseUrl };
  // The OpenAPI examples refer to this certificate.
  const { id } = supersede.examples[0]!.params as { id: string };
  const { request: body } = supersede.examples[0]!;
  await issueCertificate(
    store.certificates,
    { draw: (body, context) => drawInProcess.draw(body, context, { lane: 'keyed', tenant: 'fuzz' }), baseUrl },
    { body, id, family: record.family, actor: 'fuzzer', now: Date.now() },
  );
  const onFailure = (failure: unknown) => failures.push(failure);
  const webhookSecrets = createWebhookSecrets(linkKeys);
  const jobLinks = createJobLinks(linkKeys, baseUrl);
  const deps = {
    ...{ store, clock: Date.now, ...crawling, certificates, webhookSecrets, jobLinks, onFailure },
    rendersPages: true,
  };
  const api = createApi(deps);
  let requests = 0;
  const fetch = (request: Request) => {
    requests++;
    const remoteAddress = [10, requests >> 16, requests >> 8, requests].map(byte => byte & 255).join('.');
    return api.fetch(request, { incoming: { socket: { remoteAddress } } });
  };
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening', { signal: AbortSignal.timeout(10_000) });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    await once(server, 'close', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) });
    await Promise.all([store.close(), close()]);
  };
  return { base, keys: [key, other.key], failures, requests: () => requests, stop };
}
