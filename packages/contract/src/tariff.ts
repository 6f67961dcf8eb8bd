import { ALL_PROGRAMS, isCalendarDate, originPattern } from '@compliance/core/tariff';
import { z } from 'zod';

/**
 * A Section 232 program in requests and responses. The schema accepts any ID, because a newer data set can contain
 * programs that this release doesn't recognize. The handler rejects programs that aren't in the data set.
 */
export const program = z
  .string()
  .meta({ id: 'Program', description: 'A Section 232 program.', enum: [...ALL_PROGRAMS] });

/** Maximum number of programs in a request. */
const MAX_PROGRAMS = 100;

/** Role of a list in its program. */
export const role = z
  .enum(['article', 'derivative'])
  .meta({ description: '`article`: a primary article of the program. `derivative`: a derivative article.' });

/** A date in a response. */
export const date = z.string().meta({ format: 'date' });

/** A date in a request. Invalid calendar dates result in an `INVALID_DATE` issue. */
export const calendarDate = z
  .string()
  .refine(isCalendarDate, { message: 'Enter a valid date in the format YYYY-MM-DD.', params: { code: 'INVALID_DATE' } })
  .meta({ format: 'date' });

/** The date of entry, as specified in a request. */
export const asOf = calendarDate.optional().meta({
  format: 'date',
  description: 'Date of entry for consumption. Defaults to today in US Eastern time.',
});

/** The duty fields in a response. */
export const duty = {
  headings: z.array(z.string()).meta({ description: 'Chapter 99 headings.' }),
  rate_pct: z
    .number()
    .nullable()
    .meta({ description: "Duty rate as a percentage; null if the sources don't state it." }),
  rate_type: z.enum(['additional', 'total_floor', 'none']).meta({
    description:
      '`additional`: charged in addition to the column 1 duty. `total_floor`: the additional duty raises the total duty, including ' +
      'the column 1 duty, to `rate_pct`. `none`: no additional duty.',
  }),
  value_basis: z.string().meta({ description: 'The value that the rate applies to.' }),
};

/** Source of an effective date. */
export const dateBasis = z.object({ legal: z.string().optional(), first_printed: z.string().optional() }).meta({
  id: 'DateBasis',
  description:
    'Source of an effective date. Contains either `legal` or `first_printed`. `legal`: the act, notice, or change record that sets ' +
    'the date. `first_printed`: the HTS edition in which the provision or the duty first appeared; the legal effective date might be earlier.',
});

/** The programs to check, as specified in a request. */
export const programs = z
  .union(
    [z.literal('all'), z.literal('metals'), z.array(program).min(1).max(MAX_PROGRAMS)],
    `Use "all", "metals", or one or more of these programs: ${ALL_PROGRAMS.join(', ')}.`,
  )
  .optional()
  .meta({ description: 'Programs to check. Defaults to `all`; `metals` is short for steel, aluminum, and copper.' });

/** A listing's dates in a response. */
export const interval = {
  effective_from: date.meta({ format: 'date', description: 'First day the listing is in force.' }),
  effective_to: date
    .nullable()
    .meta({ description: "Last day the listing is in force; null if the listing doesn't have an end date." }),
};

/** Sources of the lists, by ID. */
export const sources = z
  .record(
    z.string(),
    z.object({ title: z.string(), address: z.string(), reading: z.string(), note: z.string().optional() }),
  )
  .meta({
    description:
      'Sources of the lists, by ID. `reading` is `official` (official text), `derived` (derived from official text), or ' +
      '`second_hand` (secondary source).',
  });

/** Maximum number of codes per call. */
const MAX_CODES = 1000;

/** The HTS codes in a request. */
export const htsCodes = z
  .array(z.string('Send each code as a string. Numbers lose leading zeros.'))
  .min(1, 'Send at least one code.')
  .max(MAX_CODES, `Send at most ${MAX_CODES} codes per call. If you have more codes, split them into multiple calls.`);

const CHAPTER = '(?:0[1-9]|[1-68][0-9]|7[0-689]|9[0-7])';

/**
 * JSON Schema pattern for an HTS code with or without dots or spaces. The service also accepts other separators. If the
 * first four digits aren't followed by a separator, a separator after six digits isn't allowed, because `731815.00`
 * could mean either 7318.15 or 7318.15.00.
 *
 * @example new RegExp(HTS_CODE_PATTERN).test('7318.15.2061') // true
 */
export const HTS_CODE_PATTERN = `^${CHAPTER}[0-9]{2}(?:[. ][0-9]{2}(?:[. ]?[0-9]{2}){0,2}|[0-9]{2}|[0-9]{4}(?:[. ]?[0-9]{2})?)?$`;

/** JSON Schema pattern for a country-of-origin code. */
export const ORIGIN_PATTERN = originPattern({ except: ['EU'] });
