import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../index.ts';

describe('certificate PDFs in a folder', () => {
  const request = { id: 'gcc-1', family: 'fam_1', record: '{}', pdf: Buffer.from('%PDF-1.7 lamp'), actor: 'key_1' };
  let dataDir: string;
  let store: Store;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'compliance-certificates-'));
    store = await openStore({ dataDir, clock: Date.now });
  });
  afterEach(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true });
  });

  const pdfFiles = () =>
    readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.pdf'));

  it('reports a missing PDF instead of returning empty data', async () => {
    await store.certificates.issue(request);
    rmSync(join(dataDir, 'blobs'), { recursive: true });
    await expect(store.certificates.pdf('gcc-1')).rejects.toMatchObject({
      code: 'blob_missing',
      message: expect.stringContaining('gcc-1'),
    });
    expect(await store.certificates.get('gcc-1')).toMatchObject({ status: 'draft' });
  });

  it('rejects a PDF that was changed on disk', async () => {
    await store.certificates.issue(request);
    for (const path of pdfFiles()) writeFileSync(join(dataDir, path), '%PDF-1.7 lamb');
    await expect(store.certificates.pdf('gcc-1')).rejects.toMatchObject({ code: 'blob_damaged' });
  });

  it('doesn’t write a certificate row until the PDF is stored', async () => {
    writeFileSync(join(dataDir, 'blobs'), 'in the way');
    await expect(store.certificates.issue(request)).rejects.toMatchObject({ code: 'blobs_unavailable' });
    expect(await store.certificates.get('gcc-1')).toBeNull();
    expect(await store.audit.list({ limit: 10 })).toEqual([]);
    rmSync(join(dataDir, 'blobs'));
    await store.certificates.issue(request);
  });
});
