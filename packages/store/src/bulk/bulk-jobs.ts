import { sql } from 'kysely';
import type { NewId } from '../database/ids.ts';
import type { Database } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import { enqueueInTable, type JobDatabase, jobTable, redriveInTable } from '../jobs/job.ts';
import { type ClaimOptions, createQueue, type LeasedJob } from '../jobs/queue.ts';
import { type BulkDatabase, type BulkJobRow, withBulkTables } from './schema.ts';

/** A new bulk job, which waits for its input. */
export interface NewBulkJob {
  readonly family: string;
  /** ID of the key that created the job. */
  readonly keyId: string;
  /** Operation that runs on each row. */
  readonly operation: string;
  readonly format: 'csv' | 'ndjson';
  /** Options of the operation (any JSON value). */
  readonly options: unknown;
}

/** State of a bulk job. A `failed` job has at least one part that failed in every attempt. */
export type BulkState = 'awaiting_input' | 'running' | 'done' | 'failed' | 'cancelled';

/** A bulk job. Times are ms since the Unix epoch, or null. */
export interface BulkJob extends NewBulkJob {
  readonly id: string;
  readonly state: BulkState;
  /** First line of a CSV file, or an empty string. */
  readonly header: string;
  /** Number of rows in the input, or 0 until the input is complete. */
  readonly rows: number;
  readonly parts: number;
  /** Number of processed rows, and number of those with an error. */
  readonly doneRows: number;
  readonly errorRows: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
}

/** A part of the input. `first` is the number of its first row, counted from 1. */
export interface BulkPart {
  readonly first: number;
  readonly rows: number;
}

/** Result of a part. */
export interface BulkPartResult {
  readonly rows: number;
  readonly errors: number;
}

/** A part that a worker has claimed. */
export interface ClaimedPart extends LeasedJob {
  readonly bulk: BulkJobRow;
  readonly part: BulkPart & { readonly number: number };
}

/** Jobs whose input is a file with many rows. Each job belongs to one key family, and other families can't see it. */
export interface BulkJobs {
  /** @throws StoreError with `bulk_limit` if the family has 200 unfinished jobs */
  create(job: NewBulkJob): Promise<BulkJob>;
  /** @throws StoreError with `bulk_unknown` */
  get(family: string, id: string): Promise<BulkJob>;
  /** Returns a family's newest jobs, at most 100. */
  list(family: string): Promise<readonly BulkJob[]>;
  /** Returns a job without checking its family, or null. Call this function only for a signed link. */
  find(id: string): Promise<BulkJob | null>;
  /**
   * Reserves a job's input for one upload, which replaces an earlier upload that isn't complete.
   *
   * @throws StoreError with `bulk_unknown` or `bulk_started`
   */
  beginUpload(id: string, upload: string): Promise<void>;
  /**
   * Starts a job whose input is stored, and enqueues its parts, in one transaction.
   *
   * @param quota maximum number of rows per family, operation, and day
   * @throws StoreError with `bulk_unknown`, `bulk_started`, or `bulk_quota`
   */
  start(
    id: string,
    input: {
      readonly upload: string;
      readonly header: string;
      readonly parts: readonly BulkPart[];
      readonly quota: number;
    },
  ): Promise<BulkJob>;
  /** Cancels the parts that haven't ended. Has no effect on an ended job. @throws StoreError with `bulk_unknown` */
  cancel(family: string, id: string): Promise<BulkJob>;
  /** Runs the failed parts again. Returns the number of parts. @throws StoreError with `bulk_unknown` */
  redrive(family: string, id: string): Promise<number>;
  /** Returns the numbers of the parts that are done, in order. */
  doneParts(id: string): Promise<readonly number[]>;
  /** Claims the next part. Key families take turns. */
  claim(worker: string, leaseMs: number, options?: ClaimOptions): Promise<ClaimedPart | null>;
  /** Deletes at most ten jobs that were created before a time, and returns them, so that the caller deletes their files. */
  sweep(createdBefore: number): Promise<readonly Pick<BulkJobRow, 'id' | 'parts' | 'upload'>[]>;
}

const PARTS = jobTable('bulk_parts', 'family');
const OPERATIONS = ['tariff.hts.lookup', 'pixel.scan', 'entry.gcc.generate'];
const DAY_MS = 86_400_000;

