import { codeChangesRequest, codeChangesResponse } from '@compliance/contract/list-changes';
import { compareForCodes } from '@compliance/core/tariff';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'tariff.hts.changes',
  method: 'post',
  path: '/api/v1/tariff/changes',
  scope: 'tariff',
  clientArguments: 'request',
  summary: 'Compare Section 232 coverage of your HTS codes on two dates',
  description:
    'Compares the Section 232 lists on two dates and returns only the changes that affect the submitted HTS codes (up to 1,000). ' +
    "Headings that depend on the origin or on other facts aren't compared.",
  request: codeChangesRequest,
  response: codeChangesResponse,
  examples: [
    {
      name: 'changes on one day for two codes',
      request: { codes: ['9403.20.0075', '8708.29'], from: '2026-06-07', to: '2026-06-08' },
    },
  ],
  handler: ({ codes, from, to, programs }, { dataset }) => compareForCodes(codes, from, to, programs, dataset),
});
