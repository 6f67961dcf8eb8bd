import { z } from 'zod';
import { describeWatch, watchDetails, watchId } from '../schemas/watches.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'tariff.watches.get',
  method: 'get',
  path: '/api/v1/tariff/watches/{id}',
  scope: 'tariff',
  clientArguments: ['id'],
  summary: 'Get a watch',
  description: "Returns one of your account's watches.",
  request: z.strictObject({ id: watchId }),
  response: watchDetails,
  errors: ['watch_not_found'],
  examples: [{ name: 'a watch', request: { id: 'wat_0mi7x4k2a0000f3a9c1d2e3f40516' } }],
  async handler({ id }, { watches, caller }) {
    return describeWatch(await watches.get(caller.family, id));
  },
});
