import { changesRequest, changesResponse } from '@compliance/contract/list-changes';
import { compare } from '@compliance/core/tariff';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'tariff.changes',
  method: 'get',
  path: '/api/v1/tariff/changes',
  scope: 'tariff',
  summary: 'Compare the Section 232 lists on two dates',
  description:
    'Returns listings that were added, removed, moved to another annex, or assigned a different rate between two dates. Headings ' +
    "that depend on the origin or on other facts aren't compared.",
  request: changesRequest,
  response: changesResponse,
  clientArguments: ['from', 'to'],
  examples: [{ name: 'changes on one day', request: { from: '2026-06-07', to: '2026-06-08' } }],
  handler({ from, to }, { dataset }) {
    return compare(from, to, 'all', dataset);
  },
});
