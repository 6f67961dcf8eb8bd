import { parseFlagList } from '@compliance/core/entry';
import { lookup } from '@compliance/core/tariff';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonBody, startService } from '../testing/service.ts';
import operation from './tariff-hts-lookup.ts';

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('tariff')}` };
});
afterAll(() => service.stop());

const call = async (body: unknown) => {
  const response = await service.post(operation.path, body, headers);
  return { status: response.status, body: await jsonBody(response) };
};

describe('tariff.hts.lookup', () => {
  it('returns the core library’s result serialized as JSON, byte for byte', async () => {
    const codes = ['7318.15.2061', '7208.10.15', '8302.41.60', '0101.21.00', '7303.00.00', '9403.20.0075', 'abc'];
    const response = await service.post(operation.path, { codes, as_of: '2026-11-21' }, headers);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(await response.text()).toBe(JSON.stringify(lookup(codes, { asOf: '2026-11-21' })));
  });

  it('applies each request’s options, regardless of earlier requests', async () => {
    const codes = ['8429.11.00'];
    const variants = [{ asOf: '2026-11-21' }, { asOf: '2025-05-01' }, { asOf: '2026-11-21', origin: 'JP' }];
    for (const options of [...variants, ...variants]) {
      const { asOf: as_of, ...rest } = options;
      expect((await call({ codes, as_of, ...rest })).body).toEqual(lookup(codes, options));
    }
  });

  it('adds CPSC’s eFiling flags only if they’re requested', async () => {
    const flags = parseFlagList({
      ...{ as_of: '2026-09-14', source: 'CPSC' },
      groups: [{ name: 'Bicycle Helmets', codes: ['6506103045'] }],
    });
    const flagged = await startService({ flags });
    const request = { codes: ['6506.10.3045', 'abc'], as_of: '2026-11-21' };
    const auth = { Authorization: `Bearer ${await flagged.issue('tariff')}` };
    const post = async (body: unknown) => await jsonBody(await flagged.post(operation.path, body, auth));
    const found = await post({ ...request, efiling: true });
    expect(operation.response.parse(found)).toEqual(found);
    expect(found).toMatchObject({
      results: [{ efiling: { status: 'flagged', groups: ['Bicycle Helmets'] } }, { efiling: null }],
      efiling: { as_of: '2026-09-14', source: 'CPSC' },
    });
    expect(await post(request)).toEqual(lookup(request.codes, { asOf: request.as_of }));
    await flagged.stop();
    const { body: without } = await call({ ...request, efiling: true });
    expect(without).toMatchObject({
      results: [{ efiling: { status: 'not_loaded' } }, { efiling: null }],
      efiling: null,
    });
  });

  it('returns the fields that the API contract defines for each code', async () => {
    const { body } = await call({ codes: ['7318.15.2061'] });
    expect(body.results[0]).toMatchObject({
      code: '7318.15.2061',
      hit: true,
      in_scope: true,
      status: 'hit',
      adjacent_hits: [],
    });
  });

  it('matches the response schema for all examples and edge cases', async () => {
    const requests = [
      ...operation.examples.map(example => example.request),
      { codes: ['8708', '9403.99.9010', '8471.50', 'x', ''], programs: 'all', origin: 'GB' },
      { codes: ['3818.00.0020', '3004.90.92.25', '8806.21.00'], programs: 'all', as_of: '2027-02-01', origin: 'JP' },
    ];
    for (const request of requests) {
      const { status, body } = await call(request);
      expect(status).toBe(200);
      expect(operation.response.parse(body)).toEqual(body);
    }
  });

  it('returns one result per code, in the same order, for 1,000 codes', async () => {
    const codes = Array.from(
      { length: 1000 },
      (_, i) => `8481.${`${i % 100}`.padStart(2, '0')}.${`${i}`.padStart(4, '0')}`,
    );
    const { status, body } = await call({ codes });
    expect(status).toBe(200);
    expect(body.results.map((result: { code: string }) => result.code)).toEqual(codes);
  });

  it.each([
    [
      '1,001 codes',
      { codes: Array(1001).fill('7318') },
      { path: 'codes', code: 'TOO_MANY', message: expect.stringMatching(/1000.*split/) },
    ],
    ['no codes', { codes: [] }, { path: 'codes', code: 'TOO_FEW', message: 'Send at least one code.' }],
    [
      'a number',
      { codes: ['7318', 7318152061] },
      { path: 'codes.1', code: 'INVALID_TYPE', message: expect.stringContaining('leading zeros') },
    ],
    ['null', { codes: [null] }, { path: 'codes.0', code: 'INVALID_TYPE', message: expect.any(String) }],
    ['missing codes', { as_of: '2026-01-01' }, { path: 'codes', code: 'REQUIRED', message: expect.any(String) }],
    ['codes as a string', { codes: '7318' }, { path: 'codes', code: 'INVALID_TYPE', message: expect.any(String) }],
    [
      'a date that doesn’t exist',
      { codes: ['7318'], as_of: '2026-02-30' },
      { path: 'as_of', code: 'INVALID_DATE', message: expect.any(String) },
    ],
    [
      'an unknown program',
      { codes: ['7318'], programs: ['gold'] },
      { path: 'programs', code: 'INVALID_VALUE', message: expect.stringContaining('steel') },
    ],
    [
      'an unknown country',
      { codes: ['7318'], origin: 'XX' },
      { path: 'origin', code: 'INVALID_FORMAT', message: expect.any(String) },
    ],
  ])('returns 400 for %s', async (_, body, issue) => {
    expect(await call(body)).toMatchObject({ status: 400, body: { error: 'invalid_request', issues: [issue] } });
  });

  it('uses the current date in US Eastern time by default', async () => {
    service.time.now = Date.UTC(2026, 11, 4, 4, 59);
    expect((await call({ codes: ['7318'] })).body.list.as_of).toBe('2026-12-03');
    service.time.now = Date.UTC(2026, 11, 4, 5, 0);
    expect((await call({ codes: ['7318'] })).body.list.as_of).toBe('2026-12-04');
  });
});
