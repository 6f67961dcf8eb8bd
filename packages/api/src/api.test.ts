import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ERRORS } from './error-codes.ts';
import { OPERATIONS } from './operations/operations.gen.ts';
import lookupOperation from './operations/tariff-hts-lookup.ts';
import { addressOf, bodyOf, startService } from './testing/service.ts';

const service = await startService();
afterAll(() => service.stop());
beforeEach(() => {
  service.time.now += 86_400_000;
  service.failures.length = 0;
});

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

describe.each(OPERATIONS)('the gates of $id', operation => {
  const { path, scope, method, examples } = operation;
  const request = examples[0]!.request;
  const ask = (headers: Record<string, string>) => service.ask(operation, request, headers);
  const other = scope === 'pixel' ? 'entry' : 'pixel';

  it.each([
    ['no header', {}],
    ['another scheme', { Authorization: 'Basic Zm9vOmJhcg==' }],
    ['a malformed key', bearer('cmpl_live_all_nonsense')],
    ['an empty key', { Authorization: 'Bearer ' }],
    ['a well-formed key that was never issued', bearer('cmpl_live_all_HDJEx7CHVnq0f2AWdHo0NLAA4X1OqXBA0gQrs7')],
  ])('answer 401 to %s', async (_, headers) => {
    const response = await ask(headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(await bodyOf(response)).toEqual({
      error: 'unauthorized',
      message: ERRORS.unauthorized.message,
      request_id: response.headers.get('X-Request-Id'),
    });
  });

  it('answer 401 to a key that was revoked, or has expired by rotation', async () => {
    const { key, record } = await service.store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'test' });
    const { key: successor } = await service.store.keys.rotate(record.id, { overlap: '1h', actor: 'test' });
    expect((await ask(bearer(key))).status).toBe(200);
    service.time.now += 3_600_000;
    expect((await ask(bearer(key))).status).toBe(401);
    expect((await ask(bearer(successor))).status).toBe(200);
    const [newest] = await service.store.keys.list();
    await service.store.keys.revoke(newest!.id, { actor: 'test' });
    expect((await ask(bearer(successor))).status).toBe(401);
  });

  it('answer 403 and exactly {"error":"beta"} to a key without delegate:on', async () => {
    for (const note of ['', 'delegate:off', 'delegate:only', 'xdelegate:on']) {
      const response = await ask(bearer(await service.issue('all', note)));
      expect(response.status).toBe(403);
      expect(await response.text()).toBe('{"error":"beta"}');
    }
  });

  it('read delegate:on among other words of the note', async () => {
    const key = await service.issue('all', 'Acme, founding tier; delegate:on');
    expect((await ask(bearer(key))).status).toBe(200);
  });

  it('answer 403 and exactly {"error":"scope"} to a key for another product area', async () => {
    const response = await ask(bearer(await service.issue(other)));
    expect(response.status).toBe(403);
    expect(await response.text()).toBe('{"error":"scope"}');
  });

  it('say beta before scope', async () => {
    const response = await ask(bearer(await service.issue(other, '')));
    expect(await bodyOf(response)).toEqual({ error: 'beta' });
  });

  it('let a key of the area itself through', async () => {
    expect((await ask(bearer(await service.issue(scope)))).status).toBe(200);
  });

  it('answer 429 to the request after the hundredth in a minute, true to the second', async () => {
    const headers = bearer(await service.issue());
    for (let i = 0; i < 100; i++) expect((await ask(headers)).status).toBe(200);
    service.time.now += 17_400;
    const refused = await ask(headers);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('43');
    expect(refused.headers.get('RateLimit-Policy')).toBe('"minute";q=100;w=60, "day";q=10000;w=86400');
    expect(refused.headers.get('RateLimit')).toBe('"minute";r=0;t=43, "day";r=9900;t=86383');
    expect(await bodyOf(refused)).toMatchObject({ error: 'rate_limited' });
    service.time.now += 42_600;
    expect((await ask(headers)).status).toBe(200);
  });

  it('answer 429 to the request after the ten-thousandth in a day, true to the second', async () => {
    const { key, record } = await service.store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'test' });
    const started = service.time.now;
    // The other 9,999 of the day, as many a minute as may be.
    for (let i = 0; i < 9_999; i++) {
      if (i % 100 === 0) service.time.now += 60_000;
      const { allowed } = await service.store.limits.take(record.family);
      if (!allowed) throw new Error(`refused at ${i}`);
    }
    service.time.now += 60_000;
    expect((await ask(bearer(key))).headers.get('RateLimit')).toMatch(/^"minute";r=99;t=60, "day";r=0;/);
    const refused = await ask(bearer(key));
    const wait = (started + 60_000 + 86_400_000 - service.time.now) / 1000;
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, `${wait}`]);
    expect(await bodyOf(refused)).toMatchObject({ error: 'rate_limited' });
    service.time.now += wait * 1000;
    expect((await ask(bearer(key))).status).toBe(200);
  });

  it('keep a failure behind them to the service: 500, or what the operation says of it, without a word of why', async () => {
    const told = /SQLITE|node:| {4}at |disk on fire/;
    const failing = await startService({ scanner: () => Promise.reject(new Error('disk on fire')) });
    const key = await failing.issue();
    // The gates still pass; what the operation itself needs is gone.
    failing.store.certificates.issue = () => Promise.reject(new Error('disk on fire'));
    const response = await failing.ask(operation, request, bearer(key));
    const needsNothing = scope === 'tariff';
    expect(response.status).toBe(needsNothing ? 200 : 500);
    expect(await response.text()).not.toMatch(told);
    expect(failing.failures).toHaveLength(needsNothing ? 0 : 1);
    await failing.store.close();
    const down = await failing.ask(operation, request, bearer(key));
    expect([down.status, Object.keys(await bodyOf(down))]).toEqual([500, ['error', 'message', 'request_id']]);
    await failing.stop();
  });

  it('answer 405 with Allow to another method', async () => {
    const others = ['GET', 'POST', 'PUT', 'DELETE'].filter(other => other !== method.toUpperCase());
    for (const other of others) {
      const response = await service.get(path, { method: other });
      expect([response.status, response.headers.get('Allow')]).toEqual([405, method.toUpperCase()]);
      expect(await bodyOf(response)).toMatchObject({ error: 'method_not_allowed' });
    }
  });
});

