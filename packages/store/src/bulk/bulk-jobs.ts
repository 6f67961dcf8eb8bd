import { SqliteAdapter, sql } from 'kysely';
import type { NewId } from '../database/ids.ts';
import type { Database } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import {
  discardPreparedInTable,
  enqueueInTable,
  type JobDatabase,
  jobTable,
  prepareInTable,
  redriveInTable,
  releaseInTable,
} from '../jobs/job.ts';
import { type ClaimOptions, createQueue, type LeasedJob, type QueueView } from '../jobs/queue.ts';
import { type BulkDatabase, type BulkFormat, type BulkJobRow, withBulkTables } from './schema.ts';

/** A new bulk job, which waits for its input unless it has a source. */
export interface NewBulkJob {
  readonly family: string;
  /** ID of the key that created the job. */
  readonly keyId: string;
  /** Operation that runs on each row. */
  readonly operation: string;
  readonly format: BulkFormat;
  /** Format of the result. Defaults to the input's format. */
  readonly resultFormat?: BulkFormat;
  /** URL of the input, if a worker fetches it. */
  readonly source?: string | null;
  /** Options for the operation (any JSON value). */
  readonly options: unknown;
}

/** State of a bulk job. A job is `failed` if every attempt to fetch its input or to process one of its parts failed. */
export type BulkState = 'awaiting_input' | 'running' | 'done' | 'failed' | 'cancelled';

/** A bulk job. Times are in milliseconds since the Unix epoch, or null if the event hasn't happened. */
export interface BulkJob extends NewBulkJob {
  readonly id: string;
  readonly state: BulkState;
  readonly resultFormat: BulkFormat;
  readonly source: string | null;
  /** Error from the latest attempt to fetch the input, or null if that attempt didn't fail. */
  readonly inputError: BulkInputError | null;
  /** First line of a CSV file, or an empty string. */
  readonly header: string;
  /** Number of rows in the input, or 0 until the input is complete. */
  readonly rows: number;
  readonly parts: number;
  /** Number of processed rows, and number of processed rows with an error. */
  readonly doneRows: number;
  readonly errorRows: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
}

/** Reason that an attempt to fetch an input failed, as shown to the account that created the job. */
export interface BulkInputError {
  readonly code: string;
  readonly message: string;
}

/** A part of the input. `first` is the number of its first row, counted from 1. */
export interface BulkPart {
  readonly first: number;
  readonly rows: number;
}

/** Result of processing a part. */
export interface BulkPartResult {
  readonly rows: number;
  readonly errors: number;
}

/** A part that a worker has claimed. */
export interface ClaimedPart extends LeasedJob {
  readonly bulk: BulkJobRow;
  readonly part: BulkPart & { readonly number: number };
}

/** A claimed job whose input the worker must fetch. */
export interface ClaimedInput extends LeasedJob {
  readonly bulk: BulkJob;
  /** Records this attempt's error. */
  recordError(error: BulkInputError): Promise<void>;
}

/** Criteria for listing jobs. */
interface BulkJobQuery {
  readonly limit: number;
  /** Lists only the jobs that were created before the job with this ID. */
  readonly before?: string | undefined;
  /** Lists only jobs that run one of these operations. */
  readonly operations?: readonly string[] | undefined;
}

