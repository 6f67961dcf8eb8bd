import { z } from 'zod';
import { calendarDate, date, duty, htsCodes, program, programs, role } from './tariff.ts';

const listing = z
  .object({ list: z.string(), role, hts: z.string(), annex: z.string().nullable(), ...duty, citation: z.string() })
  .meta({ id: 'Listing', description: 'A listing on a given date.' });

/** A listing change, as returned in a response. */
const listingChange = z
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
      .meta({ description: 'The act that explicitly removed the listing; null if no act explicitly removed it.' }),
  })
  .meta({ id: 'ListingChange' });

/** Returns the schema for the differences between the lists on two dates. */
function listChanges<Change extends z.ZodType>(change: Change) {
  const changes = z.array(change);
  return z.object({
    from: date,
    to: date,
    programs: z.array(program),
    version: z.string().meta({ description: 'Data set version.' }),
    known_through: date.meta({ format: 'date', description: 'Date through which the lists are current.' }),
    sha256: z.string().meta({ description: 'SHA-256 hash of the data set.' }),
    added: changes.meta({ description: 'Provisions that are listed only on the later date.' }),
    removed: changes.meta({ description: 'Provisions that are listed only on the earlier date.' }),
    moved: changes.meta({ description: 'Provisions that are listed in different annexes on the two dates.' }),
    rate_changed: changes.meta({ description: 'Provisions that are listed with different duties on the two dates.' }),
  });
}

/** A request for all changes between two dates. */
export const changesRequest = z.strictObject({ from: calendarDate, to: calendarDate });

/** The changes to the lists between two dates. */
export const changesResponse = listChanges(listingChange).meta({
  id: 'ListChanges',
  description: "If a provision's annex and rate both change, the provision is in both `moved` and `rate_changed`.",
});

/** A request for the changes that affect the submitted HTS codes. */
export const codeChangesRequest = z
  .strictObject({
    codes: htsCodes.meta({
      description:
        'HTS codes with 4, 6, 8, or 10 digits, with or without dots or spaces. The response includes a change if the changed ' +
        'provision covers a submitted code or is a subdivision of one.',
    }),
    from: calendarDate,
    to: calendarDate,
    programs,
  })
  .meta({ id: 'CodeChangesRequest' });

const codeChange = listingChange
  .extend({ codes: z.array(z.string()).meta({ description: 'The submitted codes that the change affects.' }) })
  .meta({ id: 'CodeChange' });

/** The changes between two dates that affect the submitted HTS codes. */
export const codeChangesResponse = listChanges(codeChange)
  .extend({
    invalid_codes: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .meta({ description: "Submitted strings that aren't HTS codes. The comparison ignores them." }),
  })
  .meta({
    id: 'CodeChanges',
    description: "If a provision's annex and rate both change, the provision is in both `moved` and `rate_changed`.",
  });
