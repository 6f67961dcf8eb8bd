import type { Kysely } from 'kysely';
import { chunks } from '../database/chunks.ts';
import type { NewId } from '../database/ids.ts';
import { toJsonText } from '../database/json.ts';

/**
 * New job to enqueue. A tenant has at most one live job (queued or running) per kind and key. A new job of the same
 * kind and key is merged into the live job: the live job takes the higher of the two priorities and, if it's still
 * queued, the earlier due time.
 */
export interface NewQueuedJob {
  /** Job kind, defined by the caller, such as `scan` or `catalog`. */
  readonly kind: string;
  /** Key that distinguishes live jobs of the same kind. Empty by default. */
  readonly key?: string | undefined;
  /**
   * Job payload (any JSON value). Defaults to null. If the new job is merged into a live job, the live job keeps its
   * own payload, unless it's still queued and the new job has a higher priority.
   */
  readonly payload?: unknown;
  /** Time when the job is due, in milliseconds since the Unix epoch. Defaults to the current time. */
  readonly runAt?: number | undefined;
  /**
   * Priority. Workers claim jobs with a higher priority first, regardless of the tenant. Use `URGENT` only for jobs
   * that a person is waiting for. Defaults to 0.
   */
  readonly priority?: number | undefined;
  /**
   * Maximum number of attempts, at least 1. Defaults to 5. If the worker crashes during every attempt, the job ends in
   * the `failed` state.
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Behavior if the live job is already running. `join` (the default) doesn't enqueue another job. `again` runs another
   * job with this payload after the running job ends. If the running job calls `wait` instead of ending, it resumes
   * immediately with this payload. Use `again` if, for example, data might have changed since the running job read it.
   */
  readonly whileRunning?: 'join' | 'again' | undefined;
}

/** Priority of a job that a person is waiting for. Workers keep a slot free for these jobs. */
export const URGENT = 1;

/** State of a job: `queued` until the job is due and a worker claims it, then `running`. The other states are final. */
export type JobState = JobRow['state'];

/**
 * Job as shown to its owner. Times are in milliseconds since the Unix epoch. The start and finish times are null until
 * the job starts or finishes.
 */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly state: JobState;
  /** Job payload (any JSON value). */
  readonly payload: unknown;
  /** Progress that the worker last reported (any JSON value). */
  readonly progress: unknown;
  /** Result of a `done` job (any JSON value). */
  readonly result: unknown;
  /**
   * Reason code for the last failed attempt, even if another attempt follows. The worker sets every code except
   * `attempts_exhausted`.
   */
  readonly error: string | null;
  /** Number of attempts so far. */
  readonly attempts: number;
  readonly runAt: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
}

/** Row of a job table, without the tenant column. */
export interface JobRow {
  id: string;
  kind: string;
  key: string;
  /**
   * The job's key while the job is live, otherwise null. A unique constraint on the tenant, the kind, and this column
   * ensures that each key has at most one live job.
   */
  live_key: string | null;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /**
   * Earliest time when a worker can claim the job: a queued job's scheduled time or the end of its wait, the end of a
   * running job's lease, or null for a prepared or ended job.
   */
  due_at: number | null;
  /** Random token known only to the worker that claimed the job. Each claim creates a new token. */
  lease: string | null;
  worker: string | null;
  attempts: number;
  max_attempts: number;
  run_at: number;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  error: string | null;
  payload: string;
  progress: string | null;
  result: string | null;
  /** Payload of the follow-up job, or null if no follow-up job is needed. */
  again: string | null;
  priority: number;
  /**
   * Scheduling round in which the job can be claimed, or null until the job is due. Workers claim jobs of the same
   * priority round by round. Each tenant gets one job per round, no matter how many of its jobs are waiting.
   */
  turn: number | null;
  /**
   * Round in which a worker last claimed the job, or null before the first claim. The tenant's next job joins a later
   * round.
   */
  served: number | null;
}

/** Row whose `tenant` column has a table-specific name. */
export interface TenantJobRow extends JobRow {
  tenant: string;
}

interface JobSchema {
  jobs: TenantJobRow;
}

/** Database connection for statements on a job table. */
export type JobDatabase = Kysely<JobSchema>;

/**
 * Names of a job table and its tenant column. The statements' types assume a table named `jobs` with a `tenant` column,
 * but the statements run on the table and column named here.
 */
