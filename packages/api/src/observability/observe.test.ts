import { connect } from 'node:net';
import { createPool } from '@compliance/crawler/pool';
import { drawInProcess } from '@compliance/drawing';
import { type Store, StoreError } from '@compliance/store';
import type { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApi } from '../api.ts';
import { createLinks } from '../certificates/links.ts';
import lookupOperation from '../operations/tariff-hts-lookup.ts';
import { listen } from '../testing/listen.ts';
import { startService } from '../testing/service.ts';
import { createMetrics } from './metrics.ts';
import type { RequestLog } from './observe.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const { path, examples } = lookupOperation;
const lookup = (key: string) => service.post(path, examples[0]!.request, { Authorization: `Bearer ${key}` });
const logged = () => service.lines.map(line => JSON.parse(line));

/** Creates a store in which every call fails. */
function rejectingStore(failure: Error): Store {
  const area = new Proxy({}, { get: () => () => Promise.reject(failure) });
  return new Proxy({}, { get: (_, name) => (name === 'health' ? () => Promise.reject(failure) : area) }) as Store;
}

/** Certificate settings for requests that fail before a certificate is rendered. */
const CERTIFICATES = {
  drawing: drawInProcess,
  links: createLinks({ active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } }),
  baseUrl: 'http://service.test',
};

const FORM_TOKEN = crypto.randomUUID();

/** Builds a request that passes every check that doesn't need the store. */
function requestTo(method: string, route: string): Request {
  const path = route.replaceAll(/:\w+(\{[^/]*\})?/g, '0f8fad5b-d9cd-469f-a165-70867728950e');
  const isForm = !path.startsWith('/api/');
  const headers = {
    Origin: 'http://service.test',
    Cookie: `operator=token; operator-form=${FORM_TOKEN}`,
    Authorization: 'Bearer key',
    'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
  };
  const body = isForm ? `form_token=${FORM_TOKEN}&secret=x` : '{}';
  return new Request(`http://service.test${path}?code=7318.15.2061`, {
    method,
    headers,
    ...(method === 'POST' && { body }),
  });
}

describe('the log', () => {
  it('records the operation, status, duration, and key ID of each request', async () => {
    const { key, record } = await service.store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'test' });
    const response = await lookup(key);
    expect(logged()).toEqual([
      {
        request_id: response.headers.get('X-Request-Id'),
        method: 'POST',
        route: path,
        operation: 'tariff.hts.lookup',
        status: 200,
        ms: expect.any(Number),
        key_id: record.id,
        error: null,
      },
    ]);
  });

  it('records the error code and key ID of a rejected request', async () => {
    const { key, record } = await service.store.keys.issue({ scope: 'pixel', note: 'delegate:on', actor: 'test' });
    await lookup(key);
    await lookup('nonsense');
    expect(logged()).toMatchObject([
      { status: 403, error: 'scope', key_id: record.id },
      { status: 401, error: 'unauthorized', key_id: null },
    ]);
  });

  it('records a page’s route pattern, but no part of an unknown path', async () => {
    await service.get('/healthz');
    await service.get('/someone@example.com/cmpl_live_all_x?signature=abc');
    expect(logged()).toMatchObject([
      { route: '/healthz', operation: null, status: 200 },
      { route: null, operation: null, status: 404 },
    ]);
  });

  it('records the class and stack frames of an internal error, but not the error’s message', async () => {
    const api = await startService({
      nomenclature: {
        edition: 'x',
        has() {
          throw new RangeError('someone@example.com\n    at cmpl_live_all_x (file.ts:1:1)');
        },
      } as never,
    });
    const key = await api.issue();
    expect((await api.post(path, examples[0]!.request, { Authorization: `Bearer ${key}` })).status).toBe(500);
    const [failed, ...others] = api.lines.map(line => JSON.parse(line));
    expect(others).toEqual([]);
    expect(failed).toMatchObject({ status: 500, error: 'internal', route: path, failure: 'RangeError', code: null });
    expect(failed.at[0]).toContain('observe.test.ts');
    await api.stop();
  });
});

