import { createHash } from 'node:crypto';
import { openFonts, render } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf, startService } from '../testing/service.ts';
import operation from './entry-gcc-generate.ts';

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

const request = operation.examples[0]!.request;
const call = async (body: unknown, extra: Record<string, string> = {}) => {
  const response = await service.call(operation.path, body, { ...headers, ...extra });
  return { status: response.status, headers: response.headers, body: await bodyOf(response) };
};
const download = (url: string) => service.get(url.replace('http://service.test', ''));

describe('entry.gcc.generate', () => {
  it('answers links, hash, warnings and completeness, fit to its published schema', async () => {
    const { status, body } = await call(request);
    expect(status).toBe(200);
    expect(operation.response.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      verification_url: `http://service.test/gcc/${body.gcc_id}`,
      completeness: { status: 'incomplete' },
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'NO_ATTESTATION' })]),
    });
  });

  it('keeps a PDF behind the link, with the hash that it answered', async () => {
    const { body } = await call(request);
    const response = await download(body.gcc_pdf_url);
    expect(response.status).toBe(200);
    const pdf = Buffer.from(await response.arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(createHash('sha256').update(pdf).digest('hex')).toBe(body.sha256);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="GCC-${body.gcc_id}.pdf"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-security-policy': "sandbox; default-src 'none'",
      etag: `"sha256-${body.sha256}"`,
    });
  });

  it('draws on the paper that the request names, and keeps it in the record, which gives the same bytes again', async () => {
    const { body: letter } = await call(request);
    const { body: a4 } = await call({ ...request, paper: 'a4' });
    const kept = await Promise.all([letter, a4].map(body => service.store.certificates.get(body.gcc_id)));
    const records = kept.map(certificate => JSON.parse(certificate!.record));
    expect(records.map(record => record.request.paper)).toEqual([undefined, 'a4']);
    const again = await Promise.all(records.map(record => render(record, openFonts(loadFace))));
    const hashes = again.map(pdf => createHash('sha256').update(pdf).digest('hex'));
    expect(hashes).toEqual([letter.sha256, a4.sha256]);
    const { status, body } = await call({ ...request, paper: 'legal' });
    expect([status, body.issues]).toEqual([400, [expect.objectContaining({ path: 'paper', code: 'INVALID_FORMAT' })]]);
  });

  it('refuses a link that was changed, and one whose time is over, each with its own words', async () => {
    const { body } = await call(request);
    const invalid = await download(body.gcc_pdf_url.replace(/.$/, digit => (digit === '0' ? '1' : '0')));
    expect([invalid.status, (await bodyOf(invalid)).error]).toEqual([403, 'link_invalid']);
    const unknown = await download(body.gcc_pdf_url.replaceAll(body.gcc_id, '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60'));
    expect([unknown.status, (await bodyOf(unknown)).error]).toEqual([403, 'link_invalid']);
    service.time.now += 3_600_000;
    const expired = await download(body.gcc_pdf_url);
    expect([expired.status, (await bodyOf(expired)).error]).toEqual([410, 'link_expired']);
  });

  it('says so on an old link when the certificate was voided or superseded', async () => {
    const { body } = await call(request);
    await service.store.certificates.void(body.gcc_id, { reason: 'Wrong laboratory', actor: 'test' });
    const response = await download(body.gcc_pdf_url);
    expect([response.status, (await bodyOf(response)).error]).toEqual([410, 'certificate_void']);
  });

  it('takes the place of an earlier certificate of the same customer, once', async () => {
    const { body: first } = await call(request);
    const { body: second } = await call({ ...request, supersedes: first.gcc_id });
    expect(await service.store.certificates.get(first.gcc_id)).toMatchObject({ supersededBy: second.gcc_id });
    expect((await bodyOf(await download(first.gcc_pdf_url))).error).toBe('certificate_superseded');
    const again = await call({ ...request, supersedes: first.gcc_id });
    expect([again.status, again.body.issues]).toEqual([400, [expect.objectContaining({ path: 'supersedes' })]]);
    headers = { Authorization: `Bearer ${await service.issue('entry')}` };
    const foreign = await call({ ...request, supersedes: second.gcc_id });
    expect([foreign.status, foreign.body.issues]).toEqual([400, [expect.objectContaining({ path: 'supersedes' })]]);
  });

  it('names every fault of a request by its path', async () => {
    const { status, body } = await call({
      ...request,
      product_info: { ...request.product_info, date_of_manufacture: '2026-02-30', colour: 'black' },
      cpsc_rules_cited: [],
    });
    expect(status).toBe(400);
    expect(body.issues).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'product_info.date_of_manufacture', code: 'INVALID_DATE' }),
        expect.objectContaining({ path: 'product_info.colour', code: 'UNKNOWN_FIELD' }),
        expect.objectContaining({ path: 'cpsc_rules_cited', code: 'TOO_FEW' }),
      ]),
    );
  });
});

