import { z } from 'zod';
import { isCalendarDate } from '../dates.ts';
import { prefixOf } from '../nomenclature/hts-code.ts';
import type { AlternativeHeading, Removal, Source, TariffList } from './edition.ts';
import { ALL_PROGRAMS, type Program } from './programs.ts';

// What a file must have before it becomes part of the edition: a list without a citation or a source does not load.

const date = z.string().refine(isCalendarDate, 'not a calendar date');
const text = z.string().min(1);
const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const program = z.enum(ALL_PROGRAMS as [Program, ...Program[]]);
const hts = z.string().regex(/^\d{4}(\.\d\d){0,3}$/);
const chapter99 = z.string().regex(/^99\d\d\.\d\d\.\d\d$/);
const conditions = z.array(text);
const caveats = z.array(text);
const interval = { effective_from: date, effective_to: date.nullable() };
const inOrder = (value: { effective_from: string; effective_to: string | null }) =>
  value.effective_to === null || value.effective_from <= value.effective_to;
const cited = { citation: text, sources: z.array(text).min(1) };
const rate = { rate_pct: z.number().min(0).nullable(), rate_type: z.enum(['additional', 'total_floor', 'none']) };
const basis = z.enum(['full_customs_value', 'metal_content_value', 'copper_content_value', 'non_us_content_value']);

const term = z
  .strictObject({
    ...interval,
    note: text.exactOptional(),
    annex: text.nullable(),
    headings: z.array(chapter99),
    ...rate,
    value_basis: basis,
    ...cited,
    conditions: conditions.exactOptional(),
    caveats: caveats.exactOptional(),
  })
  .refine(inOrder, 'ends before it begins');

const cohort = z
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
  .refine(inOrder, 'ends before it begins');

/** A `list.json`. Its terms follow each other without overlap, and no provision is twice on the list at once. */
export const listSchema = z
  .strictObject({
    id,
    title: text,
    program,
    role: z.enum(['article', 'derivative']),
    note: text,
    membership_verified_from: date.exactOptional(),
    terms: z.array(term).min(1),
    cohorts: z.array(cohort).min(1),
  })
  .refine(
    ({ terms }) => terms.every((t, i) => i === 0 || (terms[i - 1]!.effective_to ?? '9999') < t.effective_from),
    'terms overlap or are out of order',
  )
  .refine(({ cohorts }) => {
    const entries = cohorts.flatMap(c =>
      c.provisions.map(p => ({ hts: typeof p === 'string' ? p : p.hts, from: c.effective_from, to: c.effective_to })),
    );
    return Object.values(Object.groupBy(entries, ({ hts }) => prefixOf(hts))).every(same => {
      const sorted = same!.sort((a, b) => (a.from < b.from ? -1 : 1));
      return sorted.every((entry, i) => i === 0 || (sorted[i - 1]!.to ?? '9999') < entry.from);
    });
  }, 'a provision is listed twice at once') satisfies z.ZodType<TariffList, unknown>;

/** A file of `headings/`. */
export const headingsSchema = z.strictObject({
  id,
  title: text,
  headings: z.array(
    z
      .strictObject({
        headings: z.array(chapter99),
        ...rate,
        lists: z.array(id).min(1),
        origins: z.array(z.string().regex(/^[A-Z]{2}$/)).exactOptional(),
        except_origins: z.array(z.string().regex(/^[A-Z]{2}$/)).exactOptional(),
        chapters: z.array(z.string().regex(/^\d\d$/)).exactOptional(),
        when: conditions,
        value_basis: basis.exactOptional(),
        ...interval,
        caveats: caveats.exactOptional(),
        ...cited,
      })
      .refine(inOrder, 'ends before it begins')
      .refine(h => h.origins || h.when.length > 0, 'an alternative needs an origin or a fact'),
  ),
}) satisfies z.ZodType<{ headings: AlternativeHeading[] }, unknown>;

/** A `removal.json`. */
export const removalSchema = z.strictObject({
  id,
  title: text,
  effective: date,
  ...cited,
  removed: z.partialRecord(program, z.array(hts)),
}) satisfies z.ZodType<Removal, unknown>;

/** `sources.json`, `conditions.json`, `caveats.json`, `edition.json`. */
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
  conditions: z.record(text, z.strictObject({ text, except_chapters: z.array(z.string()).exactOptional() })),
  caveats: z.record(text, text),
  edition: z.strictObject({ version: text, known_through: date, latest_material: text }),
};