describe('a failed request', () => {
  it('is logged once on every route, with its request ID, error code, and route', async () => {
    const failure = new StoreError('database_unavailable', 'someone@example.com');
    const lines: { level: string; [fact: string]: unknown }[] = [];
    const log: RequestLog = {
      info: facts => lines.push({ level: 'info', ...facts }),
      error: facts => lines.push({ level: 'error', ...facts }),
    };
    const api = createApi({
      ...{ store: rejectingStore(failure), clock: Date.now, log, certificates: CERTIFICATES },
      operator: { secretHash: 'hash', verify: async () => false },
    });
    const { routes } = api as unknown as Hono;
    const pages = routes.filter(({ method, path }) => method !== 'ALL' && !path.includes('*'));
    const served = new Map<string, number>();
    for (const { method, path } of pages) {
      lines.length = 0;
      const response = await api.fetch(requestTo(method, path));
      served.set(`${method} ${path}`, response.status);
      expect(lines, `${method} ${path}`).toMatchObject([
        response.status < 500
          ? { level: 'info', status: response.status }
          : {
              ...{
                level: 'error',
                status: 503,
                error: 'unavailable',
                failure: 'StoreError',
                code: 'database_unavailable',
              },
              ...{ request_id: response.headers.get('X-Request-Id') },
            },
      ]);
      expect([path, path.replaceAll(/:(\w+)/g, '{$1}')]).toContain(lines[0]?.route);
      expect(JSON.stringify(lines)).not.toContain('someone@');
    }
    // These pages either don't need the store or redirect to the sign-in form.
    const independent = [...served].filter(([, status]) => status < 500).map(([page]) => page);
    expect(independent.every(page => /^GET \/(api\/openapi|assets|beta|docs|healthz|lists|openapi)/.test(page))).toBe(
      true,
    );
    expect(served.size - independent.length).toBeGreaterThan(25);
  });

  it('is logged as a client error with status 499 if the client closes the connection during an upload', async () => {
    const running = await listen(await startService());
    const socket = connect(Number(new URL(running.base).port), '127.0.0.1');
    const key = await running.issue();
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"codes":',
    );
    await expect.poll(async () => (await running.store.limits.take('other')).allowed).toBe(true);
    setTimeout(() => socket.destroy(), 100);
    await expect.poll(() => running.lines.length).toBeGreaterThan(0);
    expect(JSON.parse(running.lines[0]!)).toMatchObject({ route: path, status: 499, error: 'client_closed_request' });
    expect(running.failures).toEqual([]);
    expect(await running.metrics.text()).toContain('{operation="tariff.hts.lookup",status="499"} 1\n');
    await running.stop();
  });
});

describe('the metrics registry', () => {
  it('counts requests by operation and status, counts rate-limited requests, and measures durations', async () => {
    const key = await service.issue();
    for (let i = 0; i < 102; i++) await lookup(key);
    await lookup('nonsense');
    await service.get('/healthz');
    await service.get('/nothing/here');
    const text = await service.metrics.text();
    for (const line of [
      'compliance_requests_total{operation="tariff.hts.lookup",status="200"} 100',
      'compliance_requests_total{operation="tariff.hts.lookup",status="429"} 2',
      'compliance_requests_total{operation="tariff.hts.lookup",status="401"} 1',
      'compliance_requests_total{operation="/healthz",status="200"} 1',
      'compliance_requests_total{operation="none",status="404"} 1',
      'compliance_request_duration_seconds_count{operation="tariff.hts.lookup"} 103',
      'compliance_limit_refusals_total{operation="tariff.hts.lookup"} 2',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('reports worker pool metrics by queue and lane', async () => {
    const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 64, queue: 10 });
    const metrics = createMetrics();
    metrics.watchPool(pool);
    const visitor = { lane: 'keyless', tenant: '203.0.113.1' } as const;
    const text = await pool.admit(visitor, () => metrics.text());
    for (const line of [
      'compliance_pool_running{queue="requests",lane="keyless"} 1',
      'compliance_pool_queued{queue="jobs",lane="keyed"} 0',
      'compliance_pool_wait_seconds_count{queue="requests",lane="keyless"} 1',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    await pool.close();
  });

  it('counts requests separately for each service instance', async () => {
    expect(await createMetrics().text()).not.toContain('operation="tariff.hts.lookup"');
  });
});
