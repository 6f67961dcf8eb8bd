import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { startService } from '../testing/service.ts';
import generate from './entry-gcc-generate.ts';
import operation from './entry-gcc-list.ts';
import supersede from './entry-gcc-supersede.ts';

const DAY_MS = 86_400_000;

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

type Body = z.output<typeof operation.response> & { issues?: unknown };
const list = async (query: Record<string, string> = {}) => {
  const response = await service.get(`${operation.path}?${new URLSearchParams(query)}`, { headers });
  return { status: response.status, body: (await response.json()) as Body };
};
const idsOf = async (query: Record<string, string> = {}) =>
  (await list(query)).body.certificates.map(({ gcc_id }) => gcc_id);
const draft = generate.examples[0]!.request;
const complete = supersede.examples[0]!.request;
const issue = async (body: object): Promise<string> => {
  const response = await service.post(generate.path, body, headers);
  return ((await response.json()) as { gcc_id: string }).gcc_id;
};

describe('entry.gcc.list', () => {
  it('lists only the account’s certificates, newest first, and matches the response schema', async () => {
    const foreign = await issue(draft);
    headers = { Authorization: `Bearer ${await service.issue('entry')}` };
    const first = await issue(draft);
    service.time.now += 1;
    const second = await issue(complete);
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(operation.response.parse(body)).toEqual(body);
    expect(body.certificates.map(({ gcc_id, status }) => [gcc_id, status])).toEqual([
      [second, 'complete'],
      [first, 'draft'],
    ]);
    expect(body.next_cursor).toBeNull();
    expect(await idsOf({ search: foreign })).toEqual([]);
  });

  it('filters certificates by status, issue date, and product', async () => {
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const lamp = await issue({ ...draft, product_info: { ...draft.product_info, name: 'Desk lamp', sku: 'DL-1' } });
    service.time.now += 2 * DAY_MS;
    const helmet = await issue(complete);
    const successor = await issue({ ...complete, supersedes: helmet });
    expect(await idsOf({ status: 'superseded' })).toEqual([helmet]);
    expect(await idsOf({ status: 'complete' })).toEqual([successor]);
    expect(await idsOf({ status: 'draft' })).toEqual([lamp]);
    expect(await idsOf({ status: 'voided' })).toEqual([]);
    expect(await idsOf({ issued_to: day(service.time.now - 2 * DAY_MS) })).toEqual([lamp]);
    expect((await idsOf({ issued_from: day(service.time.now) })).sort()).toEqual([helmet, successor].sort());
    expect(await idsOf({ search: 'LAMP dl-1' })).toEqual([lamp]);
    expect(await idsOf({ search: lamp.slice(0, 8), status: 'complete' })).toEqual([]);
  });

  it('returns each certificate on exactly one page', async () => {
    const issued = [];
    for (let i = 0; i < 5; i++) {
      issued.unshift(await issue(draft));
      service.time.now += 1;
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await list({ limit: '2', ...(cursor && { cursor }) });
      seen.push(...body.certificates.map(({ gcc_id }) => gcc_id));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(issued);
  });

  it('rejects an altered cursor and another account’s cursor with the same error', async () => {
    await issue(draft);
    await issue(draft);
    const { next_cursor } = (await list({ limit: '1' })).body;
    headers = { Authorization: `Bearer ${await service.issue('entry')}` };
    const unknown = Buffer.from('3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60').toString('base64url');
    const rejected = await Promise.all(
      [next_cursor!, `${next_cursor}A`, unknown, 'x', '%'].map(cursor => list({ cursor })),
    );
    for (const { status, body } of rejected) {
      expect(status).toBe(400);
      expect(body.issues).toEqual(rejected[0]!.body.issues);
      expect(body.issues).toEqual([expect.objectContaining({ path: 'cursor', code: 'INVALID_VALUE' })]);
    }
  });

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
    ['limit', 'ten'],
    ['status', 'valid'],
    ['issued_from', '2026-02-30'],
    ['search', 'a'.repeat(201)],
    ['page', '2'],
  ])('rejects the parameter %s=%s', async (name, value) => {
    const { status, body } = await list({ [name]: value });
    expect([status, body.issues]).toEqual([400, [expect.objectContaining({ path: name })]]);
  });
});