/** Jobs whose input is a file with many rows. Each job belongs to one key family, and other families can't see it. */
export interface BulkJobs {
  /** Queue for the inputs and parts of all families. A part's key is its job's ID, a slash, and the part's number. */
  readonly queue: QueueView;
  /**
   * Creates a job, and enqueues its input if it has a source.
   *
   * @throws StoreError with `bulk_limit` if the family has 200 unfinished jobs
   */
  create(job: NewBulkJob): Promise<BulkJob>;
  /** @throws StoreError with `bulk_unknown` */
  get(family: string, id: string): Promise<BulkJob>;
  /** Returns at most `limit` of a family's jobs, newest first. */
  list(family: string, query: BulkJobQuery): Promise<readonly BulkJob[]>;
  /**
   * Returns a job, or null if no job has this ID. Doesn't check the job's family, so call this function only for a
   * signed link.
   */
  find(id: string): Promise<BulkJob | null>;
  /**
   * Reserves a job's input for one upload, which replaces any earlier incomplete upload.
   *
   * @throws StoreError with `bulk_unknown` or `bulk_started`
   */
  beginUpload(id: string, upload: string): Promise<void>;
  /**
   * Starts a job whose input is stored. First stores the parts in several short transactions, so that other writes
   * don't wait for a large job, and then starts the job and enqueues all of its parts in one transaction. If the
   * process stops between these two steps, the job isn't started, and another upload replaces the stored parts.
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
  /** Cancels a job and its unfinished parts. Has no effect on an ended job. @throws StoreError with `bulk_unknown` */
  cancel(family: string, id: string): Promise<BulkJob>;
  /**
   * Fetches the input again if all attempts to fetch it failed. Otherwise, reruns the failed parts. In either case,
   * also resets the attempt counts. Has no effect on a canceled job. Returns the job.
   *
   * @throws StoreError with `bulk_unknown`
   */
  redrive(family: string, id: string): Promise<BulkJob>;
  /** Returns the part numbers of the finished parts, in ascending order. */
  doneParts(id: string): Promise<readonly number[]>;
  /** Claims the next part. Key families take turns. */
  claim(worker: string, leaseMs: number, options?: ClaimOptions): Promise<ClaimedPart | null>;
  /** Claims the next input to fetch. Key families take turns. */
  claimInput(worker: string, leaseMs: number, options?: ClaimOptions): Promise<ClaimedInput | null>;
  /**
   * Deletes up to ten jobs created before the given time. Calls `removeFiles` for each job first, to delete the job's
   * files.
   */
  sweep(createdBefore: number, removeFiles: (id: string) => Promise<void>): Promise<void>;
}

const PARTS = jobTable('bulk_parts', 'family');
const OPERATIONS = ['tariff.hts.lookup', 'pixel.scan', 'pixel.render', 'entry.gcc.generate', 'entry.cpc.generate'];
/**
 * Kind of the queued job that fetches a bulk job's input. This queued job is in the same queue as the bulk job's parts,
 * and its key sorts after the parts' keys.
 */
const INPUT = 'input';
const DAY_MS = 86_400_000;

/** Maximum number of unfinished jobs per key family. */
const MAX_UNFINISHED = 200;

/** Maximum number of parts that one transaction stores. On SQLite, all other writes wait until the transaction ends. */
const PREPARED_AT_ONCE = 500;

