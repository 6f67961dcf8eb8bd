import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../gates/client-address.ts';
import lookupOperation from '../operations/tariff-hts-lookup.ts';
import { addressOf, bodyOf, startService } from '../testing/service.ts';
import { V0_OPERATIONS } from './operations/operations.gen.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeEach(async () => {
  service = await startService({ trustedProxies: 1 });
});
afterEach(() => service.stop());

const HTS = '/api/v0/hts/7318.15.2061?as_of=2026-10-01';
const from = (remoteAddress: string): Connection => ({ incoming: { socket: { remoteAddress } } });
const left = (response: Response) => Number(/"minute";r=(\d+)/.exec(response.headers.get('RateLimit')!)![1]);

describe.each(V0_OPERATIONS)('$id of v0', operation => {
  it('answers its examples without a key, in its published shape, and says that it is unstable', async () => {
    for (const { request } of operation.examples) {
      const response = await service.get(addressOf(operation, request as Record<string, string>));
      expect(response.status).toBe(200);
      expect(response.headers.get('X-Api-Stability')).toBe('unstable');
      const body = await bodyOf(response);
      expect(operation.response.parse(body)).toEqual(body);
    }
  });
});

describe.each(V0_OPERATIONS)('the gates of $id', operation => {
  const request = operation.examples[0]!.request as Record<string, string>;
  const path = addressOf(operation, request);
  const joined = path.includes('?') ? `${path}&` : `${path}?`;
  const [field] = Object.keys(request).filter(name => !operation.path.includes(`{${name}}`));

  it('answer 400 to a field that is not known or given twice, and name it', async () => {
    for (const [query, issue] of [
      ['colour=1', { path: 'colour', code: 'UNKNOWN_FIELD' }],
      ['__proto__=1', { path: '__proto__', code: 'UNKNOWN_FIELD' }],
      [`${field}=again`, { path: field, code: 'INVALID_TYPE' }],
    ] as const) {
      const response = await service.get(joined + query);
      expect([query, response.status]).toEqual([query, 400]);
      expect((await bodyOf(response)).issues).toEqual([{ ...issue, message: expect.any(String) }]);
    }
  });

  it('answer 429 to the request after the thirtieth in a minute, before they read it', async () => {
    for (let i = 0; i < 30; i++) expect((await service.get(`${joined}colour=1`)).status).toBe(400);
    const refused = await service.get(`${joined}colour=1`);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
    expect(refused.headers.get('RateLimit')).toMatch(/^"minute";r=0;t=60, "day";r=43170;/);
  });

  it('answer 405 with Allow to another method, and HEAD without the body', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await service.get(path, { method });
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET']);
    }
    const head = await service.get(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('keep a failure of the service to itself', async () => {
    const broken = await startService();
    await broken.store.close();
    const response = await broken.get(path);
    expect([response.status, Object.keys(await bodyOf(response))]).toEqual([500, ['error', 'message', 'request_id']]);
    expect(broken.failures).toHaveLength(1);
    await broken.stop();
  });
});

describe('v0', () => {
  it('answers a part of what v1 answers', async () => {
    for (const code of ['7318.15.2061', '0101.21.00', '8302.41.60', '7303.00.00', 'abc', '7318/15']) {
      const response = await service.get(`/api/v0/hts/${encodeURIComponent(code)}?as_of=2026-10-01`);
      const { list, ...result } = (await response.json()) as Record<string, object>;
      const v1 = await service.call(
        lookupOperation.path,
        { codes: [code], as_of: '2026-10-01' },
        { Authorization: `Bearer ${await service.issue()}` },
      );
      expect(await v1.json()).toMatchObject({ results: [result], list });
    }
  });

  it('takes 30 requests a minute from an address, whatever becomes of them', async () => {
    for (let i = 0; i < 15; i++) expect((await service.get(HTS)).status).toBe(200);
    for (let i = 0; i < 15; i++) expect((await service.get('/api/v0/hts/7318?as_of=x')).status).toBe(400);
    const refused = await service.get(HTS);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
    expect(await bodyOf(refused)).toMatchObject({ error: 'rate_limited' });
    service.time.now += 60_000;
    expect((await service.get(HTS)).status).toBe(200);
  });

  it('counts an IPv6 /64 as one address, and an IPv4 address in IPv6 clothes as itself', async () => {
    expect(left(await service.get(HTS, {}, from('2001:db8:1:2::1')))).toBe(29);
    expect(left(await service.get(HTS, {}, from('2001:db8:1:2:ffff::9')))).toBe(28);
    expect(left(await service.get(HTS, {}, from('2001:db8:1:3::1')))).toBe(29);
    expect(left(await service.get(HTS, {}, from('::ffff:203.0.113.7')))).toBe(29);
    expect(left(await service.get(HTS, {}, from('203.0.113.7')))).toBe(28);
  });

  it('believes of X-Forwarded-For only what a proxy of ours wrote', async () => {
    const via = (forwarded: string) => ({ headers: { 'X-Forwarded-For': forwarded } });
    expect(left(await service.get(HTS, via('203.0.113.1'), from('10.0.0.1')))).toBe(29);
    expect(left(await service.get(HTS, via('203.0.113.99, 203.0.113.1'), from('10.0.0.1')))).toBe(28);
    const open = await startService();
    expect(left(await open.get(HTS, via('203.0.113.1'), from('10.0.0.1')))).toBe(29);
    expect(left(await open.get(HTS, via('203.0.113.2'), from('10.0.0.1')))).toBe(28);
    await open.stop();
  });

  it('lets pages of any origin read it, errors too', async () => {
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

  it('answers 405 with Allow to another method', async () => {
    const response = await service.get(HTS, { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET']);
  });

  it('says when it ends once that is decided: RFC 9745 and RFC 8594', async () => {
    expect((await service.get(HTS)).headers.get('Deprecation')).toBeNull();
    const ending = await startService({
      v0Retirement: { deprecatedAt: Date.UTC(2027, 0, 1), sunsetAt: Date.UTC(2027, 6, 1) },
    });
    const { headers } = await ending.get(HTS);
    expect([headers.get('Deprecation'), headers.get('Sunset')]).toEqual([
      '@1798761600',
      'Thu, 01 Jul 2027 00:00:00 GMT',
    ]);
    await ending.stop();
  });

  it('writes no address into the log', async () => {
    await service.get(HTS, { headers: { 'X-Forwarded-For': '203.0.113.1' } }, from('10.0.0.1'));
    expect(service.lines.join()).toContain('/api/v0/hts/{code}');
    expect(service.lines.join()).not.toMatch(/203\.0\.113|10\.0\.0|7318/);
  });
});
