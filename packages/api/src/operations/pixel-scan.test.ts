import { PoolError } from '@compliance/crawler/pool';
import { pages, redirect } from '@compliance/crawler/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, startService } from '../testing/service.ts';
import operation from './pixel-scan.ts';

const service = await startService();
let headers: Record<string, string>;
beforeAll(async () => {
  headers = { Authorization: `Bearer ${await service.issue('pixel')}` };
  await service.network.site('broken.example', (_, response) => response.destroy(), '93.184.216.40');
  await service.network.site(
    'other.example',
    pages({
      '/down': { status: 503 },
      '/gone': { status: 404 },
      '/forbidden': { status: 403 },
      '/file': { headers: { 'content-type': 'application/pdf' }, body: '%PDF' },
      '/inside': redirect('http://169.254.169.254/latest/meta-data/'),
      '/plain': '<html><head></head><body>A page</body></html>',
    }),
    '93.184.216.41',
  );
});
afterAll(() => service.stop());

const call = async (body: unknown, service_ = service) => {
  const response = await service_.call(operation.path, body, headers);
  return { status: response.status, headers: response.headers, body: await bodyOf(response) };
};

describe('pixel.scan', () => {
  it('answers score, findings and counts, fit to its published schema', async () => {
    const { status, body } = await call({ url: 'https://shop.example/' });
    expect(status).toBe(200);
    expect(body.findings.map(finding => finding.rule_id)).toContain('ga_analytics_js_legacy');
    expect(operation.response.parse(body)).toEqual(body);
    expect(Number.isInteger(body.score)).toBe(true);
  });

  it('says what changed since a baseline', async () => {
    const { body: before } = await call({ url: 'https://shop.example/' });
    const { body } = await call({ url: 'https://shop.example/', baseline: before.inventory });
    expect(body).toMatchObject({ drift: { drift_status: 'none', findings: [] } });
    expect(operation.response.parse(body)).toEqual(body);
  });

  it('scans a page that is no Shopify storefront, and says so', async () => {
    const { status, body } = await call({ url: 'http://other.example/plain' });
    expect(status).toBe(200);
    expect(body.findings.map(finding => finding.rule_id)).toContain('shopify_not_detected');
  });

  it.each([
    ['http://127.0.0.1/', 'refused_address'],
    ['http://[::ffff:10.0.0.1]/', 'refused_address'],
    ['http://localhost:80/', 'refused_address'],
    ['http://other.example/inside', 'refused_address'],
    ['http://nowhere.example/', 'unreachable'],
    ['ftp://shop.example/', 'invalid_url'],
    ['http://other.example:8787/', 'invalid_url'],
    ['not a url', 'invalid_url'],
    ['http://other.example/gone', 'http_error'],
    ['http://other.example/forbidden', 'blocked'],
    ['http://other.example/file', 'not_html'],
  ])('answers 422 scan_failed to %s: %s', async (url, reason) => {
    const { status, body } = await call({ url });
    expect([status, body]).toEqual([422, expect.objectContaining({ error: 'scan_failed', reason })]);
    expect(Object.keys(body).sort()).toEqual(['error', 'message', 'reason', 'request_id']);
    expect(JSON.stringify(body)).not.toMatch(/169\.254|10\.0\.0|127\.0|node:| {4}at /);
  });

  it.each(['http://other.example/down', 'http://broken.example/'])('answers 502 upstream to %s', async url => {
    const { status, body, headers: answered } = await call({ url });
    expect([status, body.error]).toEqual([502, 'upstream']);
    expect(answered.get('Retry-After')).toBe('60');
  });

  it('answers 503 with Retry-After when there is no room', async () => {
    const full = await startService({
      scanner: () => Promise.reject(new PoolError('busy', 'Too many jobs are waiting.')),
    });
    const response = await full.call(
      operation.path,
      { url: 'https://shop.example/' },
      { Authorization: `Bearer ${await full.issue()}` },
    );
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    await full.stop();
  });

  it.each([
    ['no url', {}, { path: 'url', code: 'REQUIRED' }],
    ['an empty url', { url: '' }, { path: 'url', code: 'TOO_FEW' }],
    ['a number', { url: 1 }, { path: 'url', code: 'INVALID_TYPE' }],
    ['an endless url', { url: `https://shop.example/${'a'.repeat(2048)}` }, { path: 'url', code: 'TOO_LONG' }],
    [
      'an unknown profile',
      { url: 'https://shop.example/', profile: 'mars' },
      { path: 'profile', code: 'INVALID_VALUE' },
    ],
    ['a baseline that is none', { url: 'https://shop.example/', baseline: {} }, { path: 'baseline.version' }],
  ])('answers 400 to %s', async (_, body, issue) => {
    expect(await call(body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', issues: expect.arrayContaining([expect.objectContaining(issue)]) },
    });
  });
});
