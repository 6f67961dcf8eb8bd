import { z } from 'zod';
import { wholeNumber } from '../schemas/query-number.ts';
import { watchEvent, watchId } from '../schemas/watches.ts';
import type { WatchEventBody } from '../watches/evaluate-watches.ts';
import { defineOperation } from './operation.ts';

const MAX_LIMIT = 20;

export default defineOperation({
  id: 'tariff.watches.events',
  method: 'get',
  path: '/api/v1/tariff/watches/{id}/events',
  scope: 'tariff',
  clientArguments: ['id'],
  summary: "Poll a watch's events",
  description:
    "Returns the events of one of your account's watches, oldest first. To poll, repeat the request with `after` set to the response’s `next_after` value. " +
    'Each change to a watched code appears in exactly one event. Events are kept for 90 days.',
  request: z.strictObject({
    id: watchId,
    after: wholeNumber(0, 2_147_483_647, 'Enter an event number.')
      .default(0)
      .meta({ description: 'Return only events after the event with this number.' }),
    limit: wholeNumber(1, MAX_LIMIT, 'Enter a number from 1 to 20.')
      .default(10)
      .meta({ description: 'Maximum number of events.' }),
  }),
  response: z
    .object({
      events: z.array(watchEvent),
      next_after: z.int().meta({
        description:
          'Number of the last returned event, or `after` if no events were returned. Send it as `after` in the next request.',
      }),
    })
    .meta({ id: 'WatchEvents' }),
  errors: ['watch_not_found'],
  examples: [{ name: 'all events', request: { id: 'wat_0mi7x4k2a0000f3a9c1d2e3f40516' } }],
  async handler({ id, after, limit }, { watches, caller }) {
    const stored = await watches.events(caller.family, id, { after, limit });
    const events = stored.map(({ seq, createdAt, body, delivery, attempts, error }) => ({
      seq,
      created_at: new Date(createdAt).toISOString(),
      ...(JSON.parse(body) as WatchEventBody),
      delivery,
      attempts,
      delivery_error: error,
    }));
    return { events, next_after: stored.at(-1)?.seq ?? after };
  },
});
