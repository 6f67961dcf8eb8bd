import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonBody, startService } from '../testing/service.ts';
import cpc from './entry-cpc-generate.ts';
import operation from './entry-gcc-efiling.ts';

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

const [registered, unregulated] = operation.examples.map(({ request }) => request);
const call = async (body: unknown) => {
  const response = await service.post(operation.path, body, headers);
  return { status: response.status, body: await jsonBody(response) };
};
const targetsFor = async (body: unknown) => operation.response.parse((await call(body)).body).targets;

describe('entry.gcc.efiling', () => {
  it('returns a complete target’s data without storing anything', async () => {
    const { status, body } = await call(registered);
    expect(status).toBe(200);
    expect(operation.response.parse(body)).toEqual(body);
    const { content, ...target } = operation.response.parse(body).targets[0]!;
    expect(target).toMatchObject({ target: 'fedex_reference', status: 'ready', gaps: [] });
    expect(content).toContain('"certifierId": "CASCADE-CYCLE"');
    const list = await jsonBody(await service.get('/api/v1/entry/gcc', { headers }));
    expect(list.certificates).toEqual([]);
  });

  it('returns a disclaim message for a product without a certificate', async () => {
    const [target] = await targetsFor(unregulated);
    expect(target).toMatchObject({
      target: 'fedex_disclaim',
      status: 'ready',
      media_type: 'application/json',
    });
  });

  it('lists the missing data for an incomplete target and marks unsupported targets as unavailable', async () => {
    const targets = await targetsFor({ certificate: cpc.examples[0]!.request });
    expect(targets.map(({ target, status, content }) => [target, status, content])).toEqual([
      ['registry_csv', 'incomplete', null],
      ['fedex_reference', 'incomplete', null],
      ...['registry_api', 'fedex_full', 'easypost', 'shipstation'].map(target => [target, 'unavailable', null]),
    ]);
    expect(targets[0]!.gaps.map(({ path }) => path)).toEqual(expect.arrayContaining(['codes', 'efiling.version_id']));
  });

  it('rejects invalid input and reports the path of the invalid field', async () => {
    const future = { ...registered!.certificate!, tests: [{ rule: '16 CFR 1203', test_date: '2999-01-01' }] };
    const bodies = [
      { certificate: future },
      { codes: { source: 'CPSC', codes: {} } },
      { targets: ['carrier_pigeon'] },
      { disclaim: { code: 'C' } },
    ];
    const paths = ['certificate.tests.0.test_date', 'codes.as_of', 'targets.0', 'disclaim.code'];
    for (const [at, body] of bodies.entries()) {
      const response = await call(body);
      expect(response).toMatchObject({ status: 400, body: { issues: [{ path: paths[at] }] } });
    }
  });
});
