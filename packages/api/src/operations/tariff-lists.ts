import { listsRequest, listsResponse } from '@compliance/contract/lists';
import { easternDate, listsInForce } from '@compliance/core/tariff';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'tariff.lists',
  method: 'get',
  path: '/api/v1/lists',
  scope: 'tariff',
  summary: 'Get the Section 232 lists in force',
  description: 'Returns the data set version, the number of listings in force on a date, and the list sources.',
  request: listsRequest,
  response: listsResponse,
  clientArguments: [],
  examples: [
    { name: 'on a given date', request: { as_of: '2026-10-01' } },
    { name: 'today', request: {} },
  ],
  handler({ as_of }, { now, dataset }) {
    return listsInForce(as_of ?? easternDate(now), dataset);
  },
});
