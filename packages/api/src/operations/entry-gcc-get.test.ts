import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonBody, startService } from '../testing/service.ts';
import generate from './entry-gcc-generate.ts';
import operation from './entry-gcc-get.ts';

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

const get = async (id: string) => {
  const response = await service.get(operation.path.replace('{id}', id), { headers });
  return { status: response.status, body: await jsonBody(response) };
};
const issue = async () => await jsonBody(await service.post(generate.path, generate.examples[0]!.request, headers));

describe('entry.gcc.get', () => {
  it('returns the certificate with a new link', async () => {
    const issued = await issue();
    service.time.now += 3_700_000;
    const { status, body } = await get(issued.gcc_id);
    expect(status).toBe(200);
    expect(operation.response.parse(body)).toEqual(body);
    const { gcc_pdf_url, expires_at, ...facts } = operation.response.parse(body);
    expect(issued).toMatchObject(facts);
    expect(facts).toMatchObject({
      status: 'draft',
      product: { name: 'Road Bicycle Helmet', model: 'RB-200', sku: 'RB-200-M' },
      pdf_sha256: issued.sha256,
    });
    expect(Date.parse(expires_at)).toBeGreaterThan(service.time.now);
    expect((await service.get(gcc_pdf_url.replace('http://service.test', ''))).status).toBe(200);
  });

  it('returns the same error for another account’s certificate as for an unknown certificate', async () => {
    const { gcc_id } = await issue();
    headers = { Authorization: `Bearer ${await service.issue('entry')}` };
    const [foreign, unknown] = [await get(gcc_id), await get('3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60')];
    expect([foreign.status, foreign.body.error]).toEqual([404, 'certificate_not_found']);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });

  it('rejects an ID that isn’t a UUID, and a key without the required scope', async () => {
    const malformed = await get('not-a-uuid');
    expect([malformed.status, malformed.body.issues]).toEqual([400, [expect.objectContaining({ path: 'id' })]]);
    headers = { Authorization: `Bearer ${await service.issue('tariff')}` };
    expect((await get('3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60')).body.error).toBe('scope');
  });
});
