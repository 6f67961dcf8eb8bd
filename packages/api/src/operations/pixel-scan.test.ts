import { PoolError } from '@compliance/crawler/pool';
import { pages, redirect } from '@compliance/crawler/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonBody, startService } from '../testing/service.ts';
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

const call = async (body: unknown) => {
  const response = await service.post(operation.path, body, headers);
  return { status: response.status, headers: response.headers, body: await jsonBody(response) };
};

describe('pixel.scan', () => {
  it('returns a score, findings, and counts that match the response schema', async () => {
    const { status, body } = await call({ url: 'https://shop.example/' });
    expect(status).toBe(200);
    expect(body.findings.map(finding => finding.rule_id)).toContain('ga_analytics_js_legacy');
    expect(operation.response.parse(body)).toEqual(body);
    expect(Number.isInteger(body.score)).toBe(true);
  });

  it('compares the page with a baseline and reports no drift if nothing changed', async () => {
    const { body: before } = await call({ url: 'https://shop.example/' });
    const { body } = await call({ url: 'https://shop.example/', baseline: before.inventory });
    expect(body).toMatchObject({ drift: { drift_status: 'none', findings: [] } });
    expect(operation.response.parse(body)).toEqual(body);
  });

  it('reports that Shopify wasn’t detected on a page that isn’t hosted by Shopify', async () => {
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
  ])('returns 422 scan_failed for %s: %s', async (url, reason) => {
    const { status, body } = await call({ url });
    expect([status, body]).toEqual([422, expect.objectContaining({ error: 'scan_failed', reason })]);
    expect(Object.keys(body).sort()).toEqual(['error', 'message', 'reason', 'request_id']);
    expect(JSON.stringify(body)).not.toMatch(/169\.254|10\.0\.0|127\.0|node:| {4}at /);
  });

  it.each(['http://other.example/down', 'http://broken.example/'])('returns 502 upstream for %s', async url => {
    const { status, body, headers: responseHeaders } = await call({ url });
    expect([status, body.error]).toEqual([502, 'upstream']);
    expect(responseHeaders.get('Retry-After')).toBe('60');
  });

  it('returns 503 with Retry-After when the scanner is at capacity', async () => {
    const full = await startService({
      scanner: () => Promise.reject(new PoolError('busy', 'The queue is full.', 4_200)),
    });
    const response = await full.post(
      operation.path,
      { url: 'https://shop.example/' },
      { Authorization: `Bearer ${await full.issue()}` },
    );
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    await full.stop();
  });

  it('returns 503 with Retry-After, not a page error, if the parser process doesn’t start', async () => {
    const broken = await startService({
      scanner: () => Promise.reject(new PoolError('not_started', "The worker process didn't start.")),
    });
    const headers = { Authorization: `Bearer ${await broken.issue()}` };
    const response = await broken.post(operation.path, { url: 'https://shop.example/' }, headers);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ error: 'unavailable', message: expect.stringMatching(/start/) });
    await broken.stop();
  });

  it.each([
    ['a missing url', {}, { path: 'url', code: 'REQUIRED' }],
    ['an empty url', { url: '' }, { path: 'url', code: 'TOO_FEW' }],
    ['a number', { url: 1 }, { path: 'url', code: 'INVALID_TYPE' }],
    ['a url that is too long', { url: `https://shop.example/${'a'.repeat(2048)}` }, { path: 'url', code: 'TOO_LONG' }],
    [
      'an unknown profile',
      { url: 'https://shop.example/', profile: 'mars' },
      { path: 'profile', code: 'INVALID_VALUE' },
    ],
    ['an invalid baseline', { url: 'https://shop.example/', baseline: {} }, { path: 'baseline.version' }],
  ])('returns 400 for %s', async (_, body, issue) => {
    expect(await call(body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', issues: expect.arrayContaining([expect.objectContaining(issue)]) },
    });
  });
});
