import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonBody, requestPath, startService } from '../testing/service.ts';
import generate from './entry-cpc-generate.ts';
import operation from './entry-gcc-due.ts';
import general from './entry-gcc-generate.ts';

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

/**
 * Request for a certificate with a test dated 2026-08-30. Under a periodic test plan, the next test is due on
 * 2027-08-30.
 */
const request = generate.examples[0]!.request;
const issue = async (path: string = generate.path, body: object = request) =>
  (await jsonBody(await service.post(path, body, headers))).gcc_id;
const due = async (query: Record<string, string> = {}) => {
  const response = await service.get(requestPath(operation, query), { headers });
  expect(response.status).toBe(200);
  return operation.response.parse(await response.json());
};

describe('entry.gcc.due', () => {
  it('lists each rule whose test is due within the specified number of days under the specified plan', async () => {
    const id = await issue();
    await issue(general.path, general.examples[0]!.request);
    expect(await due()).toEqual({ plan: 'periodic', until: '2027-01-20', certificates: [], next_cursor: null });
    const { certificates, until } = await due({ within: '282' });
    expect([until, certificates]).toEqual([
      '2027-08-30',
      [
        expect.objectContaining({
          ...{ gcc_id: id, status: 'draft', product: expect.objectContaining({ name: request.product_info.name }) },
          tests: request.cpsc_rules_cited.map(citation =>
            expect.objectContaining({ citation, tested: '2026-08-30', due: '2027-08-30', overdue: false }),
          ),
        }),
      ],
    ]);
    expect((await due({ within: '282', plan: 'production' })).certificates).toEqual([]);
  });

  it('marks overdue tests and omits voided certificates and other accounts’ certificates', async () => {
    const id = await issue();
    const { now } = service.time;
    service.time.now = Date.UTC(2027, 7, 31, 17);
    expect((await due({ within: '0' })).certificates).toMatchObject([
      { gcc_id: id, tests: [{ overdue: true }, {}, {}, {}] },
    ]);
    await service.post(`/api/v1/entry/gcc/${id}/void`, { reason: 'Wrong laboratory' }, headers);
    expect((await due({ within: '0' })).certificates).toEqual([]);
    service.time.now = now;
  });

  it('returns each certificate on exactly one page, newest first', async () => {
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) {
      ids.unshift(await issue());
      service.time.now += 1_000;
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof due>> = await due({ within: '365', limit: '2', ...(cursor && { cursor }) });
      seen.push(...page.certificates.map(({ gcc_id }) => gcc_id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
  });

  it.each([
    ['within', 'within=-1'],
    ['within', 'within=3651'],
    ['plan', 'plan=yearly'],
    ['cursor', 'cursor=abc'],
  ])('rejects an invalid %s', async (path, query) => {
    const response = await service.get(`${operation.path}?${query}`, { headers });
    expect([response.status, (await jsonBody(response)).issues]).toEqual([400, [expect.objectContaining({ path })]]);
  });
});
