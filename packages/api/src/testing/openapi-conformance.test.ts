import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformanceErrors } from './openapi-conformance.ts';
import { startService } from './service.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const request = new Request('http://service.test/api/v0/hts/7318.15.2061');

describe('the OpenAPI conformance check', () => {
  it('doesn’t report problems for a real service response', async () => {
    expect(await conformanceErrors(request, await service.api.fetch(request))).toEqual([]);
  });

  it('reports undocumented statuses, content types, and headers, invalid bodies and headers, and missing headers', async () => {
    const real = await service.api.fetch(request);
    const { headers } = real;
    const body = (await real.json()) as object;
    const respond = (changed: object, status = 200) => new Response(JSON.stringify(changed), { status, headers });
    const where = 'GET /api/v0/hts/{code}';
    expect(await conformanceErrors(request, respond(body, 418))).toEqual([`${where} 418: undocumented status`]);
    expect(await conformanceErrors(request, respond({ ...body, status: 'maybe' }))).toEqual([
      `${where} 200: /status must be equal to one of the allowed values`,
    ]);
    const error = { message: '', request_id: '' };
    expect(await conformanceErrors(request, respond({ ...error, error: 'beta' }, 400))).toEqual([
      `${where} 400: /error must be equal to one of the allowed values`,
    ]);
    headers.set('Content-Type', 'application/problem+json');
    expect(await conformanceErrors(request, respond({ ...error, error: 'invalid_request' }, 400))).toEqual([
      ...['type', 'title', 'status'].map(name => `${where} 400:  must have required property '${name}'`),
    ]);
    expect(await conformanceErrors(request, respond(body))).toEqual([
      `${where} 200: undocumented type application/problem+json`,
    ]);
    headers.set('Content-Type', 'application/json');
    headers.set('X-Powered-By', 'Node');
    headers.set('RateLimit', 'unlimited');
    headers.delete('X-Request-Id');
    expect(await conformanceErrors(request, respond(body))).toEqual([
      `${where} 200: undocumented header x-powered-by`,
      `${where} 200: missing header x-request-id`,
      `${where} 200: invalid header ratelimit`,
    ]);
  });
});
