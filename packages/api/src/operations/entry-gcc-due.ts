import { dueTests, dueTestsRequest } from '@compliance/contract/certificate';
import { ApiError } from '../errors/api-error.ts';
import { numberInQuery } from '../schemas/query-number.ts';
import { defineOperation } from './operation.ts';

const { within, limit } = dueTestsRequest.shape;

export default defineOperation({
  id: 'entry.gcc.due',
  method: 'get',
  path: '/api/v1/entry/gcc/due',
  scope: 'entry',
  clientArguments: [],
  summary: 'List certificates with periodic tests due',
  description:
    "Returns your account's Children's Product Certificates for which a periodic third-party test is due or overdue (16 CFR 1107.21), " +
    'newest certificate first, one page at a time. Superseded and voided certificates are omitted. General Certificates of Conformity ' +
    "are also omitted, because their test intervals depend on each product's testing program. To get the next page, repeat the request with " +
    "`next_cursor` as `cursor`. A page can be empty even if it isn't the last one.",
  request: dueTestsRequest.extend({
    within: numberInQuery(within.unwrap()).default(60).meta(within.meta()!),
    limit: numberInQuery(limit.unwrap()).default(50).meta(limit.meta()!),
  }),
  response: dueTests,
  errors: ['unavailable'],
  examples: [
    { name: 'tests due within 90 days', request: { within: 90, plan: 'production' } },
    { name: 'tests due within 60 days', request: {} },
  ],
  async handler(query, { certificates, caller }) {
    if (!certificates) throw new ApiError('unavailable');
    return await certificates.due(query, caller);
  },
});
