import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../http/client-network.ts';
import lookupOperation from '../operations/tariff-hts-lookup.ts';
import { jsonBody, requestPath, startService } from '../testing/service.ts';
import { V0_OPERATIONS } from './operations/operations.gen.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeEach(async () => {
  service = await startService({ trustedProxies: 1 });
});
afterEach(() => service.stop());

const HTS = '/api/v0/hts/7318.15.2061?as_of=2026-10-01';
const from = (remoteAddress: string): Connection => ({ incoming: { socket: { remoteAddress } } });
const remaining = (response: Response) => Number(/"minute";r=(\d+)/.exec(response.headers.get('RateLimit')!)![1]);

describe.each(V0_OPERATIONS)('v0 operation $id', operation => {
  it('returns a valid response marked as unstable for each example request, without requiring an API key', async () => {
    for (const { request } of operation.examples) {
      const response = await service.get(requestPath(operation, request as Record<string, string>));
      expect(response.status).toBe(200);
      expect(response.headers.get('X-Api-Stability')).toBe('unstable');
      const body = await jsonBody(response);
      expect(operation.response.parse(body)).toEqual(body);
    }
  });
});

describe.each(V0_OPERATIONS)('$id request validation', operation => {
  const request = operation.examples[0]!.request as Record<string, string>;
  const path = requestPath(operation, request);
  const joined = path.includes('?') ? `${path}&` : `${path}?`;
  const [field] = Object.keys(request).filter(name => !operation.path.includes(`{${name}}`));

  it('returns 400 with the name of an unknown or repeated field', async () => {
    for (const [query, issue] of [
      ['color=1', { path: 'color', code: 'UNKNOWN_FIELD' }],
      ['__proto__=1', { path: '__proto__', code: 'UNKNOWN_FIELD' }],
      [`${field}=again`, { path: field, code: 'INVALID_TYPE' }],
    ] as const) {
      const response = await service.get(joined + query);
      expect([query, response.status]).toEqual([query, 400]);
      expect((await jsonBody(response)).issues).toEqual([{ ...issue, message: expect.any(String) }]);
    }
  });

  it('returns 429 after 30 requests in a minute, before validating the request', async () => {
    for (let i = 0; i < 30; i++) expect((await service.get(`${joined}color=1`)).status).toBe(400);
    const refused = await service.get(`${joined}color=1`);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
    expect(refused.headers.get('RateLimit')).toMatch(/^"minute";r=0;t=60, "day";r=43170;/);
  });

  it('returns 405 with an Allow header for unsupported methods and responds to HEAD without a body', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await service.get(path, { method });
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET']);
    }
    const head = await service.get(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('doesn’t reveal internal error details', async () => {
    const broken = await startService();
    await broken.store.close();
    const response = await broken.get(path);
    expect([response.status, Object.keys(await jsonBody(response))]).toEqual([500, ['error', 'message', 'request_id']]);
    expect(broken.failures).toHaveLength(1);
    await broken.stop();
  });
});

describe('v0', () => {
  it('returns a subset of the v1 lookup response', async () => {
    for (const code of ['7318.15.2061', '0101.21.00', '8302.41.60', '7303.00.00', 'abc', '7318/15']) {
      const response = await service.get(`/api/v0/hts/${encodeURIComponent(code)}?as_of=2026-10-01`);
      const { list, ...result } = (await response.json()) as Record<string, object>;
      const v1 = await service.post(
        lookupOperation.path,
        { codes: [code], as_of: '2026-10-01' },
        { Authorization: `Bearer ${await service.issue()}` },
      );
      expect(await v1.json()).toMatchObject({ results: [result], list });
    }
  });

  it('allows 30 requests per minute per IP address, including invalid requests', async () => {
    for (let i = 0; i < 15; i++) expect((await service.get(HTS)).status).toBe(200);
    for (let i = 0; i < 15; i++) expect((await service.get('/api/v0/hts/7318?as_of=x')).status).toBe(400);
    const refused = await service.get(HTS);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
    expect(await jsonBody(refused)).toMatchObject({ error: 'rate_limited' });
    service.time.now += 60_000;
    expect((await service.get(HTS)).status).toBe(200);
  });

  it('counts an IPv6 /64 network as one client and an IPv4-mapped IPv6 address as its IPv4 address', async () => {
    expect(remaining(await service.get(HTS, {}, from('2001:db8:1:2::1')))).toBe(29);
    expect(remaining(await service.get(HTS, {}, from('2001:db8:1:2:ffff::9')))).toBe(28);
    expect(remaining(await service.get(HTS, {}, from('2001:db8:1:3::1')))).toBe(29);
    expect(remaining(await service.get(HTS, {}, from('::ffff:203.0.113.7')))).toBe(29);
    expect(remaining(await service.get(HTS, {}, from('203.0.113.7')))).toBe(28);
  });

  it('trusts only the X-Forwarded-For entries of trusted proxies', async () => {
    const via = (forwarded: string) => ({ headers: { 'X-Forwarded-For': forwarded } });
    expect(remaining(await service.get(HTS, via('203.0.113.1'), from('10.0.0.1')))).toBe(29);
    expect(remaining(await service.get(HTS, via('203.0.113.99, 203.0.113.1'), from('10.0.0.1')))).toBe(28);
    const withoutProxy = await startService();
    expect(remaining(await withoutProxy.get(HTS, via('203.0.113.1'), from('10.0.0.1')))).toBe(29);
    expect(remaining(await withoutProxy.get(HTS, via('203.0.113.2'), from('10.0.0.1')))).toBe(28);
    await withoutProxy.stop();
  });

  it('allows pages on any origin to read responses, including errors', async () => {
    const headers = { Origin: 'https://shop.example' };
    for (const path of [HTS, '/api/v0/hts/7318?x=1', '/api/v0/nothing', '/api/openapi.json']) {
      const response = await service.get(path, { headers });
      expect([path, response.headers.get('Access-Control-Allow-Origin')]).toEqual([path, '*']);
      expect(response.headers.get('Access-Control-Expose-Headers')).toContain('RateLimit');
    }
    const preflight = await service.get(HTS, { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('Access-Control-Allow-Methods')]).toEqual([204, 'GET']);
    expect((await service.get('/openapi.yaml', { headers })).headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  it('returns 405 with an Allow header for unsupported methods', async () => {
    const response = await service.get(HTS, { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET']);
  });

  it('sends the Deprecation and Sunset headers once v0 is scheduled for retirement', async () => {
    expect((await service.get(HTS)).headers.get('Deprecation')).toBeNull();
    const retiring = await startService({
      v0Retirement: { deprecatedAt: Date.UTC(2027, 0, 1), sunsetAt: Date.UTC(2027, 6, 1) },
    });
    const { headers } = await retiring.get(HTS);
    expect([headers.get('Deprecation'), headers.get('Sunset')]).toEqual([
      '@1798761600',
      'Thu, 01 Jul 2027 00:00:00 GMT',
    ]);
    await retiring.stop();
  });

  it('never logs IP addresses', async () => {
    await service.get(HTS, { headers: { 'X-Forwarded-For': '203.0.113.1' } }, from('10.0.0.1'));
    expect(service.lines.join()).toContain('/api/v0/hts/{code}');
    expect(service.lines.join()).not.toMatch(/203\.0\.113|10\.0\.0|hts\/7318/);
  });
});
