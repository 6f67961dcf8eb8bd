import { ALL_PROGRAMS, isCalendarDate, type Program } from '@compliance/core/tariff';
import { z } from 'zod';

/** A Section 232 program, as requests and answers name it. */
export const program = z
  .enum(ALL_PROGRAMS as [Program, ...Program[]])
  .meta({ id: 'Program', description: 'A Section 232 program.' });

/** The role of a list. */
export const role = z
  .enum(['article', 'derivative'])
  .meta({ description: '`article`: a primary good of the program. `derivative`: on the derivative list.' });

/** A date in an answer. */
export const date = z.string().meta({ format: 'date' });

/** A date in a request: a real day, or an issue `INVALID_DATE`. */
export const calendarDate = z
  .string()
  .refine(isCalendarDate, { message: 'Give a calendar date, YYYY-MM-DD.', params: { code: 'INVALID_DATE' } })
  .meta({ format: 'date' });

/** The date of entry that an answer is for. */
export const asOf = calendarDate.optional().meta({
  format: 'date',
  description: 'Date of entry for consumption. Today in US Eastern time if left out.',
});

/** The fields of a duty in an answer. */
export const duty = {
  headings: z.array(z.string()).meta({ description: 'Chapter 99 headings.' }),
  rate_pct: z.number().nullable().meta({ description: 'Per cent; null where the sources do not give it.' }),
  rate_type: z.enum(['additional', 'total_floor', 'none']).meta({
    description:
      '`additional`: on top of column 1. `total_floor`: column 1 and additional duty together. `none`: no duty.',
  }),
  value_basis: z.string().meta({ description: 'The value that the rate is charged on.' }),
};

/** The dates of a listing in an answer. */
export const interval = {
  effective_from: date.meta({ format: 'date', description: 'First day of force.' }),
  effective_to: date.nullable().meta({ description: 'Last day of force; null while open.' }),
};

/** Where the lists were read, by id. */
export const sources = z
  .record(
    z.string(),
    z.object({ title: z.string(), address: z.string(), reading: z.string(), note: z.string().optional() }),
  )
  .meta({ description: 'Where the lists were read, by id. `reading` says how directly.' });
