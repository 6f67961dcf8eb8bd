import { ERRORS } from '@compliance/contract/errors';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { OPERATIONS } from './operations/operations.gen.ts';
import lookupOperation from './operations/tariff-hts-lookup.ts';
import { jsonBody, requestPath, startService } from './testing/service.ts';

const service = await startService();
afterAll(() => service.stop());
beforeEach(() => {
  service.time.now += 86_400_000;
  service.failures.length = 0;
});

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
/** Counts requests toward the rate limits without sending them, which is much faster. */
const useUp = async (family: string, count: number) => {
  const requests = await Promise.all(Array.from({ length: count }, () => service.store.limits.take(family)));
  expect(requests.every(({ allowed }) => allowed)).toBe(true);
};

describe.each(OPERATIONS)('$id middleware', operation => {
  const { id, path, scope, method, examples, cost = 1 } = operation;
  const example = examples[0]!;
  const send = (headers: Record<string, string>) => service.callExample(operation, example, headers);
  const other = scope === 'pixel' ? 'entry' : 'pixel';

  it.each([
    ['a missing header', {}],
    ['a different scheme', { Authorization: 'Basic Zm9vOmJhcg==' }],
    ['a malformed key', bearer('cmpl_live_all_nonsense')],
    ['an empty key', { Authorization: 'Bearer ' }],
    ['an unknown key', bearer('cmpl_live_all_HDJEx7CHVnq0f2AWdHo0NLAA4X1OqXBA0gQrs7')],
  ])('returns 401 for %s', async (_, headers) => {
    const response = await send(headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(await jsonBody(response)).toEqual({
      error: 'unauthorized',
      message: ERRORS.unauthorized.message,
      request_id: response.headers.get('X-Request-Id'),
    });
  });

  it('returns 401 for a revoked key and for a key that expired after a rotation', async () => {
    const { key, record } = await service.store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'test' });
    const { key: successor } = await service.store.keys.rotate(record.id, { overlap: '1h', actor: 'test' });
    expect((await send(bearer(key))).status).toBe(200);
    service.time.now += 3_600_000;
    expect((await send(bearer(key))).status).toBe(401);
    expect((await send(bearer(successor))).status).toBe(200);
    const [newest] = await service.store.keys.list();
    await service.store.keys.revoke(newest!.id, { actor: 'test' });
    expect((await send(bearer(successor))).status).toBe(401);
  });

  it('returns 403 with the exact body {"error":"beta"} for a key without delegate:on', async () => {
    for (const note of ['', 'delegate:off', 'delegate:only', 'xdelegate:on']) {
      const response = await send(bearer(await service.issue('all', note)));
      expect(response.status).toBe(403);
      expect(await response.text()).toBe('{"error":"beta"}');
    }
  });

  it('recognizes the delegate:on flag among other words in the key’s note', async () => {
    const key = await service.issue('all', 'Acme, founding tier; delegate:on');
    expect((await send(bearer(key))).status).toBe(200);
  });

  it('returns 403 with the exact body {"error":"scope"} for a key with a different scope', async () => {
    const response = await send(bearer(await service.issue(other)));
    expect(response.status).toBe(403);
    expect(await response.text()).toBe('{"error":"scope"}');
  });

  it('checks delegate access before the scope', async () => {
    const response = await send(bearer(await service.issue(other, '')));
    expect(await jsonBody(response)).toEqual({ error: 'beta' });
  });

  it('accepts a key with the required scope', async () => {
    expect((await send(bearer(await service.issue(scope === 'any' ? 'all' : scope)))).status).toBe(200);
  });

  it('returns 429 with the exact Retry-After value after 100 requests in a minute', async () => {
    const { key, record } = await service.store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'test' });
    const headers = bearer(key);
    expect((await send(headers)).headers.get('RateLimit')).toContain(`"minute";r=${100 - cost};t=60`);
    await useUp(record.family, 100 - cost);
    service.time.now += 17_400;
    const refused = await send(headers);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('43');
    expect(refused.headers.get('RateLimit-Policy')).toBe('"minute";q=100;w=60, "day";q=10000;w=86400');
    expect(refused.headers.get('RateLimit')).toBe('"minute";r=0;t=43, "day";r=9900;t=86383');
    expect(await jsonBody(refused)).toMatchObject({ error: 'rate_limited' });
    service.time.now += 42_600;
    expect((await send(headers)).status).toBe(200);
  });

  it('returns 429 with the exact Retry-After value after 10,000 requests in a day', async () => {
    const { key, record } = await service.store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'test' });
    const started = service.time.now;
    // Use up the rest of the daily quota at the maximum per-minute rate.
    for (let left = 10_000 - cost; left > 0; left -= 100) {
      service.time.now += 60_000;
      await useUp(record.family, Math.min(left, 100));
    }
    service.time.now += 60_000;
    expect((await send(bearer(key))).headers.get('RateLimit')).toContain(`"minute";r=${100 - cost};t=60, "day";r=0;`);
    const refused = await send(bearer(key));
    const wait = (started + 60_000 + 86_400_000 - service.time.now) / 1000;
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, `${wait}`]);
    expect(await jsonBody(refused)).toMatchObject({ error: 'rate_limited' });
    service.time.now += wait * 1000;
    expect((await send(bearer(key))).status).toBe(200);
  });

  it('returns 500 without internal details if an operation’s dependency fails', async () => {
    const internalDetails = /SQLITE|node:| {4}at |disk on fire/;
    // Make the operation's dependencies fail without affecting the middleware.
    const fail = () => Promise.reject(new Error('disk on fire'));
    const failing = await startService({ scanner: fail, siteScanner: fail });
    const key = await failing.issue();
    for (const name of Object.keys(failing.store.certificates))
      Object.assign(failing.store.certificates, { [name]: fail });
    const response = await failing.callExample(operation, example, bearer(key));
    const hasNoDependency =
      scope === 'tariff' || scope === 'any' || ['entry.gcc.efiling', 'entry.registry.read'].includes(id);
    expect(response.status).toBe(hasNoDependency ? 200 : 500);
    expect(await response.text()).not.toMatch(internalDetails);
    expect(failing.failures).toHaveLength(hasNoDependency ? 0 : 1);
    await failing.store.close();
    const down = await failing.callExample(operation, example, bearer(key));
    expect([down.status, Object.keys(await jsonBody(down))]).toEqual([500, ['error', 'message', 'request_id']]);
    await failing.stop();
  });

  it('returns 405 with an Allow header for unsupported methods', async () => {
    const supported = OPERATIONS.filter(other => other.path === path).map(other => other.method.toUpperCase());
    expect(supported).toContain(method.toUpperCase());
    const others = ['GET', 'POST', 'PUT', 'DELETE'].filter(other => !supported.includes(other));
    for (const other of others) {
      const response = await service.get(path, { method: other });
      expect([response.status, response.headers.get('Allow')]).toEqual([405, supported.sort().join(', ')]);
      expect(await jsonBody(response)).toMatchObject({ error: 'method_not_allowed' });
    }
  });
});