export interface JobTable {
  readonly name: 'jobs';
  readonly tenant: 'tenant';
}

/** @example jobTable('shop_jobs', 'shop') */
export const jobTable = (name: string, tenant: string): JobTable => ({ name, tenant }) as unknown as JobTable;

/** Dependencies of statements on a job table. */
export interface JobTableContext {
  readonly table: JobTable;
  readonly clock: () => number;
  readonly newId: NewId;
}

const MAX_ATTEMPTS = 5;

/** Enqueues a job in the caller's transaction. */
export async function enqueueInTable(
  context: JobTableContext,
  trx: JobDatabase,
  tenant: string,
  { whileRunning = 'join', ...job }: NewQueuedJob,
): Promise<{ readonly job: Job; readonly made: boolean }> {
  const { id, row } = newRow(context, tenant, job);
  const enqueued = await insertRows(context, trx, [row], whileRunning).returningAll().executeTakeFirstOrThrow();
  return { job: toJob(enqueued), made: enqueued.id === id };
}

/**
 * Enqueues jobs with different keys in the caller's transaction, with up to 100 jobs per statement. A new job is merged
 * into a live job of the same kind and key.
 */
export async function enqueueManyInTable(
  context: JobTableContext,
  trx: JobDatabase,
  tenant: string,
  jobs: readonly Omit<NewQueuedJob, 'whileRunning'>[],
): Promise<void> {
  const rows = jobs.map(job => newRow(context, tenant, job).row);
  for (const part of chunks(rows)) await insertRows(context, trx, part, 'join').execute();
}

/**
 * Prepares jobs in the caller's transaction: stores them without a due time and without blocking their keys. No worker
 * can claim them until `releaseInTable` is called.
 */
export async function prepareInTable(
  context: JobTableContext,
  trx: JobDatabase,
  tenant: string,
  jobs: readonly Pick<NewQueuedJob, 'kind' | 'key' | 'payload'>[],
): Promise<void> {
  const rows = jobs.map(job => ({ ...newRow(context, tenant, job).row, live_key: null, due_at: null }));
  for (const part of chunks(rows)) await trx.insertInto(context.table.name).values(part).execute();
}

/** Key range that includes `from` and excludes `before`. */
export interface KeyRange {
  readonly from: string;
  readonly before: string;
}

/** Enqueues the prepared jobs whose keys are in the range, in the caller's transaction. */
export async function releaseInTable(
  { table: { name }, clock }: JobTableContext,
  trx: JobDatabase,
  { from, before }: KeyRange,
): Promise<void> {
  const now = clock();
  await trx
    .updateTable(name)
    .set(eb => ({ live_key: eb.ref('key'), run_at: now, due_at: now }))
    .where('key', '>=', from)
    .where('key', '<', before)
    .where('state', '=', 'queued')
    .where('live_key', 'is', null)
    .execute();
}

/** Deletes the prepared jobs whose keys are in the range, in the caller's transaction. */
export async function discardPreparedInTable(
  { table: { name } }: Pick<JobTableContext, 'table'>,
  trx: JobDatabase,
  { from, before }: KeyRange,
): Promise<void> {
  await trx
    .deleteFrom(name)
    .where('key', '>=', from)
    .where('key', '<', before)
    .where('state', '=', 'queued')
    .where('live_key', 'is', null)
    .execute();
}

function newRow(
  { table: { tenant: owner }, clock, newId }: JobTableContext,
  tenant: string,
  { kind, key = '', payload, runAt, priority = 0, maxAttempts = MAX_ATTEMPTS }: NewQueuedJob,
): { readonly id: string; readonly row: TenantJobRow } {
  const now = clock();
  const id = newId('job');
  return {
    id,
    row: {
      ...({ id, [owner]: tenant, kind, key, live_key: key, state: 'queued', priority } as TenantJobRow),
      ...{ attempts: 0, max_attempts: maxAttempts, created_at: now, payload: toJsonText(payload) },
      ...{ run_at: runAt ?? now, due_at: runAt ?? now },
    },
  };
}

/**
 * Returns the statement that inserts jobs or merges them into live jobs. Uses a single statement, because a worker
 * could claim a live job between two statements.
 */
