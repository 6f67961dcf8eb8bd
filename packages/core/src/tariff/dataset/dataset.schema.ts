import { z } from 'zod';
import { isCalendarDate } from '../dates.ts';
import { prefixOf } from '../nomenclature/hts-code.ts';
import { type ConditionDefinition, FACTS, type Fact, type Test } from './conditions.ts';
import type { AlternativeHeading, Removal, Source, Stacking, TariffList } from './dataset.ts';
import { ALL_PROGRAMS, type Program } from './programs.ts';

// Schemas for the data set files. A list without a citation or a source fails validation.

const date = z.string().refine(isCalendarDate, 'must be a calendar date in YYYY-MM-DD format');
const text = z.string().min(1);
/** Schemas that other data files share: a calendar date in YYYY-MM-DD format and a nonempty string. */
export const COMMON_FIELDS = { date, text };
const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const program = z.enum(ALL_PROGRAMS as [Program, ...Program[]]);
const hts = z.string().regex(/^\d{4}(\.\d\d){0,3}$/);
const chapter99 = z.string().regex(/^99\d\d\.\d\d\.\d\d$/);
const conditions = z.array(text);
const caveats = z.array(text);
const datedBy = z.union([z.strictObject({ legal: text }), z.strictObject({ first_printed: text })]);
const interval = { effective_from: date, effective_to: date.nullable(), dated_by: datedBy };
const inOrder = (value: { effective_from: string; effective_to: string | null }) =>
  value.effective_to === null || value.effective_from <= value.effective_to;
const cited = { citation: text, sources: z.array(text).min(1) };
const rate = { rate_pct: z.number().min(0).nullable(), rate_type: z.enum(['additional', 'total_floor', 'none']) };
const companions = z
  .array(z.strictObject({ heading: chapter99, applies_to: z.enum(['privileged_foreign_status', 'us_content']) }))
  .min(1);
const basis = z.enum(['full_customs_value', 'metal_content_value', 'copper_content_value', 'non_us_content_value']);

const term = z
  .strictObject({
    ...interval,
    note: text.exactOptional(),
    annex: text.nullable(),
    headings: z.array(chapter99),
    companion_headings: companions.exactOptional(),
    ...rate,
    value_basis: basis,
    full_value_chapters: z.array(z.string().regex(/^\d\d$/)).exactOptional(),
    ...cited,
    conditions: conditions.exactOptional(),
    caveats: caveats.exactOptional(),
  })
  .refine(inOrder, 'the end date is before the start date');

const batch = z
  .strictObject({
    ...interval,
    ...cited,
    caveats: caveats.exactOptional(),
    provisions: z
      .array(
        z.union([
          hts,
          z.strictObject({ hts, conditions: conditions.exactOptional(), caveats: caveats.exactOptional() }),
        ]),
      )
      .min(1),
  })
  .refine(inOrder, 'the end date is before the start date');

/**
 * Schema for `list.json` files. Terms must be in order without overlapping, and a provision can't be listed twice on
 * the same date.
 */
export const listSchema = z
  .strictObject({
    id,
    title: text,
    program,
    role: z.enum(['article', 'derivative']),
    note: text,
    membership_verified_from: date.exactOptional(),
    draft: z.literal(true).exactOptional(),
    terms: z.array(term).min(1),
    batches: z.array(batch).min(1),
  })
  .refine(list => list.draft || !JSON.stringify(list).includes('TODO'), "contains a TODO but isn't marked as a draft")
  .refine(
    ({ terms }) => terms.every((t, i) => i === 0 || (terms[i - 1]!.effective_to ?? '9999') < t.effective_from),
    'the terms overlap or are out of order',
  )
  .refine(({ batches }) => {
    const entries = batches.flatMap(c =>
      c.provisions.map(p => ({ hts: typeof p === 'string' ? p : p.hts, from: c.effective_from, to: c.effective_to })),
    );
    return Object.values(Object.groupBy(entries, ({ hts }) => prefixOf(hts))).every(same => {
      const sorted = same!.sort((a, b) => (a.from < b.from ? -1 : 1));
      return sorted.every((entry, i) => i === 0 || (sorted[i - 1]!.to ?? '9999') < entry.from);
    });
  }, 'a provision is listed twice on the same date') satisfies z.ZodType<TariffList, unknown>;

