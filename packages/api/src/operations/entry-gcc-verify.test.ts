import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { jsonBody, requestPath, startService } from '../testing/service.ts';
import supersede from './entry-gcc-supersede.ts';
import operation from './entry-gcc-verify.ts';

const service = await startService();
afterAll(() => service.stop());

const authorized = async () => ({ Authorization: `Bearer ${await service.issue('entry')}` });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const download = async (link: string) =>
  new Uint8Array(await (await service.get(link.replace('http://service.test', ''))).arrayBuffer());

describe('entry.gcc.verify', () => {
  it('compares a hash with the hashes of the issued and marked PDFs, regardless of the caller’s account', async () => {
    const owner = await authorized();
    const other = await authorized();
    const issued = await jsonBody(
      await service.post('/api/v1/entry/gcc/generate', supersede.examples[0]!.request, owner),
    );
    const verify = async (hash?: string) => {
      const query = { id: issued.gcc_id, ...(hash !== undefined && { sha256: hash }) };
      return operation.response.parse(
        await (await service.get(requestPath(operation, query), { headers: other })).json(),
      );
    };
    const pdf = await download(issued.gcc_pdf_url);
    expect(await verify()).toMatchObject({ status: 'complete', size: pdf.length, comparison: null });
    expect(await verify(sha256(pdf))).toMatchObject({ status: 'complete', comparison: 'unchanged' });
    const changed = pdf.with(pdf.length >> 1, pdf[pdf.length >> 1]! ^ 1);
    expect(await verify(sha256(changed))).toMatchObject({ comparison: 'changed' });

    await service.post(`/api/v1/entry/gcc/${issued.gcc_id}/void`, { reason: 'Wrong laboratory' }, owner);
    expect(await verify(sha256(pdf))).toMatchObject({
      ...{ status: 'voided', void_reason: 'Wrong laboratory', comparison: 'unchanged' },
    });
    const { gcc_pdf_url } = await jsonBody(await service.get(`/api/v1/entry/gcc/${issued.gcc_id}`, { headers: owner }));
    expect(await verify(sha256(await download(gcc_pdf_url)))).toMatchObject({ comparison: 'unchanged_marked' });
    const page = await (await service.get(`/gcc/${issued.gcc_id}/verification`)).json();
    expect(await verify()).toEqual({ ...(page as object), comparison: null });
  });

  it('returns an error for an invalid hash and for a certificate that the service didn’t issue', async () => {
    const headers = await authorized();
    const id = '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60';
    const [invalid, unknown] = [
      await service.get(requestPath(operation, { id, sha256: 'abc' }), { headers }),
      await service.get(requestPath(operation, { id }), { headers }),
    ];
    expect([invalid.status, (await jsonBody(invalid)).issues]).toEqual([
      400,
      [expect.objectContaining({ path: 'sha256' })],
    ]);
    expect([unknown.status, (await jsonBody(unknown)).error]).toEqual([404, 'certificate_not_found']);
  });
});