/** Maximum number of unfinished jobs per key family. */
const MAX_UNFINISHED = 200;

/** Maximum number of listed jobs. */
const LIST_LIMIT = 100;

export function createBulkJobs(database: Database, clock: () => number, newId: NewId): BulkJobs {
  const durable = withBulkTables(database);
  const withParts = (db: BulkDatabase) => db as unknown as JobDatabase;
  const context = { table: PARTS, clock, newId };
  const queue = createQueue({
    ...context,
    durable: withParts(durable),
    transact: (_, fence, work) =>
      durable.transaction().execute(async trx => {
        await fence(withParts(trx));
        return await work(withParts(trx));
      }),
  });

  async function read(id: string, family?: string, db = durable): Promise<BulkJobRow> {
    const row = await db
      .selectFrom('bulk_jobs')
      .selectAll()
      .where('id', '=', id)
      .$if(family !== undefined, query => query.where('family', '=', family!))
      .executeTakeFirst();
    if (!row) throw new StoreError('bulk_unknown', `The key family has no job with the ID ${JSON.stringify(id)}.`);
    return row;
  }

  const partsOf = (id: string) =>
    durable.selectFrom('bulk_parts').where('key', '>=', `${id}/`).where('key', '<', `${id}0`);

  async function describe(row: BulkJobRow): Promise<BulkJob> {
    const parts =
      row.started_at === null ? [] : await partsOf(row.id).select(['state', 'result', 'finished_at']).execute();
    const results = parts.flatMap(({ result }) => (result ? [JSON.parse(result) as BulkPartResult] : []));
    const isLive = parts.some(({ state }) => state === 'queued' || state === 'running');
    const hasFailed = parts.some(({ state }) => state === 'failed');
    const ended = Math.max(0, ...parts.map(({ finished_at }) => finished_at ?? 0));
    const { id, family, operation, format, header, rows } = row;
    const state = (): BulkState => {
      if (row.cancelled_at !== null) return 'cancelled';
      if (row.started_at === null) return 'awaiting_input';
      if (isLive) return 'running';
      return hasFailed ? 'failed' : 'done';
    };
    return {
      ...{ id, family, operation, format, header, rows, state: state(), parts: row.parts, keyId: row.key_id },
      options: JSON.parse(row.options),
      doneRows: results.reduce((sum, each) => sum + each.rows, 0),
      errorRows: results.reduce((sum, each) => sum + each.errors, 0),
      createdAt: row.created_at,
      startedAt: row.started_at,
      finishedAt: row.cancelled_at ?? (row.started_at === null || isLive ? null : Math.max(ended, row.started_at)),
    };
  }

  async function list(family: string): Promise<BulkJob[]> {
    const query = durable.selectFrom('bulk_jobs').selectAll().where('family', '=', family).orderBy('id', 'desc');
    return await Promise.all((await query.limit(LIST_LIMIT).execute()).map(describe));
  }

  return {
    async create({ family, keyId, operation, format, options }) {
      const live = durable.selectFrom('bulk_parts').select('bulk_parts.id').where('live_key', 'is not', null);
      const { unfinished } = await durable
        .selectFrom('bulk_jobs')
        .select(eb => eb.fn.countAll<number>().as('unfinished'))
        .where('family', '=', family)
        .where('cancelled_at', 'is', null)
        .where(({ or, eb, exists }) =>
          or([
            eb('started_at', 'is', null),
            exists(
              live
                .where('key', '>=', sql<string>`bulk_jobs.id || '/'`)
                .where('key', '<', sql<string>`bulk_jobs.id || '0'`),
            ),
          ]),
        )
        .executeTakeFirstOrThrow();
      if (Number(unfinished) >= MAX_UNFINISHED) {
        throw new StoreError('bulk_limit', `The key family already has ${MAX_UNFINISHED} unfinished jobs.`);
      }
      const row: BulkJobRow = {
        ...{ id: newId('blk'), family, key_id: keyId, operation, format, options: JSON.stringify(options ?? null) },
        ...{ header: '', rows: 0, parts: 0, created_at: clock(), upload: null, started_at: null, cancelled_at: null },
      };
      await durable.insertInto('bulk_jobs').values(row).execute();
      return await describe(row);
    },

    get: async (family, id) => await describe(await read(id, family)),

    list,

    async find(id) {
      const row = await durable.selectFrom('bulk_jobs').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? await describe(row) : null;
    },

    async beginUpload(id, upload) {
      const reserved = await durable
        .updateTable('bulk_jobs')
        .set({ upload })
        .where('id', '=', id)
        .where('started_at', 'is', null)
        .where('cancelled_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (!reserved) throw started(await read(id));
    },

    async start(id, { upload, header, parts, quota }) {
      const rows = parts.reduce((sum, part) => sum + part.rows, 0);
      const row = await durable.transaction().execute(async trx => {
        const job = await trx
          .updateTable('bulk_jobs')
          .set({ header, rows, parts: parts.length, started_at: clock() })
          .where('id', '=', id)
          .where('upload', '=', upload)
          .where('started_at', 'is', null)
          .where('cancelled_at', 'is', null)
          .returningAll()
          .executeTakeFirst();
        if (!job) throw started(await read(id, undefined, trx));
        const { used } = await trx
          .selectFrom('bulk_jobs')
          .select(eb => eb.fn.sum<number | null>('rows').as('used'))
          .where('family', '=', job.family)
          .where('operation', '=', job.operation)
          .where('started_at', '>', clock() - DAY_MS)
          .executeTakeFirstOrThrow();
        if (Number(used) > quota) {
          throw new StoreError('bulk_quota', `The key family can process ${quota} rows a day with ${job.operation}.`);
        }
        for (const [number, part] of parts.entries()) {
          const next = { kind: job.operation, key: partKey(id, number), payload: part };
          await enqueueInTable(context, withParts(trx), job.family, next);
        }
        return job;
      });
      return await describe(row);
    },

    async cancel(family, id) {
      await durable.transaction().execute(async trx => {
        await read(id, family, trx);
        await trx
          .updateTable('bulk_parts')
          .set({ state: 'cancelled', live_key: null, due_at: null, lease: null, turn: null, finished_at: clock() })
          .where('key', '>=', `${id}/`)
          .where('key', '<', `${id}0`)
          .where('live_key', 'is not', null)
          .execute();
        const parts = trx
          .selectFrom('bulk_parts')
          .select('id')
          .where('key', '>=', `${id}/`)
          .where('key', '<', `${id}0`);
        await trx
          .updateTable('bulk_jobs')
          .set({ cancelled_at: clock() })
          .where('id', '=', id)
          .where('cancelled_at', 'is', null)
          .where(({ or, eb, exists }) =>
            or([eb('started_at', 'is', null), exists(parts.where('state', '=', 'cancelled'))]),
          )
          .execute();
      });
      return await describe(await read(id));
    },

    async redrive(family, id) {
      await read(id, family);
      const failed = await partsOf(id).select('id').where('state', '=', 'failed').execute();
      for (const part of failed) await redriveInTable(context, withParts(durable), family, part.id);
      return failed.length;
    },

    async doneParts(id) {
      const rows = await partsOf(id).select('key').where('state', '=', 'done').orderBy('key').execute();
      return rows.map(({ key }) => Number(key.split('/')[1]));
    },

    async claim(worker, leaseMs, options) {
      const job = await queue.claim(worker, OPERATIONS, leaseMs, options);
      if (!job) return null;
      const [id, number] = job.key.split('/') as [string, string];
      return { ...job, bulk: await read(id), part: { ...(job.payload as BulkPart), number: Number(number) } };
    },

    async sweep(createdBefore) {
      const old = await durable
        .selectFrom('bulk_jobs')
        .select(['id', 'parts', 'upload'])
        .where('created_at', '<', createdBefore)
        .orderBy('id')
        .limit(10)
        .execute();
      for (const { id } of old) {
        await durable.deleteFrom('bulk_parts').where('key', '>=', `${id}/`).where('key', '<', `${id}0`).execute();
        await durable.deleteFrom('bulk_jobs').where('id', '=', id).execute();
      }
      return old;
    },
  };
}

/** Returns the key of a part. Keys sort by the number of the part. */
const partKey = (id: string, number: number) => `${id}/${`${number}`.padStart(6, '0')}`;

function started({ id }: BulkJobRow): StoreError {
  return new StoreError('bulk_started', `The input of job ${id} is complete, or the job was canceled.`);
}
