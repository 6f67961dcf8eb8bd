import { createHash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import generate from '../operations/entry-gcc-generate.ts';
import supersede from '../operations/entry-gcc-supersede.ts';
import { startService } from '../testing/service.ts';

const FIVE_YEARS_MS = 5 * 366 * 86_400_000;

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

const draft = generate.examples[0]!.request;
const complete = supersede.examples[0]!.request;
const issue = async (body: object) => {
  const response = await service.post(generate.path, body, headers);
  return (await response.json()) as { gcc_id: string; gcc_pdf_url: string; verification_url: string; sha256: string };
};
const pathOf = (url: string) => url.replace('http://service.test', '');
/** Downloads a PDF and returns the response status, the bytes, and the response headers. */
const download = async (url: string) => {
  const response = await service.get(pathOf(url));
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, bytes, headers: Object.fromEntries(response.headers) };
};
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
/** Opens a verification page, as if its QR code had been scanned, and returns the page's text and PDF link. */
const scan = async (url: string) => {
  const response = await service.get(pathOf(url));
  const text = await response.text();
  return { text, link: /href="(\/gcc\/[^"]+\/pdf[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') };
};

describe('superseding a certificate', () => {
  it('keeps the marked PDF available five years later and links to the certificate that superseded it', async () => {
    const first = await issue(complete);
    const original = (await download(first.gcc_pdf_url)).bytes;
    const second = await issue({ ...complete, supersedes: first.gcc_id });
    const marked = await download(first.gcc_pdf_url);
    expect(marked.status).toBe(200);
    expect(marked.bytes.subarray(0, original.length)).toEqual(original);
    expect(marked.bytes.length).toBeGreaterThan(original.length);
    expect(marked.headers).toMatchObject({
      'content-disposition': `attachment; filename="GCC-${first.gcc_id}-superseded.pdf"`,
      'content-length': `${marked.bytes.length}`,
      'gcc-status': 'superseded',
      'gcc-sha256': first.sha256,
      'gcc-size': `${original.length}`,
      link: `<${second.verification_url}>; rel="successor-version"`,
      etag: `"sha256-${sha256Of(marked.bytes)}"`,
    });
    expect(sha256Of(marked.bytes.subarray(0, Number(marked.headers['gcc-size'])))).toBe(first.sha256);

    service.time.now += FIVE_YEARS_MS;
    expect((await download(first.gcc_pdf_url)).status).toBe(410);
    const { text, link } = await scan(first.verification_url);
    expect(text).toMatch(/>Superseded<[\s\S]+Superseded on [^.]*2026/);
    expect(text).toContain(`href="/gcc/${second.gcc_id}">View current certificate</a>`);
    expect(text).toContain(first.sha256);
    expect((await download(link!)).bytes).toEqual(marked.bytes);
    const current = await scan(second.verification_url);
    expect(current.text).toMatch(/>Complete</);
    expect(sha256Of((await download(current.link!)).bytes)).toBe(second.sha256);
  });

  it('links the verification page to the newest successor, unless that successor was voided', async () => {
    const first = await issue(complete);
    const second = await issue({ ...complete, supersedes: first.gcc_id });
    const third = await issue({ ...complete, supersedes: second.gcc_id });
    expect((await scan(first.verification_url)).text).toMatch(
      new RegExp(`${second.gcc_id}[\\s\\S]+href="/gcc/${third.gcc_id}">View current`),
    );
    await service.store.certificates.void(third.gcc_id, { reason: 'Wrong laboratory', actor: 'test' });
    const { text } = await scan(first.verification_url);
    expect(text).toMatch(new RegExp(`${third.gcc_id}</a>, was voided, so no certificate is in force`));
    expect(text).not.toContain('View current certificate');
  });

  it('doesn’t change the PDF or the verification page if the successor is a draft', async () => {
    const first = await issue(complete);
    const named = await issue({ ...draft, supersedes: first.gcc_id });
    const kept = await download(first.gcc_pdf_url);
    expect(sha256Of(kept.bytes)).toBe(first.sha256);
    expect(kept.headers['gcc-status']).toBe('complete');
    expect(kept.headers.link).toBeUndefined();
    expect((await scan(first.verification_url)).text).not.toContain(named.gcc_id);
    expect((await scan(named.verification_url)).text).toMatch(/>Draft</);
  });
});

describe('voiding a certificate', () => {
  it('still provides the marked PDF after five years and shows the reason on the verification page', async () => {
    const { gcc_id, gcc_pdf_url, verification_url, sha256 } = await issue(complete);
    const original = (await download(gcc_pdf_url)).bytes;
    await service.store.certificates.void(gcc_id, { reason: 'Wrong laboratory', actor: 'test' });
    service.time.now += FIVE_YEARS_MS;
    const { text, link } = await scan(verification_url);
    expect(text).toMatch(/>Voided<[\s\S]+Wrong laboratory/);
    const marked = await download(link!);
    expect(marked.headers).toMatchObject({ 'gcc-status': 'voided', 'gcc-sha256': sha256 });
    expect(marked.headers.link).toBeUndefined();
    expect(marked.bytes.subarray(0, original.length)).toEqual(original);
    expect(marked.bytes.length).toBeGreaterThan(original.length);
  });
});
