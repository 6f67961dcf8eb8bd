import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonBody, startService } from '../testing/service.ts';
import operation from './entry-gcc-label.ts';
import supersede from './entry-gcc-supersede.ts';

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

const label = async (id: string, query = '') => {
  const response = await service.get(`${operation.path.replace('{id}', id)}${query}`, { headers });
  return { status: response.status, body: await jsonBody(response) };
};
const issue = async () =>
  await jsonBody(await service.post('/api/v1/entry/gcc/generate', supersede.examples[0]!.request, headers));

describe('entry.gcc.label', () => {
  it('returns a PDF carton label for a 203-dpi printer by default', async () => {
    const { gcc_id } = await issue();
    const { status, body } = await label(gcc_id);
    expect(status).toBe(200);
    const { content, ...facts } = operation.response.parse(body);
    expect(facts).toEqual({
      ...{ gcc_id, status: 'complete', file_type: 'pdf', size: 'carton', dpi: 203, encoding: 'base64' },
    });
    expect(Buffer.from(content, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('returns SVG and ZPL labels as text, at the requested size and resolution', async () => {
    const { gcc_id } = await issue();
    const svg = operation.response.parse((await label(gcc_id, '?file_type=svg&size=product&dpi=300')).body);
    expect(svg).toMatchObject({ encoding: 'utf-8', content: expect.stringContaining('viewBox="0 0 600 300"') });
    const zpl = operation.response.parse((await label(gcc_id, '?file_type=zpl')).body);
    expect(zpl.content).toMatch(/^\^XA[\s\S]+\^PW812\n[\s\S]+\^GFA/);
    expect(zpl.content).not.toContain('COMPLETE');
  });

  it('marks the label of a voided certificate as voided', async () => {
    const { gcc_id } = await issue();
    await service.post(`/api/v1/entry/gcc/${gcc_id}/void`, { reason: 'Wrong laboratory' }, headers);
    const { body } = await label(gcc_id, '?file_type=zpl');
    expect(body).toMatchObject({ status: 'voided', content: expect.stringContaining('VOIDED') });
  });

  it('returns the same error for another account’s certificate as for an unknown certificate', async () => {
    const { gcc_id } = await issue();
    headers = { Authorization: `Bearer ${await service.issue('entry')}` };
    const [foreign, unknown] = [await label(gcc_id), await label('3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60')];
    expect([foreign.status, foreign.body.error]).toEqual([404, 'certificate_not_found']);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });

  it.each([
    ['file_type', '?file_type=png'],
    ['size', '?size=poster'],
    ['dpi', '?dpi=600'],
    ['dpi', '?dpi=0xcb'],
  ])('rejects an unsupported %s', async (path, query) => {
    const { status, body } = await label('3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60', query);
    expect([status, body.issues]).toEqual([400, [expect.objectContaining({ path })]]);
  });
});
