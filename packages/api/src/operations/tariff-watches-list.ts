import { calendarDate } from '@compliance/contract/tariff';
import { z } from 'zod';
import { describeWatch, watchDetails } from '../schemas/watches.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'tariff.watches.list',
  method: 'get',
  path: '/api/v1/tariff/watches',
  scope: 'tariff',
  clientArguments: [],
  summary: 'List watches',
  description: "Returns your account's watches, newest first.",
  request: z.strictObject({
    created_from: calendarDate.optional().meta({
      format: 'date',
      description: 'Earliest creation date to include, in UTC.',
    }),
  }),
  response: z.object({ watches: z.array(watchDetails) }).meta({ id: 'WatchList' }),
  examples: [
    { name: 'watches since a date', request: { created_from: '2026-10-01' } },
    { name: 'all watches', request: {} },
  ],
  async handler({ created_from = '' }, { watches, caller }) {
    const all = (await watches.list(caller.family)).map(describeWatch);
    return { watches: all.filter(({ created_at }) => created_at >= created_from) };
  },
});