/** Schema for the files in `headings/`. */
export const headingsSchema = z.strictObject({
  id,
  title: text,
  headings: z.array(
    z
      .strictObject({
        headings: z.array(chapter99),
        companion_headings: companions.exactOptional(),
        ...rate,
        lists: z.array(id).min(1),
        origins: z.array(z.string().regex(/^[A-Z]{2}$/)).exactOptional(),
        except_origins: z.array(z.string().regex(/^[A-Z]{2}$/)).exactOptional(),
        chapters: z.array(z.string().regex(/^\d\d$/)).exactOptional(),
        codes: z.array(z.string().regex(/^\d{4}(\d\d){0,3}$/)).exactOptional(),
        unless_listed: z.array(id).exactOptional(),
        when: conditions,
        value_basis: basis.exactOptional(),
        us_content_cap_pct: z.number().min(0).max(100).exactOptional(),
        program: program.exactOptional(),
        exempt: z.literal(true).exactOptional(),
        filed: z.literal('whole_rate').exactOptional(),
        ...interval,
        caveats: caveats.exactOptional(),
        ...cited,
      })
      .refine(inOrder, 'the end date is before the start date')
      .refine(h => h.origins || h.when.length > 0, 'an alternative heading must depend on an origin or a fact'),
  ),
}) satisfies z.ZodType<{ headings: AlternativeHeading[] }, unknown>;

/** Schema for `removal.json` files. */
export const removalSchema = z.strictObject({
  id,
  title: text,
  effective: date,
  ...cited,
  removed: z.partialRecord(program, z.array(hts)),
}) satisfies z.ZodType<Removal, unknown>;

/** Schema for `stacking.json`. */
export const stackingSchema = z.array(
  z
    .strictObject({
      program: z.array(program).min(1),
      relation: z.enum(['excludes', 'one_heading', 'both', 'use_decides', 'not_established']),
      others: z.array(program).min(1),
      text,
      ...interval,
      ...cited,
    })
    .refine(inOrder, 'the end date is before the start date'),
) satisfies z.ZodType<Stacking[], unknown>;

const fact = z.enum(Object.keys(FACTS) as [Fact, ...Fact[]]);
const test: z.ZodType<Test, unknown> = z.union([
  z
    .strictObject({ fact, is: z.union([text, z.boolean()]) })
    .refine(
      ({ fact, is }) => FACTS[fact] === (typeof is === 'string' ? 'choice' : 'flag'),
      'the comparison doesn’t match the kind of fact',
    ),
  ...(['at_least', 'less_than', 'at_most'] as const).map(limit =>
    z
      .strictObject({ fact, [limit]: z.number() })
      .refine(({ fact }) => FACTS[fact as Fact] === 'number', 'the comparison doesn’t match the kind of fact'),
  ),
  z.strictObject({
    fact: z.literal('technical'),
    in_any_window: z.array(z.record(text, z.tuple([z.number(), z.number()]))).min(1),
  }),
  z.strictObject({ not: z.lazy(() => test) }),
  z.strictObject({ all: z.array(z.lazy(() => test)).min(1) }),
  z.strictObject({ any: z.array(z.lazy(() => test)).min(1) }),
]) as z.ZodType<Test, unknown>;

/** Schemas for `sources.json`, `conditions.json`, `caveats.json`, and `dataset.json`. */
export const vocabularySchemas = {
  sources: z.record(
    id,
    z.strictObject({
      title: text,
      address: text,
      reading: z.enum(['official', 'derived', 'second_hand']),
      note: text.exactOptional(),
    }),
  ) satisfies z.ZodType<Record<string, Source>, unknown>,
  conditions: z.record(
    text,
    z.strictObject({ text, except_chapters: z.array(z.string()).exactOptional(), test }),
  ) satisfies z.ZodType<Record<string, ConditionDefinition>, unknown>,
  caveats: z.record(text, text),
  dataset: z.strictObject({ version: text, known_through: date, latest_material: text }),
};
