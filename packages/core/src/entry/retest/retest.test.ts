import { describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { toyRequest } from '../samples/childrens.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { retestsOf } from './retest.ts';

const request = {
  ...toyRequest,
  cpsc_rules_cited: ['16 CFR 1250', '15 U.S.C. 1278a', '16 CFR 1303', '16 CFR 1501'],
  testing_lab: { ...toyRequest.testing_lab, test_date: '2026-08-30' },
  tests: [
    { rule: '16 CFR 1250', test_date: '2024-02-29' },
    { rule: '16 CFR 1303', test_date: '2026-06-01' },
    { rule: '16 CFR 1303', test_date: '2026-07-01' },
  ],
  exclusions: [{ rule: '16 CFR 1501', basis: '16 CFR 1501.3' }],
  component_certificates: undefined,
};
const record = certificate(request, sampleContext);

describe('retestsOf', () => {
  it('lists the latest test date and next due date for each tested rule, ordered by due date', () => {
    expect(retestsOf(record, 'periodic').map(({ citation, tested, due }) => [citation, tested, due])).toEqual([
      ['16 CFR 1250', '2024-02-29', '2025-02-28'],
      ['16 CFR 1303', '2026-07-01', '2027-07-01'],
      ['15 U.S.C. 1278a', '2026-08-30', '2027-08-30'],
    ]);
  });

  it('allows longer intervals with a production testing plan or an accredited laboratory', () => {
    const dueOf = (plan: 'production' | 'accredited') =>
      retestsOf(record, plan).find(({ citation }) => citation === '16 CFR 1303')?.due;
    expect([dueOf('production'), dueOf('accredited')]).toEqual(['2028-07-01', '2029-07-01']);
  });

  it('returns no retests for a general certificate', () => {
    expect(retestsOf(certificate(completeRequest, sampleContext), 'periodic')).toEqual([]);
  });
});