describe.each(OPERATIONS.filter(({ method }) => method === 'post'))('the body gates of $id', ({ path, examples }) => {
  const request = examples[0]!.request;

  it('count a request that a later gate refuses', async () => {
    const headers = bearer(await service.issue());
    await service.call(path, 'no json', headers);
    await service.call(path, {}, headers);
    const response = await service.call(path, request, headers);
    expect(response.headers.get('RateLimit')).toMatch(/^"minute";r=97;/);
  });

  it('answer 415 to another content type, before they read the body', async () => {
    const headers = bearer(await service.issue());
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
      expect((await service.call(path, 'no json', { ...headers, 'Content-Type': type })).status).toBe(415);
    }
    const withCharset = { ...headers, 'Content-Type': 'Application/JSON; charset=utf-8' };
    expect((await service.call(path, request, withCharset)).status).toBe(200);
  });

  it('answer 413 to a body over 256 KiB, announced or not', async () => {
    const headers = bearer(await service.issue());
    const large = `{"codes":["${'1'.repeat(256 * 1024)}"]}`;
    expect((await service.call(path, large, headers)).status).toBe(413);
    expect((await service.call(path, large, { ...headers, 'Content-Length': '10' })).status).toBe(413);
    expect((await service.call(path, '{}', { ...headers, 'Content-Length': '300000' })).status).toBe(413);
  });

  it('answer 400 to what is not JSON', async () => {
    const headers = bearer(await service.issue());
    const invalidUtf8 = new Uint8Array([0x22, 0xff, 0x22]);
    for (const body of ['', '{', 'undefined', '{"codes":[1,]}', invalidUtf8, '['.repeat(200_000)]) {
      const response = await service.call(path, body, headers);
      expect([response.status, await bodyOf(response)]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_json' }),
      ]);
    }
  });

  it('answer 400 to a wrong shape and name the field', async () => {
    const headers = bearer(await service.issue());
    for (const body of ['null', '[]', '"x"', '1', '{}', '{"__proto__":{"codes":["7318"]}}']) {
      const response = await service.call(path, body, headers);
      expect([body, response.status]).toEqual([body, 400]);
      expect(await bodyOf(response)).toMatchObject({
        error: 'invalid_request',
        issues: expect.arrayContaining([expect.anything()]),
      });
    }
    const unknown = await service.call(path, { ...(request as object), colour: 1 }, headers);
    expect((await bodyOf(unknown)).issues).toEqual([
      { path: 'colour', code: 'UNKNOWN_FIELD', message: expect.any(String) },
    ]);
  });
});