function insertRows(
  { table: { name, tenant: owner } }: JobTableContext,
  trx: JobDatabase,
  rows: readonly TenantJobRow[],
  whileRunning: 'join' | 'again',
) {
  return trx
    .insertInto(name)
    .values(rows)
    .onConflict(conflict =>
      conflict.columns([owner, 'kind', 'live_key']).doUpdateSet(({ eb, ref }) => {
        const isQueued = eb(`${name}.state`, '=', 'queued');
        // A job that called `wait` is due later than its scheduled time, so compare due times instead of scheduled
        // times.
        const isEarlier = eb.and([isQueued, eb(`${name}.due_at`, '>', ref('excluded.due_at'))]);
        const isHigher = eb(`${name}.priority`, '<', ref('excluded.priority'));
        return {
          run_at: eb
            .case()
            .when(eb.and([isEarlier, eb(`${name}.run_at`, '>', ref('excluded.run_at'))]))
            .then(ref('excluded.run_at'))
            .else(ref(`${name}.run_at`))
            .end(),
          due_at: eb
            .case()
            .when(isEarlier)
            .then(ref('excluded.due_at'))
            .else(ref(`${name}.due_at`))
            .end(),
          priority: eb
            .case()
            .when(isHigher)
            .then(ref('excluded.priority'))
            .else(ref(`${name}.priority`))
            .end(),
          // A job with a higher priority also replaces the payload of a job that's still queued.
          payload: eb
            .case()
            .when(eb.and([isQueued, isHigher]))
            .then(ref('excluded.payload'))
            .else(ref(`${name}.payload`))
            .end(),
          // Each priority has its own rounds.
          turn: eb
            .case()
            .when(isHigher)
            .then(null)
            .else(ref(`${name}.turn`))
            .end(),
          again:
            whileRunning === 'join'
              ? ref(`${name}.again`)
              : eb.case().when(`${name}.state`, '=', 'running').then(ref('excluded.payload')).end(),
        };
      }),
    );
}

/** Cancels live jobs in the caller's transaction. The workers of these jobs lose their leases. */
export async function cancelInTable(
  { table: { name, tenant: owner }, clock }: Pick<JobTableContext, 'table' | 'clock'>,
  trx: JobDatabase,
  tenant: string,
  which: { readonly kinds?: readonly string[] | undefined; readonly id?: string | undefined } = {},
): Promise<number> {
  const { kinds, id } = which;
  const cancelled = await trx
    .updateTable(name)
    .set({
      state: 'cancelled',
      live_key: null,
      due_at: null,
      lease: null,
      again: null,
      turn: null,
      finished_at: clock(),
    })
    .where(owner, '=', tenant)
    .where('live_key', 'is not', null)
    .$if(kinds !== undefined, query => query.where('kind', 'in', kinds!))
    .$if(id !== undefined, query => query.where('id', '=', id!))
    .returning('id')
    .execute();
  return cancelled.length;
}

/**
 * Enqueues the tenant's dead letters again in the caller's transaction, and resets their attempt counts. Selects either
 * the job with the given ID (unless a live job has the same kind and key) or all jobs whose keys are in the given
 * range. The jobs in the range must have different keys. Returns the number of enqueued jobs.
 */
export async function redriveInTable(
  { table: { name, tenant: owner }, clock }: Pick<JobTableContext, 'table' | 'clock'>,
  trx: JobDatabase,
  tenant: string,
  which: { readonly id: string } | KeyRange,
  states: readonly JobState[] = ['failed'],
): Promise<number> {
  const now = clock();
  const { numUpdatedRows } = await trx
    .updateTable(name)
    .set(eb => ({
      ...{ state: 'queued', attempts: 0, run_at: now, due_at: now, finished_at: null, turn: null },
      live_key: eb.ref('key'),
    }))
    .where(owner, '=', tenant)
    .where('state', 'in', states)
    .where(({ eb, and, not, exists, selectFrom }) => {
      if ('from' in which) return and([eb('key', '>=', which.from), eb('key', '<', which.before)]);
      const live = selectFrom(`${name} as live` as 'jobs as live')
        .select('live.id')
        .where(`live.${owner}`, '=', tenant)
        .whereRef('live.kind', '=', `${name}.kind`)
        .whereRef('live.live_key', '=', `${name}.key`);
      return and([eb('id', '=', which.id), not(exists(live))]);
    })
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export function toJob(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    key: row.key,
    state: row.state,
    payload: JSON.parse(row.payload),
    progress: row.progress && JSON.parse(row.progress),
    result: row.result && JSON.parse(row.result),
    error: row.error,
    attempts: row.attempts,
    runAt: row.run_at,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}
