import * as z from 'zod';
import { isCalendarDate } from '../../dates.ts';

/** Schema for a calendar date in YYYY-MM-DD format. */
export const dateText = z
  .string()
  .refine(isCalendarDate, 'must be a calendar date in YYYY-MM-DD format')
  .meta({ format: 'date' });

/** Schema for a nonempty string. */
export const requiredText = z.string().min(1);
