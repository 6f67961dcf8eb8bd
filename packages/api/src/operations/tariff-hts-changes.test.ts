import { type CodeDiff, compare, compareForCodes, type ListDiff, METALS } from '@compliance/core/tariff';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startService } from '../testing/service.ts';
import changes from './tariff-changes.ts';
import operation from './tariff-hts-changes.ts';

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('tariff')}` };
});
afterAll(() => service.stop());

const call = async (body: unknown): Promise<{ status: number; body: CodeDiff & { issues?: unknown[] } }> => {
  const response = await service.post(operation.path, body, headers);
  return { status: response.status, body: (await response.json()) as CodeDiff };
};
const countOf = ({ added, removed, moved, rate_changed }: ListDiff | CodeDiff) =>
  added.length + removed.length + moved.length + rate_changed.length;
const CODES = ['9403.20.0075', '8708.29', 'bolts'];
const DATES = { from: '2026-06-07', to: '2026-06-08' };

describe('tariff.hts.changes', () => {
  it('returns the same changes as the core library for the submitted codes', async () => {
    const { status, body } = await call({ codes: CODES, ...DATES });
    expect(status).toBe(200);
    expect(body).toEqual(compareForCodes(CODES, DATES.from, DATES.to));
    expect(operation.response.parse(body)).toEqual(body);
    expect(body.invalid_codes).toEqual([{ code: 'bolts', message: expect.stringContaining('Not an HTS code') }]);
  });

  it('compares only the requested programs', async () => {
    const { body } = await call({ codes: ['9401', '7318'], from: '2026-12-31', to: '2027-01-01', programs: 'metals' });
    expect([body.programs, body.rate_changed]).toEqual([METALS, []]);
    const all = await call({ codes: ['9401', '7318'], from: '2026-12-31', to: '2027-01-01' });
    expect(all.body.rate_changed).toHaveLength(4);
    const one = await call({ codes: ['9401'], ...DATES, programs: ['steel'] });
    expect(one.body.programs).toEqual(['steel']);
  });

  it('compares all listings for a GET request to the same path', async () => {
    const all = await service.get(`${changes.path}?from=2026-04-05&to=2026-04-06`, { headers });
    const body = (await all.json()) as ListDiff;
    expect([all.status, countOf(body)]).toEqual([200, countOf(compare('2026-04-05', '2026-04-06'))]);
    expect(countOf(body)).toBeGreaterThan(1000);
    const selected = await call({ codes: ['7318.15.2061'], from: '2026-04-05', to: '2026-04-06' });
    expect(countOf(selected.body)).toBeLessThan(5);
  });

  it.each([
    ['1,001 codes', { codes: Array(1001).fill('7318'), ...DATES }, { path: 'codes', code: 'TOO_MANY' }],
    ['no codes', { codes: [], ...DATES }, { path: 'codes', code: 'TOO_FEW' }],
    ['a number', { codes: [7318], ...DATES }, { path: 'codes.0', code: 'INVALID_TYPE' }],
    ['a missing date', { codes: ['7318'], from: '2026-06-07' }, { path: 'to', code: 'REQUIRED' }],
    [
      'an invalid date',
      { codes: ['7318'], from: '2026-06-31', to: '2026-07-01' },
      { path: 'from', code: 'INVALID_DATE' },
    ],
    [
      'an unknown program',
      { codes: ['7318'], ...DATES, programs: ['gold'] },
      { path: 'programs', code: 'INVALID_VALUE' },
    ],
  ])('returns 400 for %s', async (_, body, issue) => {
    const response = await call(body);
    expect(response.status).toBe(400);
    expect(response.body.issues).toEqual([{ ...issue, message: expect.any(String) }]);
  });
});
