import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonBody, startService } from '../testing/service.ts';
import generate from './entry-gcc-generate.ts';
import operation from './entry-gcc-supersede.ts';

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

const complete = operation.examples[0]!.request;
const draft = generate.examples[0]!.request;
const issue = async () => (await jsonBody(await service.post(generate.path, complete, headers))).gcc_id;
const supersede = async (id: string, body: unknown = complete, extra = {}) => {
  const response = await service.post(operation.path.replace('{id}', id), body, { ...headers, ...extra });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const statusOf = async (id: string) => (await service.store.certificates.get(id))!.status;

describe('entry.gcc.supersede', () => {
  it('issues a complete certificate and links the old certificate to it', async () => {
    const id = await issue();
    const { status, body } = await supersede(id);
    expect(status).toBe(200);
    expect(operation.response.parse(body)).toEqual(body);
    expect(body).toMatchObject({ status: 'complete', supersedes: id, superseded_by: null });
    expect(await service.store.certificates.get(id)).toMatchObject({ status: 'superseded', supersededBy: body.gcc_id });
    expect((await supersede(body.gcc_id as string, { ...complete, supersedes: body.gcc_id })).status).toBe(200);
  });

  it('rejects a draft, lists its missing elements, and changes nothing', async () => {
    const id = await issue();
    const { status, body } = await supersede(id, draft);
    expect(status).toBe(400);
    for (const path of ['certifier', 'records_contact', 'attestation']) {
      const message = expect.stringContaining('Only a complete certificate');
      expect(body.issues).toContainEqual({ path, code: 'REQUIRED', message });
    }
    expect(await statusOf(id)).toBe('complete');
    expect(await service.store.certificates.search({ text: id, limit: 5 })).toHaveLength(1);
    const contradictory = await supersede(id, { ...complete, cpsc_rules_cited: ['16 CFR 1110'] });
    expect(contradictory.body.issues).toContainEqual(expect.objectContaining({ code: 'INVALID_VALUE' }));
    expect(await statusOf(id)).toBe('complete');
  });

  it('issues only one successor for repeated and concurrent requests with the same idempotency key', async () => {
    const id = await issue();
    const key = { 'Idempotency-Key': 'supersede-1' };
    const responses = await Promise.all([1, 2, 3].map(() => supersede(id, complete, key)));
    const again = await supersede(id, complete, key);
    const made = responses.filter(({ status }) => status === 200).map(({ body }) => body.gcc_id);
    expect(new Set([...made, again.body.gcc_id]).size).toBe(1);
    expect((await supersede(id, { ...complete, paper: 'a4' }, key)).body.error).toBe('idempotency_mismatch');
  });

  it('issues a successor for only one of several concurrent requests without an idempotency key', async () => {
    const id = await issue();
    const responses = await Promise.all([1, 2, 3].map(() => supersede(id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const issued = await service.store.certificates.list({ limit: 10 });
    expect(issued.filter(({ supersedes }) => supersedes === id)).toHaveLength(1);
  });

  it('rejects voided certificates, other accounts’ certificates, and a body with a different certificate ID', async () => {
    const [id, other] = [await issue(), await issue()];
    const mixed = await supersede(id, { ...complete, supersedes: other });
    expect([mixed.status, mixed.body.issues]).toEqual([400, [expect.objectContaining({ path: 'supersedes' })]]);
    await service.store.certificates.void(id, { reason: 'Wrong laboratory', actor: 'test' });
    const voided = await supersede(id);
    expect([voided.status, voided.body.error]).toEqual([409, 'certificate_void']);
    headers = { Authorization: `Bearer ${await service.issue('entry')}` };
    const foreign = await supersede(other);
    expect([foreign.status, foreign.body.error, await statusOf(other)]).toEqual([
      404,
      'certificate_not_found',
      'complete',
    ]);
  });

  it.each([null, 7, [], {}])('rejects the body %j', async body => {
    const { status, body: response } = await supersede(await issue(), body);
    expect([status, response.error]).toEqual([400, 'invalid_request']);
  });
});
