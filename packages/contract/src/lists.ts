import { z } from 'zod';
import { asOf, date, program, role, sources } from './tariff.ts';

/** A request for the lists in force. */
export const listsRequest = z.strictObject({ as_of: asOf });

const count = z.int().min(0);

/** The data set and its lists in force on a given date. */
export const listsResponse = z
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
    programs: z.array(z.object({ program, articles: count, derivatives: count })).meta({
      description:
        'For each program, the number of listings in force for primary articles and for derivative articles.',
    }),
    lists: z.array(z.object({ id: z.string(), title: z.string(), program, role, note: z.string(), listings: count })),
    sources,
  })
  .meta({ id: 'ListFacts' });
