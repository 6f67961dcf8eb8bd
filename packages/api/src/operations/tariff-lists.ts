import { easternDate, listsInForce } from '@compliance/core/tariff';
import { z } from 'zod';
import { asOf, date, program, role, sources } from '../schemas/tariff.ts';
import { defineOperation } from './operation.ts';

const count = z.int().min(0);

const response = z
  .object({
    version: z.string(),
    known_through: date.meta({
      format: 'date',
      description: 'Date through which the lists are current. Later changes are not included.',
    }),
    latest_material: z.string().meta({ description: 'The newest official text included in the data set.' }),
    sha256: z.string().meta({ description: 'SHA-256 hash of the data set.' }),
    as_of: date,
    notice: z.string().nullable(),
    programs: z
      .array(z.object({ program, articles: count, derivatives: count }))
      .meta({ description: 'Number of listings in force for each program.' }),
    lists: z.array(z.object({ id: z.string(), title: z.string(), program, role, note: z.string(), listings: count })),
    sources,
  })
  .meta({ id: 'ListFacts' });

export default defineOperation({
  id: 'tariff.lists',
  method: 'get',
  path: '/api/v1/lists',
  scope: 'tariff',
  summary: 'Get the Section 232 lists in force',
  description: 'Returns the data set version, the number of listings in force on a date, and the list sources.',
  request: z.strictObject({ as_of: asOf }),
  response,
  clientArguments: [],
  examples: [
    { name: 'on a given date', request: { as_of: '2026-10-01' } },
    { name: 'today', request: {} },
  ],
  handler({ as_of }, { now }) {
    return listsInForce(as_of ?? easternDate(now));
  },
});