export function createBulkJobs(database: Database, clock: () => number, newId: NewId): BulkJobs {
  const durable = withBulkTables(database);
  const isSqlite = durable.getExecutor().adapter instanceof SqliteAdapter;
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

  /** Returns an SQL expression for a number in a part's result. */
  const inResult = (field: keyof BulkPartResult) =>
    isSqlite
      ? sql<number>`json_extract(bulk_parts.result, ${sql.lit(`$.${field}`)})`
      : sql<number>`cast(cast(bulk_parts.result as json) ->> ${sql.lit(field)} as integer)`;

  /** Adds part counts to jobs. The database counts the parts, because a large job has thousands of them. */
  async function describe(rows: readonly BulkJobRow[]): Promise<BulkJob[]> {
    const ids = rows.filter(row => row.started_at !== null || row.source !== null).map(({ id }) => id);
    if (ids.length === 0) return rows.map(row => toBulkJob(row, null));
    const counts = await durable
      .selectFrom('bulk_jobs')
      .innerJoin('bulk_parts', join =>
        join
          .on('bulk_parts.key', '>=', sql<string>`bulk_jobs.id || '/'`)
          .on('bulk_parts.key', '<', sql<string>`bulk_jobs.id || '0'`),
      )
      .where('bulk_jobs.id', 'in', ids)
      .groupBy('bulk_jobs.id')
      .select(({ fn }) => [
        'bulk_jobs.id',
        fn.count<number>('bulk_parts.live_key').as('live'),
        fn.countAll<number>().filterWhere('bulk_parts.state', '=', 'failed').as('failed'),
        fn.max('bulk_parts.finished_at').as('finishedAt'),
        fn.sum<number>(inResult('rows')).as('rows'),
        fn.sum<number>(inResult('errors')).as('errors'),
      ])
      .execute();
    return rows.map(row => toBulkJob(row, counts.find(({ id }) => id === row.id) ?? null));
  }

  /** @throws StoreError with `bulk_quota` if the job would exceed the family's row quota for the last 24 hours */
  async function checkQuota(trx: BulkDatabase, job: BulkJobRow, rows: number, quota: number): Promise<void> {
    const { used } = await trx
      .selectFrom('bulk_jobs')
      .select(eb => eb.fn.sum<number | null>('rows').as('used'))
      .where('family', '=', job.family)
      .where('operation', '=', job.operation)
      .where('started_at', '>', clock() - DAY_MS)
      .executeTakeFirstOrThrow();
    if (Number(used) + rows > quota) {
      throw new StoreError(
        'bulk_quota',
        `The key family can process at most ${quota} rows a day with ${job.operation}.`,
      );
    }
  }

  const describeOne = async (row: BulkJobRow): Promise<BulkJob> => (await describe([row]))[0]!;

  return {
    queue,

    async create({ family, keyId, operation, format, options, resultFormat = format, source = null }) {
      const live = durable.selectFrom('bulk_parts').select('bulk_parts.id').where('live_key', 'is not', null);
      const { unfinished } = await durable
        .selectFrom('bulk_jobs')
        .select(eb => eb.fn.countAll<number>().as('unfinished'))
        .where('family', '=', family)
        .where('cancelled_at', 'is', null)
        .where(({ or, eb, exists }) =>
          or([
            eb.and([eb('started_at', 'is', null), eb('source', 'is', null)]),
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
        ...{ result_format: resultFormat, source, input_error: null },
      };
      await durable.transaction().execute(async trx => {
        await trx.insertInto('bulk_jobs').values(row).execute();
        if (source === null) return;
        await enqueueInTable(context, withParts(trx), family, { kind: INPUT, key: `${row.id}/${INPUT}` });
      });
      return await describeOne(row);
    },

    get: async (family, id) => await describeOne(await read(id, family)),

    async list(family, { limit, before, operations }) {
      const rows = await durable
        .selectFrom('bulk_jobs')
        .selectAll()
        .where('family', '=', family)
        .$if(before !== undefined, query => query.where('id', '<', before!))
        .$if(operations !== undefined, query => query.where('operation', 'in', operations!))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return await describe(rows);
    },

    async find(id) {
      const row = await durable.selectFrom('bulk_jobs').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? await describeOne(row) : null;
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
      /** Runs a transaction during which no other upload can replace this one. */
      const whileReserved = (work: (trx: BulkDatabase, job: BulkJobRow) => Promise<void>) =>
        durable.transaction().execute(async trx => {
          const job = await trx
            .updateTable('bulk_jobs')
            .set({ upload })
            .where('id', '=', id)
            .where('upload', '=', upload)
            .where('started_at', 'is', null)
            .where('cancelled_at', 'is', null)
            .returningAll()
            .executeTakeFirst();
          if (!job) throw started(await read(id, undefined, trx));
          await work(trx, job);
        });
      await whileReserved(async (trx, job) => {
        await checkQuota(trx, job, rows, quota);
        await discardPreparedInTable(context, withParts(trx), keysOf(id));
      });
      for (let first = 0; first < parts.length; first += PREPARED_AT_ONCE) {
        await whileReserved(async (trx, { operation, family }) => {
          const some = parts.slice(first, first + PREPARED_AT_ONCE);
          const jobs = some.map((payload, at) => ({ kind: operation, key: partKey(id, first + at), payload }));
          await prepareInTable(context, withParts(trx), family, jobs);
        });
      }
      await whileReserved(async (trx, job) => {
        await checkQuota(trx, job, rows, quota);
        await trx
          .updateTable('bulk_jobs')
          .set({ header, rows, parts: parts.length, started_at: clock(), source: null, input_error: null })
          .where('id', '=', id)
          .execute();
        await releaseInTable(context, withParts(trx), keysOf(id));
      });
      return await describeOne(await read(id));
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
          .where(({ and, or, eb, exists }) =>
            or([
              and([eb('started_at', 'is', null), eb('source', 'is', null)]),
              exists(parts.where('state', '=', 'cancelled')),
            ]),
          )
          .execute();
      });
      return await describeOne(await read(id));
    },

    async redrive(family, id) {
      await durable.transaction().execute(async trx => {
        const { cancelled_at } = await read(id, family, trx);
        if (cancelled_at !== null) return;
        await redriveInTable(context, withParts(trx), family, keysOf(id));
        await trx.updateTable('bulk_jobs').set({ input_error: null }).where('id', '=', id).execute();
      });
      return await describeOne(await read(id));
    },

    async doneParts(id) {
      const done = partsOf(id).select('key').where('state', '=', 'done').where('kind', '!=', INPUT);
      const rows = await done.orderBy('key').execute();
      return rows.map(({ key }) => Number(key.split('/')[1]));
    },

    async claim(worker, leaseMs, options) {
      const job = await queue.claim(worker, OPERATIONS, leaseMs, options);
      if (!job) return null;
      const [id, number] = job.key.split('/') as [string, string];
      return { ...job, bulk: await read(id), part: { ...(job.payload as BulkPart), number: Number(number) } };
    },

    async claimInput(worker, leaseMs, options) {
      const job = await queue.claim(worker, [INPUT], leaseMs, options);
      if (!job) return null;
      const row = await read(job.key.split('/')[0]!);
      return {
        ...job,
        bulk: await describeOne(row),
        async recordError(error) {
          const input_error = JSON.stringify(error);
          await durable.updateTable('bulk_jobs').set({ input_error }).where('id', '=', row.id).execute();
        },
      };
    },

    async sweep(createdBefore, removeFiles) {
      const old = await durable
        .selectFrom('bulk_jobs')
        .select('id')
        .where('created_at', '<', createdBefore)
        .orderBy('id')
        .limit(10)
        .execute();
      for (const { id } of old) {
        await removeFiles(id);
        await durable.deleteFrom('bulk_parts').where('key', '>=', `${id}/`).where('key', '<', `${id}0`).execute();
        await durable.deleteFrom('bulk_jobs').where('id', '=', id).execute();
      }
    },
  };
}

