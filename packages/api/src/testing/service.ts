import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fonts, openFonts } from '@compliance/core/entry';
import { createCrawler, createScanner } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { certificateFor, createNetwork, pages } from '@compliance/crawler/testing';
import { loadFace } from '@compliance/fonts';
import { type KeyScope, openStore } from '@compliance/store';
import { expect } from 'vitest';
import { type Api, type ApiDeps, createApi } from '../api.ts';
import { createLinks } from '../certificates/links.ts';
import type { Connection } from '../gates/client-address.ts';
import { createMetrics } from '../metrics.ts';
import type { RequestLog } from '../observe.ts';
import type { Endpoint } from '../operations/operation.ts';
import { undescribed } from './described.ts';

/** A key, an e-mail address, a signature of a link or another bearer token. */
const TELLING = /cmpl_live_|bearer (?!<API_KEY>)|[\w.+-]+@[\w-]+\.[a-z]{2,}|[?&](sig|signature|token)=/i;

/** 2026-11-21, noon in New York. */
const NOON = Date.UTC(2026, 10, 21, 17);

/** The fields of answers that tests read. */
interface Body {
  error?: string;
  issues: unknown[];
  results: { code: string }[];
  list: { as_of: string };
  score: number;
  findings: { rule_id: string }[];
  inventory: object;
  gcc_pdf_url: string;
  gcc_id: string;
  sha256: string;
  verification_url: string;
}

/** The parsed body of an answer. */
export async function bodyOf(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}

/** A storefront of old tags, as the examples of the operations name it. */
const STOREFRONT = {
  '/': `<html><head><script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script></head><body></body></html>`,
};

/** Opened once for the process; reading them takes a while. */
let fonts: Fonts | undefined;

/** Trusted once for the process; a key takes a while to make. */
let certificate: ReturnType<typeof certificateFor> | undefined;

/**
 * The API over a real store in a folder of its own and a real crawler in a small internet on loopback, with a clock that the
 * test moves.
 */
export async function startService(extra: Partial<ApiDeps> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-api-'));
  const time = { now: NOON };
  const clock = () => time.now;
  const store = await openStore({ dataDir, clock });
  const failures: unknown[] = [];
  const network = createNetwork();
  certificate ??= certificateFor('shop.example', { trusted: true });
  await network.secureSite('shop.example', await certificate, pages(STOREFRONT));
  const pool = createPool({ workers: 1, timeoutMs: 10_000, memoryMb: 256, queue: 500 });
  const contact = 'https://scanner.example/about';
  const scanner = createScanner(createCrawler(network.doors), { contact, pool, limits: { refusalMs: 0 } });
  fonts ??= openFonts(loadFace);
  const links = createLinks({ active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } });
  const certificates = { fonts, links, baseUrl: 'http://service.test' };
  const lines: string[] = [];
  const write = (facts: object) => lines.push(JSON.stringify(facts));
  const log: RequestLog = { info: write, error: write };
  const metrics = createMetrics();
  const onFailure = (failure: unknown) => failures.push(failure);
  const created = createApi({ store, clock, scanner, certificates, log, metrics, onFailure, ...extra });
  const errors: string[] = [];
  const faults: string[] = [];
  const api: Api = {
    async fetch(request, connection) {
      const response = await created.fetch(request, connection);
      faults.push(...(await undescribed(request, response)));
      const isError = response.headers.get('Content-Type')?.match(/^application\/(problem\+)?json/) && !response.ok;
      if (isError) errors.push(await response.clone().text());
      return response;
    },
  };

  const issue = async (scope: KeyScope = 'all', note = 'delegate:on') =>
    (await store.keys.issue({ scope, note, actor: 'test' })).key;

  /** A call of an operation; `body` is sent as it is when it is a text. */
  const call = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
    await api.fetch(
      new Request(`http://service.test${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    );
  const get = async (path: string, init: RequestInit = {}, connection: Connection = {}) =>
    await api.fetch(new Request(`http://service.test${path}`, init), connection);
  /** A call of an operation, as its method wants it. */
  const ask = async (endpoint: Endpoint, request: unknown, headers: Record<string, string> = {}) =>
    endpoint.method === 'post'
      ? await call(endpoint.path, request, headers)
      : await get(addressOf(endpoint, request as Record<string, string>), { headers });
  const stop = async () => {
    // Whatever a test did: nothing of it may be in log, metrics and errors but what their readers may see.
    expect([...lines, ...errors, await metrics.text()].filter(text => TELLING.test(text))).toEqual([]);
    // Nor has any answer what its description does not say.
    expect([...new Set(faults)]).toEqual([]);
    await Promise.all([store.close(), network.close(), pool.close()]);
    await rm(dataDir, { recursive: true, force: true });
  };
  return { api, store, network, time, failures, lines, metrics, issue, call, get, ask, stop, dataDir };
}

/** Path and query of a request. */
export function addressOf({ path }: Endpoint, request: Record<string, string>): string {
  const query = new URLSearchParams(request);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    query.delete(name);
    return encodeURIComponent(request[name]!);
  });
  return query.size > 0 ? `${filled}?${query}` : filled;
}
