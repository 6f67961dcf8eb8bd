import { compare } from '@compliance/core/tariff';
import { z } from 'zod';
import { calendarDate, date, duty, program, role } from '../schemas/tariff.ts';
import { defineOperation } from './operation.ts';

const listing = z
  .object({ list: z.string(), role, hts: z.string(), annex: z.string().nullable(), ...duty, citation: z.string() })
  .meta({ id: 'Listing', description: 'A listing as it stands on one date.' });

const changes = z.array(
  z
    .object({
      program,
      hts: z.string(),
      before: listing.nullable().meta({ description: 'On the earlier date; null when it was not listed.' }),
      after: listing.nullable().meta({ description: 'On the later date; null when it is not listed.' }),
      still_covered: z.enum(['no', 'partly', 'fully']).nullable().meta({
        description: 'Of a removal: whether the program still covers the provision through another listing.',
      }),
      removed_by: z.string().nullable().meta({ description: 'The act that removed it by name, if one did.' }),
    })
    .meta({ id: 'ListingChange' }),
);

const response = z
  .object({
    from: date,
    to: date,
    programs: z.array(program),
    version: z.string(),
    added: changes.meta({ description: 'Listed on the later date alone.' }),
    removed: changes.meta({ description: 'Listed on the earlier date alone.' }),
    moved: changes.meta({ description: 'Listed on both, in another annex.' }),
    rate_changed: changes.meta({ description: 'Listed on both, and charged differently.' }),
  })
  .meta({
    id: 'ListChanges',
    description: 'A provision that moves to another annex at another rate is in both lists.',
  });

export default defineOperation({
  id: 'tariff.changes',
  method: 'get',
  path: '/api/v1/tariff/changes',
  scope: 'tariff',
  summary: 'What changed in the Section 232 lists between two dates',
  description:
    'Compares the lists on two dates: what was added, removed, moved to another annex, or charged differently.',
  request: z.strictObject({ from: calendarDate, to: calendarDate }),
  response,
  clientsTake: ['from', 'to'],
  examples: [{ name: 'the changes of a day', request: { from: '2026-06-07', to: '2026-06-08' } }],
  handle({ from, to }) {
    return compare(from, to);
  },
});
