import { createHash } from 'node:crypto';
import { MAX_UPLOADED_BYTES } from '@compliance/contract/certificate';
import {
  attachmentsIn,
  certificate,
  compareWithDrawing,
  openFonts,
  readCertificateFile,
  render,
} from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonBody, startService } from '../testing/service.ts';
import operation from './entry-gcc-generate.ts';
import supersede from './entry-gcc-supersede.ts';

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

const request = operation.examples[0]!.request;
const complete = supersede.examples[0]!.request;
const call = async (body: unknown, extra: Record<string, string> = {}) => {
  const response = await service.post(operation.path, body, { ...headers, ...extra });
  return { status: response.status, headers: response.headers, body: await jsonBody(response) };
};
const download = (url: string) => service.get(url.replace('http://service.test', ''));
const pdfAt = async (url: string) => new Uint8Array(await (await download(url)).arrayBuffer());
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const fonts = openFonts(loadFace);

/**
 * Returns a PDF file that serves as a test report. The file is itself a certificate, so it has its own pages, fonts,
 * and attachments.
 */
async function testReport(name: string): Promise<Buffer> {
  const record = certificate(
    { ...request, product_info: { ...request.product_info, name } },
    { id: crypto.randomUUID(), issuedAt: '2026-09-20T09:00:00Z', today: '2026-11-21', verificationUrl: null },
  );
  return Buffer.from(await render(record, fonts));
}

describe('entry.gcc.generate', () => {
  it('returns links, a hash, warnings, and completeness in a response that matches the schema', async () => {
    const { status, body } = await call(request);
    expect(status).toBe(200);
    expect(operation.response.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      verification_url: `http://service.test/gcc/${body.gcc_id}`,
      completeness: { status: 'incomplete' },
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'NO_ATTESTATION' })]),
    });
  });

  it('returns a link to a PDF whose hash matches the returned hash', async () => {
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

  it('records the requested paper size so that the record reproduces the PDF byte for byte', async () => {
    const { body: letter } = await call(request);
    const { body: a4 } = await call({ ...request, paper: 'a4' });
    const stored = await Promise.all([letter, a4].map(body => service.store.certificates.get(body.gcc_id)));
    const records = stored.map(certificate => JSON.parse(certificate!.record));
    expect(records.map(record => record.request.paper)).toEqual([undefined, 'a4']);
    const pdfs = await Promise.all(records.map(record => render(record, openFonts(loadFace))));
    const hashes = pdfs.map(pdf => createHash('sha256').update(pdf).digest('hex'));
    expect(hashes).toEqual([letter.sha256, a4.sha256]);
    const { status, body } = await call({ ...request, paper: 'legal' });
    expect([status, body.issues]).toEqual([400, [expect.objectContaining({ path: 'paper', code: 'INVALID_FORMAT' })]]);
  });

  it('rejects a modified link and an expired link with different errors', async () => {
    const { body } = await call(request);
    const invalid = await download(body.gcc_pdf_url.replace(/.$/, digit => (digit === '0' ? '1' : '0')));
    expect([invalid.status, (await jsonBody(invalid)).error]).toEqual([403, 'link_invalid']);
    const unknown = await download(body.gcc_pdf_url.replaceAll(body.gcc_id, '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60'));
    expect([unknown.status, (await jsonBody(unknown)).error]).toEqual([403, 'link_invalid']);
    service.time.now += 3_600_000;
    const expired = await download(body.gcc_pdf_url);
    expect([expired.status, (await jsonBody(expired)).error]).toEqual([410, 'link_expired']);
  });

  it('supersedes an account’s earlier certificate only once and never supersedes another account’s certificate', async () => {
    const { body: first } = await call(complete);
    const { body: second } = await call({ ...complete, supersedes: first.gcc_id });
    expect(await service.store.certificates.get(first.gcc_id)).toMatchObject({ supersededBy: second.gcc_id });
    const again = await call({ ...complete, supersedes: first.gcc_id });
    expect([again.status, again.body.issues]).toEqual([400, [expect.objectContaining({ path: 'supersedes' })]]);
    headers = { Authorization: `Bearer ${await service.issue('entry')}` };
    const foreign = await call({ ...complete, supersedes: second.gcc_id });
    expect([foreign.status, foreign.body.issues]).toEqual([400, [expect.objectContaining({ path: 'supersedes' })]]);
  });

  it('issues a draft with a warning and leaves the certificate specified in `supersedes` unchanged', async () => {
    const { body: first } = await call(complete);
    const { status, body } = await call({ ...request, supersedes: first.gcc_id });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ status: 'draft', supersedes: null },
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'DRAFT_CANNOT_SUPERSEDE' })]),
    });
    expect(await service.store.certificates.get(first.gcc_id)).toMatchObject({
      status: 'complete',
      supersededBy: null,
    });
  });

  it('reports the path of each invalid field', async () => {
    const { status, body } = await call({
      ...request,
      product_info: { ...request.product_info, date_of_manufacture: '2026-02-30', color: 'black' },
      cpsc_rules_cited: [],
    });
    expect(status).toBe(400);
    expect(body.issues).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'product_info.date_of_manufacture', code: 'INVALID_DATE' }),
        expect.objectContaining({ path: 'product_info.color', code: 'UNKNOWN_FIELD' }),
        expect.objectContaining({ path: 'cpsc_rules_cited', code: 'TOO_FEW' }),
      ]),
    );
  });
});