describe.each(OPERATIONS.filter(({ method }) => method === 'post'))('$id body parsing', operation => {
  const { cost = 1, examples } = operation;
  const { params = {}, request } = examples[0]!;
  const path = requestPath(operation, params as Record<string, string>);

  it('counts rejected requests toward the rate limit', async () => {
    const headers = bearer(await service.issue());
    await service.post(path, 'no json', headers);
    await service.post(path, {}, headers);
    const response = await service.post(path, request, headers);
    expect(response.headers.get('RateLimit')).toContain(`"minute";r=${100 - 3 * cost};`);
  });

  it('returns 415 for unsupported content types without reading the body', async () => {
    const headers = bearer(await service.issue());
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
      expect((await service.post(path, 'no json', { ...headers, 'Content-Type': type })).status).toBe(415);
    }
    const withCharset = { ...headers, 'Content-Type': 'Application/JSON; charset=utf-8' };
    const [example] = operation.examples;
    expect((await service.callExample(operation, example!, withCharset)).status).toBe(200);
  });

  it('returns 413 for a body over the size limit, regardless of the Content-Length header', async () => {
    const headers = bearer(await service.issue());
    const { maxBodyBytes = 256 * 1024 } = operation;
    const large = `{"codes":["${'1'.repeat(maxBodyBytes)}"]}`;
    expect((await service.post(path, large, headers)).status).toBe(413);
    expect((await service.post(path, large, { ...headers, 'Content-Length': '10' })).status).toBe(413);
    expect((await service.post(path, '{}', { ...headers, 'Content-Length': `${maxBodyBytes + 1}` })).status).toBe(413);
  });

  it('returns 400 for invalid JSON', async () => {
    const headers = bearer(await service.issue());
    const invalidUtf8 = new Uint8Array([0x22, 0xff, 0x22]);
    for (const body of ['', '{', 'undefined', '{"codes":[1,]}', invalidUtf8, '['.repeat(200_000)]) {
      const response = await service.post(path, body, headers);
      expect([response.status, await jsonBody(response)]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_json' }),
      ]);
    }
  });

  it('returns 400 with the path of each invalid field', async () => {
    const headers = bearer(await service.issue());
    for (const body of ['null', '[]', '"x"', '1', '{}', '{"__proto__":{"codes":["7318"]}}']) {
      const response = await service.post(path, body, headers);
      expect([body, response.status]).toEqual([body, 400]);
      expect(await jsonBody(response)).toMatchObject({
        error: 'invalid_request',
        issues: expect.arrayContaining([expect.anything()]),
      });
    }
    const unknown = await service.post(path, { ...(request as object), color: 1 }, headers);
    expect((await jsonBody(unknown)).issues).toEqual([
      { path: 'color', code: 'UNKNOWN_FIELD', message: expect.any(String) },
    ]);
  });
});

