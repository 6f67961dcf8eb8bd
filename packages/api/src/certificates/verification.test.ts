import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { axe, describeWithBrowser, inspect, watch } from '@compliance/browser';
import { compareWithIssued, parseIssuedCertificate } from '@compliance/core/entry';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import generate from '../operations/entry-gcc-generate.ts';
import supersede from '../operations/entry-gcc-supersede.ts';
import { listen } from '../testing/listen.ts';
import { jsonBody, startService } from '../testing/service.ts';

/** Issues a certificate and returns its ID, page path, issued PDF, and a function that downloads its current PDF. */
async function issueWith(service: Awaited<ReturnType<typeof startService>>) {
  const headers = { Authorization: `Bearer ${await service.issue('entry')}` };
  const response = await service.post(generate.path, supersede.examples[0]!.request, headers);
  const { gcc_id: id, gcc_pdf_url } = await jsonBody(response);
  const download = async (url: string) =>
    new Uint8Array(await (await service.get(url.replace('http://service.test', ''))).arrayBuffer());
  return { id, path: `/gcc/${id}`, pdf: await download(gcc_pdf_url), pdfNow: () => download(gcc_pdf_url) };
}

const changed = (pdf: Uint8Array, at: number) => pdf.with(at, pdf[at]! ^ 1);

describe('GET /gcc/{id}/verification', () => {
  it('lets a program recognize the issued PDF and, after the certificate is voided, the marked PDF', async () => {
    const service = await startService();
    const { id, path, pdf, pdfNow } = await issueWith(service);
    const read = async () => parseIssuedCertificate(await (await service.get(`${path}/verification`)).json());
    const issued = await read();
    expect(issued).toMatchObject({ gcc_id: id, certificate_type: 'GCC', status: 'complete', size: pdf.length });
    expect(compareWithIssued(pdf, issued)).toBe('unchanged');
    expect(compareWithIssued(changed(pdf, 9_000), issued)).toBe('changed');
    await service.store.certificates.void(id, { reason: 'Wrong laboratory', actor: 'test' });
    const voided = await read();
    expect(voided).toMatchObject({ status: 'voided', sha256: issued.sha256, void_reason: 'Wrong laboratory' });
    expect(compareWithIssued(await pdfNow(), voided)).toBe('unchanged_marked');
    const unknown = await service.get('/gcc/00000000-0000-4000-8000-000000000000/verification');
    expect([unknown.status, (await jsonBody(unknown)).error]).toEqual([404, 'certificate_not_found']);
    await service.stop();
  });

  it('allows pages on any origin to read the response', async () => {
    const service = await startService();
    const { path } = await issueWith(service);
    const response = await service.get(`${path}/verification`, { headers: { Origin: 'https://shop.example' } });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect((await service.get(path)).headers.get('Access-Control-Allow-Origin')).toBeNull();
    await service.stop();
  });
});

await describeWithBrowser('checking a PDF on the verification page', browser => {
  let service: Awaited<ReturnType<typeof listen>>;
  let page: Page;
  let strange: string[];
  const requests: string[] = [];

  beforeAll(async () => {
    service = await listen(await startService());
    const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
    page = await context.newPage();
    page.setDefaultTimeout(5_000);
    strange = watch(context, service.base);
    page.on('request', request => requests.push(`${request.method()} ${request.url()}`));
  });
  afterAll(async () => {
    await page.context().close();
    await service.stop();
  });

  async function check(bytes: Uint8Array, name = 'certificate.pdf'): Promise<string> {
    const file = join(service.dataDir, name);
    await writeFile(file, bytes);
    await page.getByLabel('PDF file').setInputFiles(file);
    const result = page.locator('#check-pdf [role=status].notice');
    await result.waitFor();
    const text = await result.textContent();
    await page.getByLabel('PDF file').setInputFiles([]);
    await result.waitFor({ state: 'detached' });
    return text!;
  }

  it('recognizes the certificate at phone width, reports a changed byte, and sends no requests', async () => {
    const { path, pdf } = await issueWith(service);
    const response = await page.goto(service.base + path);
    const policy = response!.headers()['content-security-policy']!;
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/connect-src|unsafe/);
    await page.getByLabel('PDF file').waitFor();
    requests.length = 0;
    expect(await check(pdf)).toMatch(/^Unchanged\. This file is the certificate as we issued it\./);
    for (const at of [0, 9_000, pdf.length - 1])
      expect(await check(changed(pdf, at))).toMatch(/isn’t the certificate as we issued it/);
    expect(await check(Buffer.concat([pdf, Buffer.from('%')]))).toMatch(/^Changed\. .*content was added/);
    expect(await check(new Uint8Array([1]))).toMatch(/isn’t the certificate/);
    expect(requests).toEqual([]);
    await page
      .getByLabel('PDF file')
      .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf) });
    await page.getByText('Unchanged. This file').waitFor();
    expect(await axe(page.mainFrame())).toEqual([]);
    await inspect(page, 'check-pdf');
    expect(strange).toEqual([]);
  });

  it('warns that the certificate was voided, whether or not the PDF is marked', async () => {
    const { id, path, pdf, pdfNow } = await issueWith(service);
    await service.store.certificates.void(id, { reason: 'Wrong laboratory', actor: 'test' });
    await page.goto(service.base + path);
    expect(await check(pdf)).toMatch(/unchanged, but the certificate was voided/);
    expect(await check(await pdfNow())).toMatch(/with our mark that it was voided/);
    await inspect(page, 'check-pdf-voided');
  });

  it('hides the form if JavaScript is disabled', async () => {
    const { path } = await issueWith(service);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(service.base + path);
    expect(await plain.getByText('PDF SHA-256 hash').isVisible()).toBe(true);
    expect(await plain.getByLabel('PDF file').isVisible()).toBe(false);
    await context.close();
  });
});