describe('entry.gcc.generate with attachments', () => {
  const png = Buffer.from('89504e470d0a1a0a00', 'hex');
  const encoded = (filename: string, bytes: Buffer) => ({ filename, content: bytes.toString('base64') });

  it('returns the files’ hashes, and includes the files in the linked PDF', async () => {
    const report = await testReport('Test report PTL-26-1203');
    const { status, body } = await call({
      ...complete,
      attachments: [encoded('检测报告 PTL-26-1203.pdf', report), encoded('Sample.PNG', png)],
    });
    const attachments = [
      {
        ...{ filename: '检测报告 PTL-26-1203.pdf', media_type: 'application/pdf' },
        ...{ size: report.length, sha256: sha256Of(report) },
      },
      { filename: 'Sample.PNG', media_type: 'image/png', size: png.length, sha256: sha256Of(png) },
    ];
    expect([status, body]).toMatchObject([200, { status: 'complete', attachments }]);
    expect(operation.response.parse(body)).toEqual(body);
    const pdf = await pdfAt(body.gcc_pdf_url);
    expect(sha256Of(pdf)).toBe(body.sha256);
    const file = readCertificateFile(pdf);
    expect(file.record).toMatchObject({ attachments, request: expect.not.objectContaining({ attachments: [] }) });
    const [attached] = attachmentsIn(pdf, file.record!);
    expect(Buffer.compare(attached!.bytes, report)).toBe(0);
    expect(await compareWithDrawing(pdf, file, fonts)).toBe('identical');
    const stored = JSON.parse((await service.store.certificates.get(body.gcc_id))!.record);
    expect(stored.attachments).toEqual(attachments);
    expect(Object.keys(stored.request)).not.toContain('attachments');
  });

  it('keeps the files in a superseded certificate’s PDF without copying them to the new certificate', async () => {
    const [first, second] = await Promise.all([testReport('First report'), testReport('Second report')]);
    const { body: old } = await call({ ...complete, attachments: [encoded('report.pdf', first)] });
    const supersedePath = supersede.path.replace('{id}', old.gcc_id);
    const response = await service.post(
      supersedePath,
      { ...complete, attachments: [encoded('report.pdf', second)] },
      headers,
    );
    const current = await jsonBody(response);
    expect([response.status, current]).toMatchObject([200, { attachments: [{ sha256: sha256Of(second) }] }]);
    const marked = await pdfAt(old.gcc_pdf_url);
    const issued = marked.slice(0, (await service.store.certificates.get(old.gcc_id))!.size);
    expect(sha256Of(issued)).toBe(old.sha256);
    const hashesIn = (pdf: Uint8Array) =>
      attachmentsIn(pdf, readCertificateFile(pdf).record!).map(({ bytes }) => sha256Of(bytes));
    expect(hashesIn(marked)).toEqual([sha256Of(first)]);
    expect(hashesIn(await pdfAt(current.gcc_pdf_url))).toEqual([sha256Of(second)]);
  });

  it('rejects an idempotency key that was already used with different files', async () => {
    const key = { 'Idempotency-Key': 'order-attached' };
    const of = (bytes: Buffer) => ({ ...request, attachments: [encoded('a.png', bytes)] });
    const first = await call(of(png), key);
    expect((await call(of(png), key)).body.gcc_id).toBe(first.body.gcc_id);
    const other = await call(of(Buffer.concat([png, png])), key);
    expect([other.status, other.body.error]).toEqual([422, 'idempotency_mismatch']);
    expect((await call(request, key)).status).toBe(422);
  });

  it('rejects files that can’t be attached, and reports the field, the limit, and how to fix the request', async () => {
    const issuesWith = async (attachments: unknown) => (await call({ ...request, attachments })).body.issues;
    expect(await issuesWith([encoded('photo.jpg', png), encoded('a.png', png)])).toEqual([
      {
        ...{ path: 'attachments.0', code: 'INVALID_FORMAT' },
        message: 'must be a PDF, PNG, or JPEG file with the extension for its type',
      },
    ]);
    const { body } = await call({
      ...request,
      paper: 'legal',
      attachments: [{ filename: '../a.png', content: 'AAAA' }],
    });
    expect((body.issues as { path: string }[]).map(({ path }) => path)).toEqual([
      ...['paper', 'attachments.0.filename', 'attachments.0.content'],
    ]);
    expect(await issuesWith([{ filename: 'a.png', content: 'iVBORw0KGgoAnot base64' }])).toEqual([
      expect.objectContaining({ path: 'attachments.0.content', code: 'INVALID_FORMAT' }),
    ]);
    expect(await issuesWith([{ ...encoded('a.png', png), path: '/etc/passwd' }])).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: 'attachments.0.path', code: 'UNKNOWN_FIELD' })]),
    );
    const large = Buffer.alloc(MAX_UPLOADED_BYTES + 1, png, 'latin1');
    expect(await issuesWith([encoded('a.png', large)])).toEqual([
      {
        ...{ path: 'attachments', code: 'TOO_LONG' },
        message: 'must not exceed 10 MB in total (current total: 10.01 MB); attach fewer or smaller files',
      },
    ]);
    const tooLarge = await call('{}', { 'Content-Length': `${15 * 1024 * 1024}` });
    expect([tooLarge.status, tooLarge.body.message]).toEqual([413, 'The request body exceeds 14 MiB.']);
  });
});

