import { z } from 'zod';
import { watchId } from '../schemas/watches.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'tariff.watches.delete',
  method: 'post',
  path: '/api/v1/tariff/watches/delete',
  scope: 'tariff',
  clientArguments: ['id'],
  summary: 'Delete a watch',
  description: "Deletes one of your account's watches, along with its codes and events.",
  request: z.strictObject({ id: watchId }).meta({ id: 'WatchDeleteRequest' }),
  response: z
    .object({ deleted: z.string().meta({ description: 'ID of the deleted watch.' }) })
    .meta({ id: 'DeletedWatch' }),
  errors: ['watch_not_found'],
  examples: [{ name: 'a watch', request: { id: 'wat_0mi7x4k2a0000f3a9c1d2e3f40516' } }],
  async handler({ id }, { watches, caller }) {
    await watches.delete(caller.family, id);
    return { deleted: id };
  },
});
