import type { BulkJob, Certificate } from '@compliance/store';
import { describe, expect, it } from 'vitest';
import { certificatesZip } from './certificates-zip.ts';

const PARTS = 100;
const ROWS = 10;
const PDF_BYTES = 200_000;

/** Returns a ZIP file with 1,000 certificates, along with a counter of the PDFs read so far. */
function largeZip() {
  const read = { pdfs: 0 };
  async function* parts() {
    for (let part = 0; part < PARTS; part++) {
      const rows = Array.from({ length: ROWS }, (_, at) => ({
        row: part * ROWS + at + 1,
        key: `S-${part}-${at}`,
        gcc_id: 'x',
      }));
      yield new TextEncoder().encode(rows.map(row => `${JSON.stringify(row)}\n`).join(''));
    }
  }
  const certificates = { get: async () => ({ createdAt: Date.UTC(2026, 10, 27) }) as Certificate };
  const deliver = async () => {
    read.pdfs++;
    return new Uint8Array(PDF_BYTES);
  };
  const job = { id: 'blk_1', family: 'fam_1', createdAt: Date.UTC(2026, 10, 27) } as BulkJob;
  return { zip: certificatesZip(job, parts, { store: { certificates: certificates as never }, deliver }), read };
}

describe('certificatesZip', () => {
  it('reads PDFs only as fast as the caller downloads them', async () => {
    const { zip, read } = largeZip();
    let bytes = 0;
    let ahead = 0;
    for await (const chunk of zip) {
      bytes += chunk.length;
      ahead = Math.max(ahead, read.pdfs - bytes / PDF_BYTES);
    }
    expect(read.pdfs).toBe(PARTS * ROWS);
    expect(bytes).toBeGreaterThan(PARTS * ROWS * PDF_BYTES);
    expect(ahead).toBeLessThanOrEqual(ROWS + 1);
  });

  it('stops reading PDFs when the caller cancels the download', async () => {
    const { zip, read } = largeZip();
    const reader = zip.getReader();
    while (read.pdfs === 0) await reader.read();
    await reader.cancel(new Error('The caller disconnected.'));
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(read.pdfs).toBe(ROWS);
  });
});
