import { PoolError } from '@compliance/crawler/pool';
import { pages } from '@compliance/crawler/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../testing/service.ts';
import operation from './pixel-site-scan.ts';

const META = "<script>fbq('init','111000000000001');fbq('track','PageView')</script>";
const html = (body: string) => `<html><head>${META}</head><body>${body}</body></html>`;
const replies = {
  '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /search' },
  '/': html('<a href="/collections/mugs">Mugs</a><a href="/products/mug">Mug</a>'),
  '/collections/mugs': html(''),
  '/products/mug': html('<script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script>'),
  '/cart': html(''),
};

const service = await startService();
let headers: Record<string, string>;
beforeAll(async () => {
  headers = { Authorization: `Bearer ${await service.issue('pixel')}` };
  await service.network.site('whole.example', pages(replies), '93.184.216.40');
  await service.network.site('down.example', pages({ '/': { status: 503 } }), '93.184.216.41');
});
afterAll(() => service.stop());

const call = async (body: unknown, from = service, authorization = headers) => {
  const response = await from.post(operation.path, body, authorization);
  return { status: response.status, headers: response.headers, json: (await response.json()) as { error?: string } };
};
const scan = async (body: unknown) => operation.response.parse((await call(body)).json);

describe('pixel.site.scan', () => {
  it('returns the combined findings and every page type, in a response that matches the schema', async () => {
    const { status, json } = await call({ url: 'http://whole.example/products/mug' });
    expect(status).toBe(200);
    const result = operation.response.parse(json);
    expect(result).toEqual(json);
    expect(result.score_covers).toEqual(['home', 'collection', 'product', 'cart']);
    expect(result.pages.map(({ page_type, reason }) => [page_type, reason])).toEqual([
      ...[
        ['home', null],
        ['collection', null],
        ['product', null],
        ['cart', null],
      ],
      ...[
        ['search', 'robots'],
        ['blog', 'not_found'],
        ['locale', 'not_found'],
      ],
    ]);
    const legacy = result.findings.find(({ rule_id }) => rule_id === 'ga_analytics_js_legacy');
    expect(legacy?.seen_on).toEqual(['product']);
  });

  it('compares each page type with its baseline and reports no drift if nothing changed', async () => {
    const { inventories: baselines } = await scan({ url: 'http://whole.example/' });
    const { drift } = await scan({ url: 'http://whole.example/', baselines });
    expect(drift).toMatchObject({ drift_status: 'none', findings: [] });
    expect(drift?.pages.map(({ page_type, not_compared }) => [page_type, not_compared])).toEqual([
      ...[
        ['home', null],
        ['collection', null],
        ['product', null],
        ['cart', null],
      ],
    ]);
  });

  it('counts a site scan as one request per page type', async () => {
    const key = { Authorization: `Bearer ${await service.issue('pixel')}` };
    const { headers: limits } = await call({ url: 'http://whole.example/' }, service, key);
    expect(limits.get('RateLimit')).toContain('"minute";r=93');
  });

  it('fails with the same errors as a page scan if the home page can’t be scanned', async () => {
    expect(await call({ url: 'http://127.0.0.1/' })).toMatchObject({
      ...{ status: 422, json: { error: 'scan_failed', reason: 'refused_address' } },
    });
    expect(await call({ url: 'http://down.example/' })).toMatchObject({ status: 502, json: { error: 'upstream' } });
  });

  it('rejects a single-page baseline', async () => {
    const [first] = (await scan({ url: 'http://whole.example/' })).inventories;
    const { status, json } = await call({ url: 'http://whole.example/', baselines: first?.inventory });
    expect([status, json.error]).toEqual([400, 'invalid_request']);
  });

  it('returns 503 if the service doesn’t have a scanner or the scanner is at capacity', async () => {
    for (const siteScanner of [null, () => Promise.reject(new PoolError('busy', 'The queue is full.', 4_200))]) {
      const other = await startService({ siteScanner });
      const key = { Authorization: `Bearer ${await other.issue('pixel')}` };
      const { status, json } = await call({ url: 'http://whole.example/' }, other, key);
      expect([status, json.error]).toEqual([503, 'unavailable']);
      await other.stop();
    }
  });
});