describe('entry.gcc.generate with an Idempotency-Key header', () => {
  it('returns the same certificate for the same body, regardless of field order', async () => {
    const first = await call(request, { 'Idempotency-Key': '"order-1"' });
    const again = await call(Object.fromEntries(Object.entries(request).reverse()), { 'Idempotency-Key': 'order-1' });
    expect(again.body.gcc_id).toBe(first.body.gcc_id);
    expect(again.body.sha256).toBe(first.body.sha256);
  });

  it('returns a new PDF link after the first link expires', async () => {
    const first = await call(request, { 'Idempotency-Key': 'order-2' });
    service.time.now += 3_700_000;
    const again = await call(request, { 'Idempotency-Key': 'order-2' });
    expect(again.body.gcc_id).toBe(first.body.gcc_id);
    expect((await download(first.body.gcc_pdf_url)).status).toBe(410);
    expect((await download(again.body.gcc_pdf_url)).status).toBe(200);
  });

  it('returns 422 if an idempotency key is reused with a different body', async () => {
    await call(request, { 'Idempotency-Key': 'order-3' });
    const { status, body } = await call(
      { ...request, cpsc_rules_cited: ['16 CFR 1204'] },
      { 'Idempotency-Key': 'order-3' },
    );
    expect([status, body.error]).toEqual([422, 'idempotency_mismatch']);
  });

  it('creates only one certificate for concurrent requests with the same key and returns 409 for the others', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => call(request, { 'Idempotency-Key': 'order-4' })),
    );
    const statuses = responses.map(response => response.status);
    expect(statuses.filter(status => status !== 200 && status !== 409)).toEqual([]);
    const created = new Set(responses.filter(({ status }) => status === 200).map(({ body }) => body.gcc_id));
    expect(created.size).toBe(1);
    for (const { headers } of responses.filter(({ status }) => status === 409))
      expect(headers.get('Retry-After')).toBe('5');
  });

  it('doesn’t reserve an idempotency key for an invalid request', async () => {
    await call({ ...request, cpsc_rules_cited: [] }, { 'Idempotency-Key': 'order-5' });
    expect((await call({ ...request, cpsc_rules_cited: [] }, { 'Idempotency-Key': 'order-5' })).status).toBe(400);
  });

  it('scopes an idempotency key to the request’s API key family', async () => {
    const first = await call(request, { 'Idempotency-Key': 'order-6' });
    headers = { Authorization: `Bearer ${await service.issue('entry')}` };
    const other = await call(request, { 'Idempotency-Key': 'order-6' });
    expect([other.status, other.body.gcc_id === first.body.gcc_id]).toEqual([200, false]);
  });

  it.each(['', '"', 'with\ttab', 'a'.repeat(256)])('rejects the malformed idempotency key %j', async key => {
    const { status, body } = await call(request, { 'Idempotency-Key': key });
    expect([status, body.issues]).toEqual([400, [expect.objectContaining({ path: 'Idempotency-Key' })]]);
  });
});

