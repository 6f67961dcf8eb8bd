import * as z from 'zod';
import { prefixOf } from '../../nomenclature/hts-code.ts';
import { type ConditionDefinition, FACTS, type Fact, type Test } from '../conditions.ts';
import type { AlternativeHeading, Dataset, Removal, Source, Stacking, TariffList } from '../dataset.ts';
import { dateText as date, requiredText as text } from './fields.ts';
import {
  editionsSchema,
  otherAuthoritiesSchema,
  reviewedDifferencesSchema,
  reviewedNotesSchema,
} from './reviewed-schemas.ts';

// Schemas for the data set files and the data set format. A list without a citation or a source fails validation.

/**
 * Version of the data set format that this library writes. The library reads every format with the same major version.
 */
export const DATASET_FORMAT = '1.0';

const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
/**
 * ID of a condition, caveat, or program. Property names that every JavaScript object inherits, such as `constructor`,
 * aren't valid.
 */
const name = z.string().regex(/^(?!constructor$)[a-z0-9][a-z0-9_]*$/);
const program = name;
const hts = z.string().regex(/^\d{4}(\.\d\d){0,3}$/);
const chapter99 = z.string().regex(/^99\d\d\.\d\d\.\d\d$/);
const conditions = z.array(name);
const caveats = z.array(name);

/**
 * Creates the schemas for the data set files and for a complete data set.
 *
 * @param object the function that creates object schemas: `z.strictObject` to reject unknown fields, or `z.object` to
 * remove them
 */
