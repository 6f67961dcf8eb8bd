import { easternDate, listsInForce } from '@compliance/core/tariff';
import { z } from 'zod';
import { asOf, date, program, role, sources } from '../schemas/tariff.ts';
import { defineOperation } from './operation.ts';

const count = z.int().min(0);

const response = z
  .object({
    version: z.string(),
    known_through: date.meta({ format: 'date', description: 'After this day the lists may have changed.' }),
    latest_material: z.string().meta({ description: 'The newest official text that was worked in.' }),
    sha256: z.string().meta({ description: 'Of the whole edition, to tell two apart.' }),
    as_of: date,
    notice: z.string().nullable(),
    programs: z
      .array(z.object({ program, articles: count, derivatives: count }))
      .meta({ description: 'Listings in force, of every program.' }),
    lists: z.array(z.object({ id: z.string(), title: z.string(), program, role, note: z.string(), listings: count })),
    sources,
  })
  .meta({ id: 'ListFacts' });

export default defineOperation({
  id: 'tariff.lists',
  method: 'get',
  path: '/api/v1/lists',
  scope: 'tariff',
  summary: 'What the Section 232 lists hold',
  description:
    'Says which edition of the lists answers, how many listings are in force on a date, and where they were read.',
  request: z.strictObject({ as_of: asOf }),
  response,
  clientsTake: [],
  examples: [
    { name: 'on a day', request: { as_of: '2026-10-01' } },
    { name: 'today', request: {} },
  ],
  handle({ as_of }, { now }) {
    return listsInForce(as_of ?? easternDate(now));
  },
});
