import { z } from 'zod';
import { date, duty, program, role } from './tariff.ts';

const listing = z
  .object({ list: z.string(), role, hts: z.string(), annex: z.string().nullable(), ...duty, citation: z.string() })
  .meta({ id: 'Listing', description: 'A listing on a given date.' });

/** A change to a listing in a response. */
export const listingChange = z
  .object({
    program,
    hts: z.string(),
    before: listing
      .nullable()
      .meta({ description: "The listing on the earlier date; null if the provision wasn't listed." }),
    after: listing
      .nullable()
      .meta({ description: "The listing on the later date; null if the provision isn't listed." }),
    still_covered: z.enum(['no', 'partly', 'fully']).nullable().meta({
      description:
        'For a removed listing, whether another listing in the program still covers the provision; otherwise null.',
    }),
    removed_by: z
      .string()
      .nullable()
      .meta({ description: 'The act that explicitly removed the listing; null if no act removed it.' }),
  })
  .meta({ id: 'ListingChange' });

/** Returns the schema for the differences between the lists on two dates. */
export function listChanges<Change extends z.ZodType>(change: Change) {
  const changes = z.array(change);
  return z.object({
    from: date,
    to: date,
    programs: z.array(program),
    version: z.string(),
    added: changes.meta({ description: 'Provisions that are listed only on the later date.' }),
    removed: changes.meta({ description: 'Provisions that are listed only on the earlier date.' }),
    moved: changes.meta({ description: 'Provisions that are listed in different annexes on the two dates.' }),
    rate_changed: changes.meta({ description: 'Provisions that are listed with different duties on the two dates.' }),
  });
}