describe('the verification page', () => {
  const pageOf = async (id: string) => {
    const response = await service.get(`/gcc/${id}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('shows the status, the hash, and a working link, and prevents indexing and inline scripts', async () => {
    const { body } = await call(request);
    service.time.now += 30 * 86_400_000;
    const { status, headers: responseHeaders, text } = await pageOf(body.gcc_id);
    expect(status).toBe(200);
    expect(text).toContain(body.sha256);
    expect(text).toMatch(/>Draft</);
    const [, link] = /href="(\/gcc\/[^"]+\/pdf[^"]+)"/.exec(text)!;
    expect((await service.get(link!.replaceAll('&amp;', '&'))).status).toBe(200);
    expect(responseHeaders.get('X-Robots-Tag')).toBe('noindex');
    expect(responseHeaders.get('Content-Security-Policy')).toContain("default-src 'none'");
    const scripts = [...text.matchAll(/<script[^>]*>[^<]*/g)].map(([script]) => script);
    expect(scripts).toEqual([expect.stringMatching(/^<script src="\/assets\/[\w.-]+"[^>]*>$/)]);
  });

  it('shows the issuing account, the certifier named in the request, and the certifier’s own certificate number', async () => {
    const { body } = await call({ ...complete, certificate_number: 'CCI-<2026>-0417' });
    const { family } = (await service.store.certificates.get(body.gcc_id))!;
    const { text } = await pageOf(body.gcc_id);
    expect(text).toMatch(new RegExp(`Issuing account</dt><dd[^>]*>${family}<`));
    expect(text).toContain('Certifier, as stated</dt><dd>Cascade Cycle Imports LLC<');
    expect(text).toContain('Certificate number</dt><dd>CCI-&lt;2026&gt;-0417<');
  });

  it('escapes markup in the product name', async () => {
    const name = '"><img src=x onerror=alert(1)>';
    const { body } = await call({ ...request, product_info: { ...request.product_info, name } });
    const { text } = await pageOf(body.gcc_id);
    expect(text).not.toContain('<img');
    expect(text).toContain('&lt;img');
  });

  it('returns 404 for an unknown or malformed certificate ID', async () => {
    expect((await pageOf('3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60')).status).toBe(404);
    expect((await pageOf('../operator')).status).toBe(404);
  });
});