describe.each(OPERATIONS.filter(({ method }) => method === 'get'))('the query gates of $id', operation => {
  const request = operation.examples[0]!.request as Record<string, string>;
  const path = addressOf(operation, request);

  it('count a request that they refuse', async () => {
    const headers = bearer(await service.issue());
    expect((await service.get(`${path}&colour=1`, { headers })).status).toBe(400);
    expect((await service.get(path, { headers })).headers.get('RateLimit')).toMatch(/^"minute";r=98;/);
  });

  it('answer 400 to a parameter that is not known, given twice or no value of its kind, and name it', async () => {
    const headers = bearer(await service.issue());
    const [field] = Object.keys(request);
    for (const [query, issue] of [
      ['&colour=1', { path: 'colour', code: 'UNKNOWN_FIELD' }],
      ['&__proto__=1', { path: '__proto__', code: 'UNKNOWN_FIELD' }],
      [`&${field}=2026-01-01`, { path: field, code: 'INVALID_TYPE' }],
    ] as const) {
      const response = await service.get(path + query, { headers });
      expect(response.status).toBe(400);
      expect((await bodyOf(response)).issues).toEqual([{ ...issue, message: expect.any(String) }]);
    }
    const wrong = await service.get(addressOf(operation, { ...request, [field!]: '2026-02-30' }), { headers });
    expect((await bodyOf(wrong)).issues).toEqual([{ path: field, code: 'INVALID_DATE', message: expect.any(String) }]);
  });

  it('answer HEAD as GET, without the body', async () => {
    const response = await service.get(path, { method: 'HEAD', headers: bearer(await service.issue()) });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('every answer', () => {
  const { path, examples } = lookupOperation;
  const call = async (headers: Record<string, string>) => service.call(path, examples[0]!.request, headers);

  it('carries a request id: the caller’s if it is harmless, else a new one', async () => {
    const own = await call({ 'X-Request-Id': 'order-17_b' });
    expect(own.headers.get('X-Request-Id')).toBe('order-17_b');
    const replaced = await call({ 'X-Request-Id': 'a b<script>' });
    expect(replaced.headers.get('X-Request-Id')).toMatch(/^[\w-]{1,64}$/);
    expect((await call({ 'X-Request-Id': 'x'.repeat(65) })).headers.get('X-Request-Id')).toHaveLength(36);
  });

  it('is not stored by caches', async () => {
    expect((await call({})).headers.get('Cache-Control')).toBe('no-store');
    expect((await call(bearer(await service.issue()))).headers.get('Cache-Control')).toBe('no-store');
  });

  it('is problem details for errors when the caller asks for them', async () => {
    const response = await call({ Accept: 'application/problem+json, application/json' });
    expect(response.headers.get('Content-Type')).toBe('application/problem+json');
    expect(await bodyOf(response)).toEqual({
      type: '/docs/errors/unauthorized',
      title: ERRORS.unauthorized.message,
      status: 401,
      error: 'unauthorized',
      request_id: response.headers.get('X-Request-Id'),
    });
  });

  it('keeps a failure of the service to itself', async () => {
    const broken = await startService();
    const key = await broken.issue();
    await broken.store.close();
    const response = await broken.call(path, examples[0]!.request, bearer(key));
    expect(response.status).toBe(500);
    expect(Object.keys(await bodyOf(response))).toEqual(['error', 'message', 'request_id']);
    expect(broken.failures).toHaveLength(1);
    expect((await broken.get('/readyz')).status).toBe(503);
    expect((await broken.get('/healthz')).status).toBe(200);
    await broken.stop();
  });
});

describe('other paths', () => {
  it('are 404 in the same shape', async () => {
    const response = await service.get('/api/v1/nothing');
    expect(response.status).toBe(404);
    expect(await bodyOf(response)).toMatchObject({ error: 'not_found' });
  });

  it('say whether the service lives and is ready', async () => {
    expect(await bodyOf(await service.get('/healthz'))).toEqual({ status: 'ok' });
    expect(await bodyOf(await service.get('/readyz'))).toEqual({ status: 'ready' });
    expect((await service.get('/healthz', { method: 'HEAD' })).status).toBe(200);
  });

  it('serve the description of the API with a validator', async () => {
    const first = await service.get('/openapi.yaml');
    expect(first.headers.get('Content-Type')).toBe('application/yaml');
    const validator = first.headers.get('ETag')!;
    const second = await service.get('/openapi.yaml', { headers: { 'If-None-Match': validator } });
    expect(second.status).toBe(304);
  });
});

describe('usage', () => {
  it('is recorded by key and operation', async () => {
    const { key, record } = await service.store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'test' });
    const { path, id, examples } = lookupOperation;
    await service.call(path, examples[0]!.request, bearer(key));
    await service.call(path, examples[0]!.request, bearer(key));
    const usage = await service.store.usage.daily({ keyId: record.id, days: 1 });
    expect(usage).toEqual([{ day: expect.stringMatching(/^\d{4}-/), operation: id, count: 2 }]);
  });
});
