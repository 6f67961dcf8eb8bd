import { pages, redirect } from '@compliance/crawler/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pixelScan from '../../operations/pixel-scan.ts';
import { jsonBody, requestPath, startService } from '../../testing/service.ts';
import operation from './scan.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
  const replies = {
    '/': '<html><head></head><body>A page</body></html>',
    '/gone': { status: 404 },
    '/down': { status: 503 },
    '/inside': redirect('http://169.254.169.254/latest/meta-data/'),
  };
  await service.network.site('other.example', pages(replies), '93.184.216.41');
});
afterAll(() => service.stop());
beforeEach(() => {
  service.time.now += 60_000;
});

const scan = async (url: string) => await service.get(requestPath(operation, { url }));

describe('the v0 scan', () => {
  it('returns a subset of the v1 scan response', async () => {
    for (const url of ['https://shop.example/', 'http://other.example/']) {
      const subset = (await (await scan(url)).json()) as { findings: object[]; score: number };
      const headers = { Authorization: `Bearer ${await service.issue('pixel')}` };
      const full = (await (await service.post(pixelScan.path, { url }, headers)).json()) as typeof subset;
      expect(full).toMatchObject(subset);
      expect(subset.findings).toHaveLength(full.findings.length);
      expect(subset.findings.length).toBeGreaterThan(0);
      expect(JSON.stringify(subset)).not.toMatch(/"(inventory|snippet|score_breakdown|drift)"/);
    }
  });

  it.each([
    ['http://127.0.0.1/', 422, 'refused_address'],
    ['http://other.example/inside', 422, 'refused_address'],
    ['http://nowhere.example/', 422, 'unreachable'],
    ['ftp://shop.example/', 422, 'invalid_url'],
    ['<script>alert(1)</script>', 422, 'invalid_url'],
    ['http://other.example/gone', 422, 'http_error'],
    ['http://other.example/down', 502, 'http_error'],
  ])('returns the same error as v1 for %s: %i, %s', async (url, status, reason) => {
    const response = await scan(url);
    const body = await jsonBody(response);
    expect([response.status, body]).toEqual([status, expect.objectContaining({ reason })]);
    expect(response.headers.get('Retry-After')).toBe(status === 502 ? '60' : null);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const headers = { Authorization: `Bearer ${await service.issue('pixel')}` };
    const v1 = await jsonBody(await service.post(pixelScan.path, { url }, headers));
    expect({ ...body, request_id: '' }).toEqual({ ...v1, request_id: '' });
  });

  it('shares the rate limit with all other v0 calls from the same IP address', async () => {
    for (let i = 0; i < 29; i++) await service.get('/api/v0/hts/7318');
    expect((await scan('http://127.0.0.1/')).status).toBe(422);
    const refused = await scan('http://127.0.0.1/');
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
    expect((await service.get('/api/v0/hts/7318')).status).toBe(429);
  });

  it('doesn’t fetch the page if the client exceeds the rate limit', async () => {
    for (let i = 0; i < 30; i++) await service.get('/api/v0/hts/7318');
    const before = service.network.dialed.length;
    expect((await scan('https://shop.example/')).status).toBe(429);
    expect(service.network.dialed).toHaveLength(before);
  });

  it('returns `unavailable` if the service has no scanner', async () => {
    const bare = await startService({ scanner: null });
    const response = await bare.get(requestPath(operation, { url: 'https://shop.example/' }));
    expect(await jsonBody(response)).toMatchObject({ error: 'unavailable' });
    await bare.stop();
  });
});
