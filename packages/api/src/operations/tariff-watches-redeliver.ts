import { z } from 'zod';
import { watchId } from '../schemas/watches.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'tariff.watches.redeliver',
  method: 'post',
  path: '/api/v1/tariff/watches/redeliver',
  scope: 'tariff',
  clientArguments: ['id'],
  summary: 'Redeliver webhooks',
  description:
    'Redelivers events whose delivery failed permanently. Each redelivery keeps the original `webhook-id`, ' +
    'so receivers can ignore events that they already processed.',
  request: z
    .strictObject({
      id: watchId,
      after: z
        .int()
        .min(0)
        .max(2_147_483_647)
        .default(0)
        .meta({ description: 'Redeliver only events after the event with this number.' }),
      include_delivered: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether to also redeliver events that were already delivered.' }),
    })
    .meta({ id: 'WatchRedeliverRequest' }),
  response: z
    .object({ events: z.int().meta({ description: 'Number of events that will be redelivered.' }) })
    .meta({ id: 'WatchRedelivery' }),
  errors: ['watch_not_found'],
  examples: [{ name: 'all failed events', request: { id: 'wat_0mi7x4k2a0000f3a9c1d2e3f40516' } }],
  async handler({ id, after, include_delivered }, { watches, caller }) {
    return { events: await watches.redeliver(caller.family, id, { after, onlyFailed: !include_delivered }) };
  },
});
