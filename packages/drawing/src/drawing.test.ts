import { attachmentsIn, type CertificateEnd, InvalidRequest, SAMPLE_REQUEST } from '@compliance/core/entry';
import { createPool } from '@compliance/crawler/pool';
import { afterAll, describe, expect, it } from 'vitest';
import { drawInPool, drawInProcess } from './drawing.ts';

const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 256, queue: 10 });
afterAll(() => pool.close());

const caller = { lane: 'keyed', tenant: 'fam_1' } as const;
const inPool = drawInPool(pool);
const requestFor = (name: string) => ({
  ...SAMPLE_REQUEST,
  product_info: { ...SAMPLE_REQUEST.product_info, name },
});
const context = {
  id: '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60',
  issuedAt: '2026-11-21T00:00:00.000Z',
  today: '2026-11-21',
  verificationUrl: 'https://service.example/gcc/3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60',
};

describe('drawing certificates in the pool', () => {
  it.each(['Road helmet', 'Fahrradhelm für Straße', '自転車用ヘルメット', 'خوذة دراجة'])(
    'returns the same bytes as drawing in the current process: %s',
    async name => {
      const { record, pdf } = await drawInProcess.draw(requestFor(name), context, caller);
      const drawn = await inPool.draw(requestFor(name), context, caller);
      expect(JSON.stringify(drawn.record)).toBe(JSON.stringify(record));
      expect(Buffer.compare(drawn.pdf, pdf)).toBe(0);
      expect(Buffer.compare(await inPool.render(record, caller), pdf)).toBe(0);
      expect(await inPool.validate(requestFor(name), context, caller)).toEqual(record);
      const end: CertificateEnd = {
        ...{ status: 'voided', at: '2026-11-22T09:00:00.000Z' },
        verificationUrl: record.verification_url!,
      };
      const marked = await inPool.markEnded(pdf, end, caller);
      expect(Buffer.compare(marked, await drawInProcess.markEnded(pdf, end, caller))).toBe(0);
    },
  );

  it('attaches the files in the context', async () => {
    const bytes = Buffer.from('%PDF-1.7 report');
    const attached = { ...context, attachments: [{ filename: 'report.pdf', bytes }] };
    const { record, pdf } = await inPool.draw(requestFor('Road helmet'), attached, caller);
    expect(record.attachments).toMatchObject([{ filename: 'report.pdf', size: 15 }]);
    const drawn = await drawInProcess.draw(requestFor('Road helmet'), attached, caller);
    expect(Buffer.compare(pdf, drawn.pdf)).toBe(0);
    expect(attachmentsIn(pdf, record)).toMatchObject([{ filename: 'report.pdf' }]);
  });

  it('returns the same label from the pool and from the current process, and rejects a label that’s too small for its content', async () => {
    const { record } = await drawInProcess.draw(requestFor('自転車用ヘルメット'), context, caller);
    const format = { size: 'carton', dpi: 203 } as const;
    for (const file of ['svg', 'zpl', 'pdf'] as const) {
      const job = { record, status: 'draft', format, file } as const;
      expect(await inPool.label(job, caller)).toEqual(await drawInProcess.label(job, caller));
    }
    const url = { ...record, verification_url: `https://service.example/${'a'.repeat(270)}` };
    const small = { record: url, status: 'draft', format: { size: 'product', dpi: 203 }, file: 'zpl' } as const;
    for (const drawing of [inPool, drawInProcess])
      await expect(drawing.label(small, caller)).rejects.toThrow(
        new RangeError('the verification page URL is too long for a QR code on this label; use a larger label'),
      );
  });

  it('returns the same tracking label sheet as drawing in the current process', async () => {
    const request = { ...requestFor('Wooden train'), certificate_type: 'CPC', age_grading: { marketing: 'children' } };
    const record = await drawInProcess.validate(request, context, caller);
    const sheet = await inPool.trackingLabel(record, caller);
    expect(Buffer.compare(sheet, await drawInProcess.trackingLabel(record, caller))).toBe(0);
  });

  it('reports the same issues for an invalid request as when drawing runs in the current process', async () => {
    const invalid = { ...requestFor('Road helmet'), cpsc_rules_cited: [] };
    const issuesOf = (promise: Promise<unknown>) =>
      promise.then(
        () => 'accepted',
        error => (error instanceof InvalidRequest ? error.issues : error),
      );
    const expected = await issuesOf(drawInProcess.draw(invalid, context, caller));
    expect(expected).toMatchObject([{ path: 'cpsc_rules_cited' }]);
    for (const method of ['draw', 'validate'] as const)
      expect(await issuesOf(inPool[method](invalid, context, caller))).toEqual(expected);
  });

  it('never draws in a process that parses pages', async () => {
    const groups: (string | undefined)[] = [];
    const watched = drawInPool({
      ...pool,
      as: (from, group) => {
        groups.push(group);
        return pool.as(from, group);
      },
    });
    await watched.draw(requestFor('Road helmet'), context, caller);
    expect(groups).toEqual(['drawings']);
  });
});