describe('an Idempotency-Key', () => {
  it('gives the same certificate for the same body, in whatever order its fields come', async () => {
    const first = await call(request, { 'Idempotency-Key': '"order-1"' });
    const again = await call(Object.fromEntries(Object.entries(request).reverse()), { 'Idempotency-Key': 'order-1' });
    expect(again.body.gcc_id).toBe(first.body.gcc_id);
    expect(again.body.sha256).toBe(first.body.sha256);
  });

  it('gives a fresh link when the first one is over', async () => {
    const first = await call(request, { 'Idempotency-Key': 'order-2' });
    service.time.now += 3_700_000;
    const again = await call(request, { 'Idempotency-Key': 'order-2' });
    expect(again.body.gcc_id).toBe(first.body.gcc_id);
    expect((await download(first.body.gcc_pdf_url)).status).toBe(410);
    expect((await download(again.body.gcc_pdf_url)).status).toBe(200);
  });

  it('answers 422 to another body', async () => {
    await call(request, { 'Idempotency-Key': 'order-3' });
    const { status, body } = await call(
      { ...request, cpsc_rules_cited: ['16 CFR 1204'] },
      { 'Idempotency-Key': 'order-3' },
    );
    expect([status, body.error]).toEqual([422, 'idempotency_mismatch']);
  });

  it('makes one certificate of requests that come at once; the others wait with 409', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(request, { 'Idempotency-Key': 'order-4' })));
    const statuses = answers.map(answer => answer.status);
    expect(statuses.filter(status => status !== 200 && status !== 409)).toEqual([]);
    const made = new Set(answers.filter(answer => answer.status === 200).map(answer => answer.body.gcc_id));
    expect(made.size).toBe(1);
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(answer.headers.get('Retry-After')).toBe('1');
  });

  it('is free again after a request that was refused', async () => {
    await call({ ...request, cpsc_rules_cited: [] }, { 'Idempotency-Key': 'order-5' });
    expect((await call({ ...request, cpsc_rules_cited: [] }, { 'Idempotency-Key': 'order-5' })).status).toBe(400);
  });

  it('belongs to the family of the key that sent it', async () => {
    const first = await call(request, { 'Idempotency-Key': 'order-6' });
    headers = { Authorization: `Bearer ${await service.issue('entry')}` };
    const other = await call(request, { 'Idempotency-Key': 'order-6' });
    expect([other.status, other.body.gcc_id === first.body.gcc_id]).toEqual([200, false]);
  });

  it.each(['', '"', 'with\ttab', 'a'.repeat(256)])('is refused when it is malformed: %j', async key => {
    const { status, body } = await call(request, { 'Idempotency-Key': key });
    expect([status, body.issues]).toEqual([400, [expect.objectContaining({ path: 'Idempotency-Key' })]]);
  });
});

describe('the page of a certificate', () => {
  const pageOf = async (id: string) => {
    const response = await service.get(`/gcc/${id}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('says what it is, with its hash, and gives a fresh link that works; it is not indexed and runs no script', async () => {
    const { body } = await call(request);
    service.time.now += 30 * 86_400_000;
    const { status, headers: answered, text } = await pageOf(body.gcc_id);
    expect(status).toBe(200);
    expect(text).toContain(body.sha256);
    expect(text).toMatch(/>Draft</);
    const [, link] = /href="(\/gcc\/[^"]+\/pdf[^"]+)"/.exec(text)!;
    expect((await service.get(link!.replaceAll('&amp;', '&'))).status).toBe(200);
    expect(answered.get('X-Robots-Tag')).toBe('noindex');
    expect(answered.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(text).not.toContain('<script');
  });

  it('says that it was voided and why, or which one took its place', async () => {
    const { body: first } = await call(request);
    await service.store.certificates.void(first.gcc_id, { reason: 'Wrong laboratory', actor: 'test' });
    const voided = (await pageOf(first.gcc_id)).text;
    expect(voided).toMatch(/>Void<[\s\S]+Wrong laboratory/);
    expect(voided).not.toContain('/pdf?');
    const { body: second } = await call(request);
    const { body: third } = await call({ ...request, supersedes: second.gcc_id });
    expect((await pageOf(second.gcc_id)).text).toContain(`href="/gcc/${third.gcc_id}"`);
  });

  it('shows a hostile product name as text', async () => {
    const name = '"><img src=x onerror=alert(1)>';
    const { body } = await call({ ...request, product_info: { ...request.product_info, name } });
    const { text } = await pageOf(body.gcc_id);
    expect(text).not.toContain('<img');
    expect(text).toContain('&lt;img');
  });

  it('is a 404 page for a number that was never issued, and not even that for what is no number', async () => {
    expect((await pageOf('3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60')).status).toBe(404);
    expect((await pageOf('../operator')).status).toBe(404);
  });
});
