import { createPool } from '@compliance/crawler/pool';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import lookupOperation from '../operations/tariff-hts-lookup.ts';
import { startService } from '../testing/service.ts';
import { createMetrics } from './metrics.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const { path, examples } = lookupOperation;
const lookup = (key: string) => service.post(path, examples[0]!.request, { Authorization: `Bearer ${key}` });
const logged = () => service.lines.map(line => JSON.parse(line));

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

  it('records the class and stack frames of an internal error without its message', async () => {
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
    const [failure, request] = api.lines.map(line => JSON.parse(line));
    expect(failure).toEqual({ request_id: request.request_id, failure: 'RangeError', at: expect.any(Array) });
    expect(failure.at[0]).toContain('observe.test.ts');
    expect(request).toMatchObject({ status: 500, error: 'internal' });
    await api.stop();
  });
});

describe('the metrics', () => {
  it('counts requests by operation and status, request durations, and rate-limited requests', async () => {
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

  it('shows the queues of the worker pool by lane', async () => {
    const pool = createPool({ workers: 1, timeoutMs: 1_000, memoryMb: 64, queue: 10 });
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
