import { date, duty, program, role } from '@compliance/contract/tariff';
import type { Watch } from '@compliance/store';
import { z } from 'zod';

/** Watch ID in a request. */
export const watchId = z
  .string()
  .regex(/^wat_[0-9a-z]{29}$/, 'Enter the ID of a watch, such as wat_0mi7x4k2a0000f3a9c1d2e3f40516.')
  .meta({ description: 'Watch ID.' });

/** A watch in a response. */
export const watchDetails = z
  .object({
    id: z.string(),
    name: z.string(),
    code_count: z.int(),
    created_at: z.string().meta({ format: 'date-time' }),
    data_set_sha256: z.string().meta({ description: 'SHA-256 hash of the data set at the last evaluation.' }),
    evaluated_on: date.meta({ format: 'date', description: 'Date of the last evaluation, in US Eastern time.' }),
    webhook_url: z
      .string()
      .nullable()
      .meta({ description: 'URL that receives the events; null if the watch has no webhook.' }),
    last_event: z.int().meta({ description: 'Number of the last event; 0 if the watch has no events.' }),
  })
  .meta({ id: 'Watch', description: 'A watch on HTS codes.' });

/** Converts a stored watch to a response. */
export function describeWatch(watch: Watch): z.output<typeof watchDetails> {
  return {
    id: watch.id,
    name: watch.name,
    code_count: watch.codeCount,
    created_at: new Date(watch.createdAt).toISOString(),
    data_set_sha256: watch.datasetSha256,
    evaluated_on: watch.evaluatedOn,
    webhook_url: watch.webhookUrl,
    last_event: watch.lastSeq,
  };
}

const dataset = z
  .object({ version: z.string(), known_through: date, sha256: z.string() })
  .meta({ id: 'WatchDataSet', description: 'A data set.' });

const alternative = z.object({ program, ...duty, when: z.array(z.string()), citation: z.string() }).meta({
  id: 'WatchedOutcome',
  description: 'A duty that applies if the goods meet every condition in `when`.',
});

const watchedDuty = z
  .object({
    program,
    role,
    hts: z.string().meta({ description: 'The provision as printed in the list.' }),
    coverage: z.enum(['full', 'partial']),
    annex: z.string().nullable(),
    ...duty,
    duty_from: date.meta({ format: 'date', description: 'Start date of this duty for the provision.' }),
    conditions: z
      .array(z.string())
      .meta({ description: 'IDs of the conditions that the goods must meet for this duty to apply.' }),
    undecided: z.array(z.string()).meta({ description: 'Unknown facts that determine which duty applies.' }),
    alternatives: z.array(alternative).meta({ description: 'Other possible duties for the origin.' }),
    yields_to: z.array(program).meta({ description: 'Programs whose duty, if owed, replaces this duty.' }),
    citation: z.string(),
  })
  .meta({ id: 'WatchedDuty', description: 'A listing that covers the code, with its duty.' });

const result = z
  .object({
    status: z.enum(['hit', 'in_scope', 'not_covered']),
    duties: z.array(watchedDuty),
    stacking: z.array(
      z.object({
        programs: z.array(program),
        relation: z.string(),
        owed: program.nullable(),
        citation: z.string(),
      }),
    ),
  })
  .meta({ id: 'WatchedResult', description: 'The part of a lookup result that determines the duties on a code.' });

const watchChange = z
  .object({
    reference: z.string(),
    code: z.string(),
    origin: z.string().nullable(),
    date: date.meta({ format: 'date', description: 'First day when the results differ.' }),
    until: date.nullable().meta({ description: 'Last day when the results differ; null if the end date isn’t known.' }),
    before: result,
    after: result,
    citations: z.array(z.string()),
  })
  .meta({ id: 'WatchChange', description: 'A change to the duties on a watched code.' });

/** A watch event in a response. */
export const watchEvent = z
  .object({
    seq: z.int().meta({ description: 'Event number. Numbers start at 1 and have no gaps.' }),
    created_at: z.string().meta({ format: 'date-time' }),
    reason: z.enum(['data_set', 'effective_date']).meta({
      description:
        '`data_set`: a new data set changed the results for the current date or a later date. `effective_date`: a change that was already in ' +
        'the data set took effect.',
    }),
    evaluated_on: date.meta({ format: 'date', description: 'Date of the evaluation, in US Eastern time.' }),
    before: dataset,
    after: dataset,
    delivery: z.enum(['none', 'pending', 'delivered', 'dead']).meta({
      description:
        '`none`: the watch has no webhook. `pending`: not delivered yet. `dead`: delivery failed permanently. To try again, use ' +
        '`tariff.watches.redeliver`.',
    }),
    attempts: z.int().meta({ description: 'Number of delivery attempts.' }),
    delivery_error: z.string().nullable().meta({ description: 'Reason that the last attempt failed.' }),
    changes: z.array(watchChange).meta({ description: 'Up to 50 changes. Additional changes are in later events.' }),
  })
  .meta({ id: 'WatchEvent', description: 'Changes to the duties on watched codes.' });
