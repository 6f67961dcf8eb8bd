import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonBody, startService } from '../testing/service.ts';
import generate from './entry-gcc-generate.ts';
import supersede from './entry-gcc-supersede.ts';
import operation from './entry-gcc-void.ts';

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

const complete = supersede.examples[0]!.request;
const issue = async (body: object = complete) =>
  (await jsonBody(await service.post(generate.path, body, headers))).gcc_id;
const voidOne = async (id: string, body: unknown = { reason: 'Wrong laboratory' }, extra = {}) => {
  const response = await service.post(operation.path.replace('{id}', id), body, { ...headers, ...extra });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('entry.gcc.void', () => {
  it('voids a certificate, records the change in the audit log, and returns the voided certificate', async () => {
    const id = await issue();
    service.time.now += 1000;
    const { status, body } = await voidOne(id, { reason: '  Wrong laboratory ' });
    expect(status).toBe(200);
    expect(operation.response.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      ...{ gcc_id: id, status: 'voided', void_reason: 'Wrong laboratory' },
      voided_at: new Date(service.time.now).toISOString(),
    });
    expect(body.pdf_sha256).not.toBe(body.sha256);
    const [entry] = await service.store.audit.list({ limit: 1 });
    expect(entry).toMatchObject({ action: 'certificate.void', subject: id, actor: expect.stringMatching(/^key_/) });
  });

  it('returns the voided certificate again for the same reason, but rejects a different reason', async () => {
    const id = await issue();
    const first = await voidOne(id);
    service.time.now += 1000;
    expect((await voidOne(id)).body).toMatchObject({ status: 'voided', voided_at: first.body.voided_at });
    const other = await voidOne(id, { reason: 'Recalled' });
    expect([other.status, other.body.error]).toEqual([409, 'certificate_void']);
    const key = { 'Idempotency-Key': 'void-1' };
    expect((await voidOne(id, undefined, key)).status).toBe(200);
    expect((await voidOne(id, { reason: 'Recalled' }, key)).body.error).toBe('idempotency_mismatch');
  });

  it('voids a certificate only once if several requests are sent concurrently', async () => {
    const id = await issue();
    const responses = await Promise.all(['A', 'B', 'C', 'A'].map(reason => voidOne(id, { reason })));
    const reasons = new Set(responses.filter(({ status }) => status === 200).map(({ body }) => body.void_reason));
    expect(reasons.size).toBe(1);
    expect(responses.filter(({ status }) => status !== 200).map(({ body }) => body.error)).not.toContain('internal');
  });

  it('rejects superseded certificates and other accounts’ certificates', async () => {
    const id = await issue();
    await issue({ ...complete, supersedes: id });
    expect((await voidOne(id)).body.error).toBe('certificate_superseded');
    const other = await issue();
    headers = { Authorization: `Bearer ${await service.issue('entry')}` };
    expect([(await voidOne(other)).status, (await service.store.certificates.get(other))!.status]).toEqual([
      404,
      'complete',
    ]);
  });

  it.each([
    ['an empty reason', { reason: ' ' }, 'reason'],
    ['a missing reason', {}, 'reason'],
    ['a long reason', { reason: 'a'.repeat(301) }, 'reason'],
    ['a reason with a line break', { reason: 'a\nb' }, 'reason'],
    ['an unknown field', { reason: 'a', id: 'b' }, 'id'],
  ])('rejects %s and changes nothing', async (_, body, path) => {
    const id = await issue();
    const response = await voidOne(id, body);
    expect([response.status, response.body.issues]).toEqual([400, [expect.objectContaining({ path })]]);
    expect((await service.store.certificates.get(id))!.status).toBe('complete');
  });
});