export function createSchemas(object: typeof z.strictObject) {
  const datedBy = z.union([object({ legal: text }), object({ first_printed: text })]);
  const interval = { effective_from: date, effective_to: date.nullable(), dated_by: datedBy };
  const inOrder = (value: { effective_from: string; effective_to: string | null }) =>
    value.effective_to === null || value.effective_from <= value.effective_to;
  const cited = { citation: text, sources: z.array(text).min(1) };
  const rate = { rate_pct: z.number().min(0).nullable(), rate_type: z.enum(['additional', 'total_floor', 'none']) };
  const companions = z
    .array(object({ heading: chapter99, applies_to: z.enum(['privileged_foreign_status', 'us_content']) }))
    .min(1);
  const basis = z.enum(['full_customs_value', 'metal_content_value', 'copper_content_value', 'non_us_content_value']);

  const term = object({
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
  }).refine(inOrder, 'the end date is before the start date');

  const batch = object({
    ...interval,
    ...cited,
    caveats: caveats.exactOptional(),
    provisions: z
      .array(z.union([hts, object({ hts, conditions: conditions.exactOptional(), caveats: caveats.exactOptional() })]))
      .min(1),
  }).refine(inOrder, 'the end date is before the start date');

  const list = object({
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
      const intervals = new Map<string, { effective_from: string; effective_to: string | null }[]>();
      for (const batch of batches) {
        for (const provision of batch.provisions) {
          const prefix = prefixOf(typeof provision === 'string' ? provision : provision.hts);
          const known = intervals.get(prefix);
          if (known) known.push(batch);
          else intervals.set(prefix, [batch]);
        }
      }
      return [...intervals.values()].every(same => {
        const sorted = same.sort((a, b) => (a.effective_from < b.effective_from ? -1 : 1));
        return sorted.every((entry, i) => i === 0 || (sorted[i - 1]!.effective_to ?? '9999') < entry.effective_from);
      });
    }, 'two listings of the same provision have overlapping dates') satisfies z.ZodType<TariffList, unknown>;

  const headings = z.array(
    object({
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
  ) satisfies z.ZodType<AlternativeHeading[], unknown>;

  const removal = object({
    id,
    title: text,
    effective: date,
    ...cited,
    removed: z.partialRecord(program, z.array(hts)),
  }) satisfies z.ZodType<Removal, unknown>;

  const stacking = z.array(
    object({
      program: z.array(program).min(1),
      relation: z.enum(['excludes', 'one_heading', 'both', 'use_decides', 'not_established']),
      others: z.array(program).min(1),
      text,
      ...interval,
      ...cited,
    }).refine(inOrder, 'the end date is before the start date'),
  ) satisfies z.ZodType<Stacking[], unknown>;

  const fact = z.enum(Object.keys(FACTS) as [Fact, ...Fact[]]);
  const test: z.ZodType<Test, unknown> = z.union([
    object({ fact, is: z.union([text, z.boolean()]) }).refine(
      ({ fact, is }) => FACTS[fact] === (typeof is === 'string' ? 'choice' : 'flag'),
      'the comparison doesn’t match the kind of fact',
    ),
    ...(['at_least', 'less_than', 'at_most'] as const).map(limit =>
      object({ fact, [limit]: z.number() }).refine(
        ({ fact }) => FACTS[fact as Fact] === 'number',
        'the comparison doesn’t match the kind of fact',
      ),
    ),
    object({
      fact: z.literal('technical'),
      in_any_window: z.array(z.record(text, z.tuple([z.number(), z.number()]))).min(1),
    }),
    object({ not: z.lazy(() => test) }),
    object({ all: z.array(z.lazy(() => test)).min(1) }),
    object({ any: z.array(z.lazy(() => test)).min(1) }),
  ]) as z.ZodType<Test, unknown>;

  const sources = z.record(
    id,
    object({
      title: text,
      address: text,
      reading: z.enum(['official', 'derived', 'second_hand']),
      note: text.exactOptional(),
    }),
  ) satisfies z.ZodType<Record<string, Source>, unknown>;
  const definitions = z.record(
    name,
    object({ text, except_chapters: z.array(z.string()).exactOptional(), test }),
  ) satisfies z.ZodType<Record<string, ConditionDefinition>, unknown>;
  const programs = z.record(program, text);
  const release = {
    version: z.string().regex(/^\d{4}\.([1-9]|1[0-2])\.\d{1,4}$/, 'must be a version such as 2026.11.1'),
    known_through: date,
    latest_material: text,
  };
  const definedCaveats = z.record(name, text);

  return {
    /**
     * Schema for `list.json` files. Terms must be in order and can't overlap, and a provision can't be listed twice on
     * the same date.
     */
    list,
    /** Schema for the files in `headings/`. */
    headingsFile: object({ id, title: text, headings }),
    /** Schema for `removal.json` files. */
    removal,
    /** Schema for `stacking.json`. */
    stacking,
    /** Schemas for `sources.json`, `conditions.json`, `caveats.json`, `programs.json`, and `dataset.json`. */
    sources,
    conditions: definitions,
    caveats: definedCaveats,
    programs,
    release: object(release),
    /** Schema for a complete data set. Lists in a data set can't be drafts. */
    dataset: object({
      $schema: text.exactOptional(),
      format: z
        .string()
        .regex(/^\d+\.\d+$/)
        .meta({ description: 'Format version: major.minor.' }),
      version: release.version.meta({ description: 'Calendar version of the data set: year.month.number.' }),
      known_through: date.meta({
        format: 'date',
        description: 'Date through which the lists are current.',
      }),
      latest_material: text.meta({ description: 'The newest official text included in the data set.' }),
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .meta({ description: 'SHA-256 hash of the data set, serialized as compact JSON without this field.' }),
      programs: programs.meta({ description: 'Display name of each Section 232 program, by ID.' }),
      lists: z.array(list).min(1).meta({
        description: 'Lists of HTS provisions, each with its terms (rates by period) and its batches of provisions.',
      }),
      headings: headings.meta({
        description: 'Chapter 99 headings that replace a list’s own heading, in order of precedence.',
      }),
      removals: z.array(removal).meta({ description: 'Provisions that were officially removed from the lists.' }),
      stacking: stacking.meta({ description: 'How duties interact when two programs list the same code.' }),
      sources: sources.meta({ description: 'Source documents, by ID.' }),
      conditions: definitions.meta({ description: 'Conditions that duties depend on, by ID.' }),
      caveats: definedCaveats.meta({ description: 'Data limitations, by ID.' }),
      reviewed: object({
        editions: editionsSchema,
        otherAuthorities: otherAuthoritiesSchema,
        differences: reviewedDifferencesSchema,
        notes: reviewedNotesSchema,
      })
        .exactOptional()
        .meta({ description: 'Reviewed facts for comparisons with official texts.' }),
    }) satisfies z.ZodType<Dataset, unknown>,
  };
}

/** Schemas that reject unknown fields. */
export const SCHEMAS = createSchemas(z.strictObject);

/**
 * Returns the JSON Schema (draft 2020-12) of the data set format. `loadDataset` also checks rules that JSON Schema
 * can't express, such as undefined names and overlapping programs.
 *
 * @example datasetJsonSchema().title // 'Section 232 data set'
 */
export function datasetJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(SCHEMAS.dataset, { io: 'input', reused: 'inline' });
  const description = `Format ${DATASET_FORMAT}. A minor version adds only fields that older libraries can ignore.`;
  return { $schema, title: 'Section 232 data set', description, ...schema };
}