/** Counts and sums for a job's queued input and parts. Sums are null if no part is done. */
interface PartCounts {
  readonly live: number;
  readonly failed: number;
  readonly finishedAt: number | null;
  readonly rows: number | null;
  readonly errors: number | null;
}

function toBulkJob(row: BulkJobRow, counts: PartCounts | null): BulkJob {
  const { id, family, operation, format, header, rows } = row;
  const isLive = Number(counts?.live ?? 0) > 0;
  const isWaiting = row.started_at === null && row.source === null;
  const state = (): BulkState => {
    if (row.cancelled_at !== null) return 'cancelled';
    if (isWaiting) return 'awaiting_input';
    if (isLive) return 'running';
    return Number(counts?.failed ?? 0) > 0 ? 'failed' : 'done';
  };
  const ended = isWaiting || isLive ? null : Math.max(Number(counts?.finishedAt ?? 0), row.started_at ?? 0);
  return {
    ...{ id, family, operation, format, header, rows, state: state(), parts: row.parts, keyId: row.key_id },
    ...{ resultFormat: row.result_format ?? format, source: row.source },
    inputError: row.input_error === null ? null : JSON.parse(row.input_error),
    options: JSON.parse(row.options),
    doneRows: Number(counts?.rows ?? 0),
    errorRows: Number(counts?.errors ?? 0),
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.cancelled_at ?? ended,
  };
}

/** Returns the range of a job's keys in the queue. */
const keysOf = (id: string) => ({ from: `${id}/`, before: `${id}0` });

/** Returns a part's key. Keys sort by part number. */
const partKey = (id: string, number: number) => `${id}/${`${number}`.padStart(6, '0')}`;

function started({ id }: BulkJobRow): StoreError {
  return new StoreError(
    'bulk_started',
    `The input for job ${id} is complete, another upload started later, or the job was canceled.`,
  );
}
