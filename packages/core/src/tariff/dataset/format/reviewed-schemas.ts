import * as z from 'zod';
import type { Edition, OtherAuthority, ReviewedDifference, ReviewedNote } from '../dataset.ts';
import { DIFFERENCE_KINDS, REASONS, type Reason } from '../difference-kinds.ts';
import { dateText as date, requiredText as text } from './fields.ts';

// Schemas for the files in history/reviewed/. An entry without a source or a review date fails validation.

const edition = z.string().regex(/^\d{4} (Basic|Revision \d+)$/);
const review = { source: text, reviewed: date };

/** Schema for `editions.json`, which is sorted by publication date. */
export const editionsSchema = z
  .array(z.strictObject({ edition, published: date, source: text }))
  .min(1)
  .refine(
    editions => editions.every(({ published }, i) => i === 0 || editions[i - 1]!.published < published),
    'the editions are out of order',
  ) satisfies z.ZodType<Edition[], unknown>;

/** Schema for `other-authorities.json`. */
export const otherAuthoritiesSchema = z
  .array(
    z.strictObject({
      authority: text,
      notes: z.array(z.number().int().positive()),
      headings: z.array(z.string().regex(/^9903\.\d\d(\.\d\d)?$/)),
      ...review,
    }),
  )
  .refine(groups => {
    const all = groups.flatMap(({ headings }) => headings);
    return new Set(all).size === all.length;
  }, 'a heading is in more than one entry') satisfies z.ZodType<OtherAuthority[], unknown>;

/** Schema for `differences.json`. */
export const reviewedDifferencesSchema = z.array(
  z.strictObject({
    headings: z.array(z.string().regex(/^9903\.\d\d\.\d\d$/)).min(1),
    editions: z.tuple([edition, edition]),
    kind: z.enum(DIFFERENCE_KINDS),
    ours: text.exactOptional(),
    printed: text.exactOptional(),
    reason: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]),
    text,
    ...review,
  }),
) satisfies z.ZodType<ReviewedDifference[], unknown>;

/** Schema for `notes.json`. */
export const reviewedNotesSchema = z.array(
  z.strictObject({ subdivision: z.string().regex(/^\d+(\(\w+\))*$/), text, ...review }),
) satisfies z.ZodType<ReviewedNote[], unknown>;
