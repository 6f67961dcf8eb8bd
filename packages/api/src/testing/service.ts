import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate, type Fonts, type LabList, openFonts, render } from '@compliance/core/entry';
import { DATASET } from '@compliance/core/tariff';
import {
  createCrawler,
  createFileFetcher,
  createScanner,
  createSiteScanner,
  type TargetRate,
} from '@compliance/crawler';
import { createPool, type Pool } from '@compliance/crawler/pool';
import { certificateFor, createNetwork, pages, unlimitedRate } from '@compliance/crawler/testing';
import { drawInProcess } from '@compliance/drawing';
import { loadFace } from '@compliance/fonts';
import { certificateContext, type KeyScope, openStore, type S3Input, type StoreLocation } from '@compliance/store';
import { expect } from 'vitest';
import { type Api, type ApiDeps, createApi } from '../api.ts';
import { createLinks } from '../certificates/links.ts';
import type { Connection } from '../http/client-network.ts';
import { createInputSources } from '../jobs/input-sources.ts';
import { createJobLinks } from '../jobs/job-links.ts';
import { createParquetReader } from '../jobs/parquet/parquet-lines.ts';
import { createMetrics } from '../observability/metrics.ts';
import type { RequestLog } from '../observability/observe.ts';
import generateCpc from '../operations/entry-cpc-generate.ts';
import supersede from '../operations/entry-gcc-supersede.ts';
import type { Endpoint } from '../operations/operation.ts';
import { watchDataset } from '../watches/watch-dataset.ts';
import { createWebhookSecrets } from '../watches/webhook-secrets.ts';
import { conformanceErrors } from './openapi-conformance.ts';

/** Matches an API key, an email address, a link signature, or another bearer token. */
const SENSITIVE = /cmpl_live_|bearer (?!<API_KEY>)|[\w.+-]+@[\w-]+\.[a-z]{2,}|[?&](sig|signature|token)=/i;

/** Start time of the test clock, which is noon in New York on 2026-11-21. */
const NOON = Date.UTC(2026, 10, 21, 17);

/** Response fields that the tests check. */
interface Body {
  error?: string;
  message?: string;
  issues: unknown[];
  results: { code: string }[];
  list: { as_of: string };
  score: number;
  findings: { rule_id: string }[];
  inventory: object;
  gcc_pdf_url: string;
  status: string;
  certificates: { certificate_type: string }[];
  childrens_product: {
    expected_rules: { citation: string; cited: boolean }[];
    third_party_testing: { result: string }[];
  };
  gcc_id: string;
  sha256: string;
  verification_url: string;
}

/** Parses the JSON body of a response. */
export async function jsonBody(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}

/** A storefront with legacy tags, at the URL that the operation examples use. */
const STOREFRONT = {
  '/': `<html><head><script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script></head><body></body></html>`,
};

/** Pool that all services in this process share, because starting a worker takes half a second of CPU time. */
let sharedPool: Pool | undefined;

/** Certificate fonts, loaded once per process because loading them is slow. */
let fonts: Fonts | undefined;

/** TLS certificate for the test network, created once per process because key generation is slow. */
let tlsCertificate: ReturnType<typeof certificateFor> | undefined;

/** PDF for the certificates that tests issue without an API request, rendered once per process. */
let issuedPdf: Promise<Uint8Array> | undefined;

/** An operation's example values. */
interface Example {
  params?: unknown;
  request: unknown;
}

/**
 * Starts the API with a real store in a temporary folder, a real crawler on a loopback test network, and a clock that
 * the test controls.
 */