describe.each(OPERATIONS.filter(({ method }) => method === 'get'))('$id query parsing', operation => {
  const { cost = 1 } = operation;
  const request = operation.examples[0]!.request as Record<string, string>;
  const path = requestPath(operation, request);
  const extended = path.includes('?') ? path : `${path}?`;

  it('counts rejected requests toward the rate limit', async () => {
    const headers = bearer(await service.issue());
    expect((await service.get(`${extended}&color=1`, { headers })).status).toBe(400);
    expect((await service.get(path, { headers })).headers.get('RateLimit')).toContain(`"minute";r=${100 - 2 * cost};`);
  });

  it('returns 400 with the name of an unknown, repeated, or invalid parameter', async () => {
    const headers = bearer(await service.issue());
    const [field] = Object.keys(request);
    /** Issue codes for a repeated value and an invalid value, by field. Fields that aren't listed here are dates. */
    const [repeated, invalid] = {
      id: ['INVALID_TYPE', 'INVALID_FORMAT'],
      operation: ['INVALID_VALUE', 'INVALID_VALUE'],
      within: ['INVALID_TYPE', 'INVALID_TYPE'],
    }[field!] ?? ['INVALID_TYPE', 'INVALID_DATE'];
    for (const [query, issue] of [
      ['&color=1', { path: 'color', code: 'UNKNOWN_FIELD' }],
      ['&__proto__=1', { path: '__proto__', code: 'UNKNOWN_FIELD' }],
      [`&${field}=2026-01-01`, { path: field, code: repeated }],
    ] as const) {
      const response = await service.get(extended + query, { headers });
      expect(response.status).toBe(400);
      expect((await jsonBody(response)).issues).toEqual([{ ...issue, message: expect.any(String) }]);
    }
    const wrong = await service.get(requestPath(operation, { ...request, [field!]: '2026-02-30' }), { headers });
    expect((await jsonBody(wrong)).issues).toEqual([{ path: field, code: invalid, message: expect.any(String) }]);
  });

  it('responds to HEAD as it does to GET, but without a body', async () => {
    const key = await service.issue();
    const own = requestPath(operation, await service.withOwnId(operation, request, key));
    const response = await service.get(own, { method: 'HEAD', headers: bearer(key) });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('every response', () => {
  const { path, examples } = lookupOperation;
  const call = async (headers: Record<string, string>) => service.post(path, examples[0]!.request, headers);

  it('includes the client’s request ID if it’s safe to echo, or a new ID otherwise', async () => {
    const own = await call({ 'X-Request-Id': 'order-17_b' });
    expect(own.headers.get('X-Request-Id')).toBe('order-17_b');
    const replaced = await call({ 'X-Request-Id': 'a b<script>' });
    expect(replaced.headers.get('X-Request-Id')).toMatch(/^[\w-]{1,64}$/);
    expect((await call({ 'X-Request-Id': 'x'.repeat(65) })).headers.get('X-Request-Id')).toHaveLength(36);
  });

  it('includes headers that prevent caching', async () => {
    expect((await call({})).headers.get('Cache-Control')).toBe('no-store');
    expect((await call(bearer(await service.issue()))).headers.get('Cache-Control')).toBe('no-store');
  });

  it('describes an error as problem details if the client requests that format', async () => {
    const response = await call({ Accept: 'application/problem+json, application/json' });
    expect(response.headers.get('Content-Type')).toBe('application/problem+json');
    expect(await jsonBody(response)).toEqual({
      type: '/docs/errors/unauthorized',
      title: ERRORS.unauthorized.message,
      status: 401,
      error: 'unauthorized',
      request_id: response.headers.get('X-Request-Id'),
    });
  });

  it('doesn’t reveal internal error details', async () => {
    const broken = await startService();
    const key = await broken.issue();
    await broken.store.close();
    const response = await broken.post(path, examples[0]!.request, bearer(key));
    expect(response.status).toBe(500);
    expect(Object.keys(await jsonBody(response))).toEqual(['error', 'message', 'request_id']);
    expect(broken.failures).toHaveLength(1);
    expect((await broken.get('/readyz')).status).toBe(503);
    expect((await broken.get('/healthz')).status).toBe(200);
    await broken.stop();
  });
});

describe('paths outside the API operations', () => {
  it('returns 404 in the standard error format for unknown paths', async () => {
    const response = await service.get('/api/v1/nothing');
    expect(response.status).toBe(404);
    expect(await jsonBody(response)).toMatchObject({ error: 'not_found' });
  });

  it('reports health and readiness', async () => {
    expect(await jsonBody(await service.get('/healthz'))).toEqual({ status: 'ok' });
    expect(await jsonBody(await service.get('/readyz'))).toMatchObject({
      status: 'ready',
      checks: { database: { status: 'ok' }, pdfs: { status: 'ok' }, lists: { known_through: expect.any(String) } },
    });
    expect((await service.get('/healthz', { method: 'HEAD' })).status).toBe(200);
  });

  it('serves the OpenAPI document with an ETag', async () => {
    const first = await service.get('/openapi.yaml');
    expect(first.headers.get('Content-Type')).toBe('application/yaml');
    const validator = first.headers.get('ETag')!;
    const second = await service.get('/openapi.yaml', { headers: { 'If-None-Match': validator } });
    expect(second.status).toBe(304);
  });
});

describe('usage recording', () => {
  it('records usage for each key and operation', async () => {
    const { key, record } = await service.store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'test' });
    const { path, id, examples } = lookupOperation;
    await service.post(path, examples[0]!.request, bearer(key));
    await service.post(path, examples[0]!.request, bearer(key));
    const usage = await service.store.usage.daily({ keyId: record.id, days: 1 });
    expect(usage).toEqual([{ day: expect.stringMatching(/^\d{4}-/), operation: id, count: 2 }]);
  });
});
