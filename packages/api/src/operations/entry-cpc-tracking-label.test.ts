import { readCertificateFile } from '@compliance/core/entry';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonBody, startService } from '../testing/service.ts';
import generate from './entry-cpc-generate.ts';
import operation from './entry-cpc-tracking-label.ts';
import general from './entry-gcc-generate.ts';

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

const issue = async ({ path, examples }: typeof generate | typeof general) =>
  await jsonBody(await service.post(path, examples[0]!.request, headers));
const sheetOf = async (id: string) => {
  const response = await service.get(operation.path.replace('{id}', id), { headers });
  return { status: response.status, body: await jsonBody(response) };
};

describe('entry.cpc.tracking_label', () => {
  it('returns a PDF sheet for a Children’s Product Certificate', async () => {
    const { gcc_id } = await issue(generate);
    const { status, body } = await sheetOf(gcc_id);
    expect(status).toBe(200);
    const { content, ...facts } = operation.response.parse(body);
    expect(facts).toEqual({ gcc_id, status: 'draft', file_type: 'pdf', encoding: 'base64' });
    const { record } = readCertificateFile(Buffer.from(content, 'base64'));
    expect(record).toMatchObject({
      id: gcc_id,
      request: { product_info: { name: generate.examples[0]!.request.product_info.name } },
    });
    expect(Buffer.from(content, 'base64').toString('latin1')).toContain('/Lang');
  });

  it('explains that a general certificate has no tracking label sheet', async () => {
    const { gcc_id } = await issue(general);
    const { status, body } = await sheetOf(gcc_id);
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({
        error: 'certificate_not_found',
        message: expect.stringContaining('General Certificate of Conformity'),
      }),
    ]);
  });

  it('returns the same error for another account’s certificate as for an unknown certificate', async () => {
    const { gcc_id } = await issue(generate);
    headers = { Authorization: `Bearer ${await service.issue('entry')}` };
    const [foreign, unknown] = [await sheetOf(gcc_id), await sheetOf('3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60')];
    expect([foreign.status, foreign.body.error]).toEqual([404, 'certificate_not_found']);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });
});