export async function startService({
  s3Input = null,
  acceptedLabs = null,
  storage = {},
  ...extra
}: Partial<ApiDeps> & {
  s3Input?: S3Input | null;
  acceptedLabs?: LabList | null;
  /** Database and S3 bucket for the store's data. By default, the store keeps its data in a temporary folder. */
  storage?: Pick<StoreLocation, 'databaseUrl' | 's3'>;
} = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-api-'));
  const time = { now: NOON };
  const clock = () => time.now;
  const store = await openStore({ dataDir, ...storage, clock });
  const failures: unknown[] = [];
  const network = createNetwork();
  tlsCertificate ??= certificateFor('shop.example', { trusted: true });
  await network.secureSite('shop.example', await tlsCertificate, pages(STOREFRONT));
  const pool = (sharedPool ??= createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 256, queue: 500 }));
  const contact = 'https://scanner.example/about';
  // Don't limit requests to the sample storefront, because tests for other limits send it more than 60 requests a
  // minute.
  const rateFor = (target: string) => (target === 'shop.example' ? unlimitedRate : store.targetRate);
  const targetRate: TargetRate = { take: (target, perMinute) => rateFor(target).take(target, perMinute) };
  const crawl = { contact, pool, limits: { refusalMs: 0 }, targetRate };
  const scanner = createScanner(createCrawler(network.transport), crawl);
  const siteScanner = createSiteScanner(network.transport, crawl);
  const files = createFileFetcher(network.transport, crawl);
  const inputSources = createInputSources({ files, s3: s3Input });
  const readParquet = createParquetReader(pool);
  const openedFonts = (fonts ??= openFonts(loadFace));
  const keys = { active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } };
  const links = createLinks(keys);
  const webhookSecrets = createWebhookSecrets(keys);
  const baseUrl = 'http://service.test';
  const jobLinks = createJobLinks(keys, baseUrl);
  const certificates = { drawing: drawInProcess, links, baseUrl, acceptedLabs };
  const lines: string[] = [];
  const write = (facts: object) => lines.push(JSON.stringify(facts));
  const log: RequestLog = { info: write, error: write };
  const metrics = createMetrics();
  const onFailure = (failure: unknown) => failures.push(failure);
  const created = createApi({
    store,
    clock,
    scanner,
    siteScanner,
    certificates,
    webhookSecrets,
    jobLinks,
    readParquet,
    inputSources,
    rendersPages: true,
    log,
    metrics,
    onFailure,
    ...extra,
  });
  const errors: string[] = [];
  const conformance: string[] = [];
  const api: Api = {
    async fetch(request, connection) {
      const response = await created.fetch(request, connection);
      conformance.push(...(await conformanceErrors(request, response)));
      const isError = response.headers.get('Content-Type')?.match(/^application\/(problem\+)?json/) && !response.ok;
      if (isError) errors.push(await response.clone().text());
      return response;
    },
  };

  const issue = async (scope: KeyScope = 'all', note = 'delegate:on') =>
    (await store.keys.issue({ scope, note, actor: 'test' })).key;

  /** Sends a POST request. String and binary bodies are sent unchanged, and all other bodies as JSON. */
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
    await api.fetch(
      new Request(`http://service.test${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    );
  const get = async (path: string, init: RequestInit = {}, connection: Connection = {}) =>
    await api.fetch(new Request(`http://service.test${path}`, init), connection);
  const issueStored = store.certificates.issue;
  /** Issues a complete certificate without an API request. Returns its ID, or a random ID if the key is invalid. */
  const issueCertificateFor = async (key: string, request: unknown): Promise<string> => {
    const id = crypto.randomUUID();
    const caller = await store.keys.authenticate(key).catch(() => null);
    if (!caller) return id;
    const record = certificate(request, certificateContext(baseUrl, id, time.now));
    issuedPdf ??= render(record, openedFonts);
    const kept = { id, family: caller.family, record: JSON.stringify(record), pdf: await issuedPdf, actor: caller.id };
    return (await issueStored(kept)).id;
  };
  /**
   * Returns the ID of a watch in the key's account (a new watch if the operation deletes it), or an unknown ID if the
   * key is invalid.
   */
  const watchIdFor = async (key: string, operation: string): Promise<string> => {
    const unknown = `wat_${'0'.repeat(29)}`;
    const caller = await store.keys.authenticate(key).catch(() => null);
    if (!caller) return unknown;
    const known = (await store.watches.list(caller.family)).findLast(({ webhookUrl }) => webhookUrl !== null);
    if (known && operation !== 'tariff.watches.delete') return known.id;
    const codes = [{ reference: 'BOLT-8', code: '7318.15.2061', origin: 'CN' }];
    const dataset = watchDataset(DATASET);
    const watch = { family: caller.family, name: '', codes, dataset, evaluatedOn: '2026-11-21' };
    const webhook = { url: 'https://hooks.example/', secrets: webhookSecrets.create() };
    return (await store.watches.create({ ...watch, webhook })).id;
  };
  /**
   * Returns the ID of a job in the key's account (a new job if the operation cancels it), or an unknown ID if the key
   * is invalid.
   */
  const jobIdFor = async (key: string, operation: string): Promise<string> => {
    const caller = await store.keys.authenticate(key).catch(() => null);
    if (!caller) return `blk_${'0'.repeat(29)}`;
    const known = (await store.bulkJobs.list(caller.family, { limit: 100 })).findLast(
      ({ state }) => state === 'awaiting_input',
    );
    if (known && operation !== 'jobs.cancel') return known.id;
    const job = { keyId: caller.id, operation: 'tariff.hts.lookup', format: 'csv', options: {} } as const;
    return (await store.bulkJobs.create({ ...job, family: caller.family })).id;
  };
  /** Replaces the ID in an example with the ID of a certificate, watch, or job that belongs to the key's account. */
  const withOwnId = async <Values>(endpoint: Endpoint, values: Values, key: string): Promise<Values> => {
    if (typeof values !== 'object' || values === null || !('id' in values)) return values;
    const id = await (endpoint.id.startsWith('jobs.')
      ? jobIdFor(key, endpoint.id)
      : endpoint.id.startsWith('tariff.watches')
        ? watchIdFor(key, endpoint.id)
        : issueCertificateFor(
            key,
            (endpoint.id.startsWith('entry.cpc.') ? generateCpc : supersede).examples[0]!.request,
          ));
    return { ...values, id };
  };
  /**
   * Calls an operation with its HTTP method. Examples refer to certificates, watches, and jobs that don't exist, so the
   * call replaces the example's ID with one from the key's account.
   */
  const callExample = async (endpoint: Endpoint, example: Example, headers: Record<string, string> = {}) => {
    const key = headers.Authorization?.replace(/^Bearer /, '') ?? '';
    if (endpoint.method === 'get') {
      const request = await withOwnId(endpoint, example.request, key);
      return await get(requestPath(endpoint, request as Record<string, string>), { headers });
    }
    const params = await withOwnId(endpoint, example.params, key);
    const request = await withOwnId(endpoint, example.request, key);
    return await post(requestPath(endpoint, { ...(params as Record<string, string>) }), request, headers);
  };
  const stop = async () => {
    // Logs, error responses, and metrics must never contain sensitive data.
    expect([...lines, ...errors, await metrics.text()].filter(text => SENSITIVE.test(text))).toEqual([]);
    // Every response must match its OpenAPI document.
    expect([...new Set(conformance)]).toEqual([]);
    await Promise.all([store.close(), network.close()]);
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    api,
    store,
    network,
    scanner,
    time,
    failures,
    lines,
    metrics,
    issue,
    post,
    get,
    callExample,
    withOwnId,
    webhookSecrets,
    inputSources,
    readParquet,
    certificates,
    stop,
    dataDir,
  };
}

/** Returns the path and query for a GET request to an operation. */
export function requestPath({ path }: Endpoint, request: Record<string, string>): string {
  const query = new URLSearchParams(request);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    query.delete(name);
    return encodeURIComponent(request[name]!);
  });
  return query.size > 0 ? `${filled}?${query}` : filled;
}
