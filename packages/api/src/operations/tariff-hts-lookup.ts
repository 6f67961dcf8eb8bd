import { lookupRequest, lookupResponse } from '@compliance/contract/lookup';
import { easternDate } from '@compliance/core/tariff';
import type { z } from 'zod';
import { lookupJson } from '../adapters/lookup-json.ts';
import type { FlaggedLookup } from '../adapters/tariff-lookup.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'tariff.hts.lookup',
  method: 'post',
  path: '/api/v1/tariff/hts/lookup',
  scope: 'tariff',
  clientArguments: ['codes'],
  summary: 'Look up HTS codes in the Section 232 lists',
  description:
    'Returns whether each code is on a list of Section 232 derivative articles (`hit`), covered by Section 232 (`in_scope`), or ' +
    'related to a listed provision (`adjacent_hits`), with citations and effective dates.',
  request: lookupRequest,
  response: lookupResponse,
  examples: [
    { name: 'a listed code', request: { codes: ['7318.15.2061'], as_of: '2026-10-01' } },
    {
      name: 'several codes and an origin',
      request: { codes: ['8429.11.00', '0101.21.00', 'abc'], as_of: '2026-10-01', origin: 'JP' },
    },
    {
      name: 'a vehicle on two lists',
      request: { codes: ['8704.60.00'], as_of: '2026-10-01' },
    },
    {
      name: 'only the metals programs',
      request: { codes: ['7318.15.2061'], as_of: '2026-10-01', programs: 'metals' },
    },
    {
      name: 'with CPSC’s eFiling flag',
      request: { codes: ['6506.10.3045'], as_of: '2026-10-01', efiling: true },
    },
  ],
  handler({ codes, as_of, programs, origin, efiling }, { now, lookUp }) {
    return lookUp(codes, {
      asOf: as_of ?? easternDate(now),
      ...(programs && { programs }),
      ...(origin && { origin }),
      efiling,
    }) as unknown as z.output<typeof lookupResponse>;
  },
  serialize(found) {
    return lookupJson(found as unknown as FlaggedLookup);
  },
});
