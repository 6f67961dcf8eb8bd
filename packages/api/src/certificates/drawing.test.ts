import { type CertificateEnd, certificate, openFonts } from '@compliance/core/entry';
import { createPool } from '@compliance/crawler/pool';
import { loadFace } from '@compliance/fonts';
import { certificateContext } from '@compliance/store';
import { afterAll, describe, expect, it } from 'vitest';
import supersede from '../operations/entry-gcc-supersede.ts';
import { drawInPool, drawInProcess, drawingModule } from './drawing.ts';

const pool = createPool({ workers: 1, timeoutMs: 20_000, memoryMb: 256, queue: 10, modules: [drawingModule] });
afterAll(() => pool.close());

const caller = { lane: 'keyed', tenant: 'fam_1' } as const;
const inPool = drawInPool(pool);
const inProcess = drawInProcess(openFonts(loadFace));
const body = supersede.examples[0]!.request;
const recordOf = (name: string) =>
  certificate(
    { ...body, product_info: { ...body.product_info, name } },
    certificateContext('https://service.example', '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60', Date.UTC(2026, 10, 21)),
  );

describe('drawing certificates in the pool', () => {
  it.each(['Road helmet', 'Fahrradhelm für Straße', '自転車用ヘルメット', 'خوذة دراجة'])(
    'returns the same bytes as drawing in this process: %s',
    async name => {
      const record = recordOf(name);
      const pdf = await inProcess.render(record, caller);
      expect(Buffer.compare(await inPool.render(record, caller), pdf)).toBe(0);
      const end: CertificateEnd = {
        ...{ status: 'voided', at: '2026-11-22T09:00:00.000Z' },
        verificationUrl: record.verification_url!,
      };
      const marked = await inPool.markEnded(pdf, end, caller);
      expect(Buffer.compare(marked, await inProcess.markEnded(pdf, end, caller))).toBe(0);
    },
  );

  it('never draws in a process that parses pages', async () => {
    const groups: (string | undefined)[] = [];
    const watched = drawInPool({
      ...pool,
      as: (from, group) => {
        groups.push(group);
        return pool.as(from, group);
      },
    });
    await watched.render(recordOf('Road helmet'), caller);
    expect(groups).toEqual(['drawings']);
  });
});
