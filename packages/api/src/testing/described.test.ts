import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { undescribed } from './described.ts';
import { startService } from './service.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const request = new Request('http://service.test/api/v0/hts/7318.15.2061');

describe('the check of answers against their descriptions', () => {
  it('finds nothing in an answer of the service', async () => {
    expect(await undescribed(request, await service.api.fetch(request))).toEqual([]);
  });

  it('finds a status, a header and a body that are not described', async () => {
    const real = await service.api.fetch(request);
    const { headers } = real;
    const body = (await real.json()) as object;
    const answer = (given: object, status = 200) => new Response(JSON.stringify(given), { status, headers });
    const where = 'GET /api/v0/hts/{code}';
    expect(await undescribed(request, answer(body, 418))).toEqual([`${where} 418: the status is not described`]);
    expect(await undescribed(request, answer({ ...body, status: 'maybe' }))).toEqual([
      `${where} 200: /status must be equal to one of the allowed values`,
    ]);
    expect(await undescribed(request, answer({ error: 'nonsense' }, 400))).toEqual([
      `${where} 400: /error must be equal to one of the allowed values`,
    ]);
    headers.delete('RateLimit');
    expect(await undescribed(request, answer(body))).toEqual([`${where} 200: RateLimit is missing`]);
  });
});
