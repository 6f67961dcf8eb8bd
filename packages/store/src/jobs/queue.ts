import { randomBytes } from 'node:crypto';
import { SqliteAdapter, sql } from 'kysely';
import { toJsonText } from '../database/json.ts';
import { StoreError } from '../errors.ts';
import { enqueueInTable, type Job, type JobDatabase, type JobTableContext, type TenantJobRow, toJob } from './job.ts';

/** Checks the lease within the transaction of each write. @throws StoreError with `lease_lost` */
type Fence = (trx: JobDatabase) => Promise<void>;

/**
 * Job that a worker has claimed. The lease acts as a fencing token: the lease holder's writes fail after another worker
 * claims the job, the job is canceled, or the tenant is erased.
 */
export interface LeasedJob {
  readonly id: string;
  readonly tenant: string;
  readonly kind: string;
  readonly key: string;
  readonly payload: unknown;
  /** Sequence number of this attempt. The number is greater than 1 if earlier attempts failed or their workers died. */
  readonly attempt: number;
  /** Progress that an earlier attempt reported, or null if none did. */
  readonly progress: unknown;
  readonly fence: Fence;
  /**
   * Renews the lease for `leaseMs` from now, and stores `progress` if given. Call this function well before the lease
   * expires. If it returns `cancelled` or `lost`, stop processing the job.
   *
   * @example
   * if ((await job.heartbeat({ done: 120, total: 5000 })) !== 'held') return;
   */
  heartbeat(progress?: unknown): Promise<'held' | 'cancelled' | 'lost'>;
  /**
   * Ends the job in the `done` state.
   *
   * @throws StoreError with `lease_lost`
   */
  complete(result?: unknown): Promise<void>;
  /**
   * Ends this attempt as a failure. If `retryAt` (milliseconds since the Unix epoch) is given, the job is retried at
   * that time unless this was its last attempt. If `retryAt` is null, the job fails permanently. Returns the job's new
   * state. A failed job becomes a dead letter: it can be redriven until its owner's retention policy deletes it.
   *
   * @throws StoreError with `lease_lost`
   * @example
   * await job.fail('throttled', { retryAt: Date.now() + 60_000 });
   */
  fail(code: string, next: { readonly retryAt: number | null }): Promise<'queued' | 'failed'>;
  /**
   * Returns the job to the queue without counting the attempt. Call this function before the worker shuts down. Another
   * worker can claim the job immediately and resume from the reported progress.
   *
   * @throws StoreError with `lease_lost`
   */
  release(): Promise<void>;
  /**
   * Returns the job to the queue until `until` (milliseconds since the Unix epoch) without counting the attempt. Call
   * this function if the job must wait for an external system. The job doesn't occupy a slot while it waits. Enqueuing
   * another job of the same kind and key can end the wait early.
   *
   * @throws StoreError with `lease_lost`
   * @example
   * await job.wait(Date.now() + 15_000, { export: 'gid://shopify/BulkOperation/1' });
   */
  wait(until: number, progress?: unknown): Promise<void>;
}

/** Options for a claim. */
export interface ClaimOptions {
  /** Claims only jobs with at least this priority. */
  readonly minPriority?: number | undefined;
  /** Tenants to skip, because their jobs already occupy their share of the worker's slots. */
  readonly exceptTenants?: readonly string[] | undefined;
}

/** A failed job and its tenant. */
export interface DeadLetter extends Job {
  readonly tenant: string;
}

/** A queue's job counts, and the time when its next job became due. */
export interface QueueFigures {
  /** Number of queued and running jobs. */
  readonly live: number;
  /** Number of dead letters. */
  readonly failed: number;
  /**
   * Time when the next job to be claimed became due, in milliseconds since the Unix epoch, or null if no job is due.
   */
  readonly dueSince: number | null;
}

/** A queue's dead letters and statistics, for operators. */
export interface QueueView {
  /** Lists at most `limit` failed jobs from all tenants, newest first. */
  deadLetters(query: { readonly limit: number }): Promise<readonly DeadLetter[]>;
  /** Returns the queue's statistics. Reads only indexes, so the time doesn't depend on the number of ended jobs. */
  measure(): Promise<QueueFigures>;
}

/**
 * Job queue for all tenants. Any number of processes can claim jobs, but only one process at a time holds a job's
 * lease.
 */
export interface Queue extends QueueView {
  /**
   * Claims the next due job of the given kinds, or returns null if no job is due. Jobs with a higher priority come
   * first. Within a priority, tenants take turns: a tenant with a thousand due jobs delays another tenant by only one
   * job. Jobs of the same tenant run in the order in which they became due. A queued job becomes due at its scheduled
   * time or when its wait ends. A running job becomes due when its lease expires without a heartbeat. A lease from a
   * process whose clock was ahead ends within `leaseMs` plus two minutes.
   *
   * @param worker worker name for logs, such as the hostname and process ID
   * @example
   * const job = await queue.claim('host-1 4711', ['scan', 'catalog'], 60_000);
   */
  claim(worker: string, kinds: readonly string[], leaseMs: number, options?: ClaimOptions): Promise<LeasedJob | null>;
}

/** Dependencies of a queue. */
export interface QueueContext extends JobTableContext {
  readonly durable: JobDatabase;
  /** Calls `fence` and then `work` in one transaction that writes a tenant's data. */
  readonly transact: <T>(tenant: string, fence: Fence, work: (trx: JobDatabase) => Promise<T>) => Promise<T>;
}

/** Interval between searches for leases that start in the future, and the tolerated clock skew, in milliseconds. */
const PULL_BACK_MS = 60_000;

/** Lowest possible priority. */
const LOWEST_PRIORITY = -(2 ** 31);

/** Maximum number of jobs whose turns one statement assigns. */
const PLACED_AT_ONCE = 1_000;

/**
 * Maximum number of due jobs, in turn order, that a claim checks to find a job whose tenant isn't excluded. Tenants
 * take turns, so every tenant's next job is near the start of the queue, no matter how many jobs a tenant has.
 */
const LOOK_AHEAD = 1_000;

export function createQueue(context: QueueContext): Queue {
  const { durable, clock, table } = context;
  const { name, tenant: owner } = table;
  // SQLite has no `skip locked`, and doesn't need it because only one connection can write at a time.
  const skipsLocked = !(durable.getExecutor().adapter instanceof SqliteAdapter);

  /**
   * Assigns turns to due jobs. A tenant's first job joins the current round, or the next round if the tenant already
   * had its turn. Each additional job joins the round after the tenant's previous job. The statement skips rows that
   * another process has locked to assign turns, so it can't cause a deadlock.
   */
  async function place(): Promise<void> {
    const now = clock();
    const unplaced = durable
      .selectFrom(name)
      .select('id')
      .where('turn', 'is', null)
      .where('due_at', '<=', now)
      .limit(1);
    const [jobs, tenant, own] = [sql.table(name), sql.ref(owner), sql.ref(`other.${owner}`)];
    const waiting = sql`other.priority = placed.priority and other.turn is not null and other.due_at is not null`;
    const served = sql`other.priority = placed.priority and other.served is not null`;
    for (let placed = PLACED_AT_ONCE; placed === PLACED_AT_ONCE; ) {
      if (!(await unplaced.executeTakeFirst())) return;
      const { numAffectedRows } = await sql`
        with due as (
          select id, ${tenant} as tenant, priority, due_at from ${jobs}
          where turn is null and due_at <= ${now} order by due_at, id limit ${PLACED_AT_ONCE}
          ${skipsLocked ? sql`for update skip locked` : sql``}
        ), placed as (
          select *, row_number() over (partition by tenant, priority order by due_at, id) as place from due
        )
        update ${jobs} set turn = placed.place + ${sql.raw(skipsLocked ? 'greatest' : 'max')}(
          coalesce((select max(other.turn) from ${jobs} as other where ${own} = placed.tenant and ${waiting}), 0),
          coalesce((select max(other.served) from ${jobs} as other where ${own} = placed.tenant and ${served}), 0),
          coalesce(
            (select min(other.turn) from ${jobs} as other where ${waiting}),
            (select max(other.served) from ${jobs} as other where ${served}),
            1) - 1)
        from placed where ${sql.ref(`${name}.id`)} = placed.id`.execute(durable);
      placed = Number(numAffectedRows);
    }
  }

  /** Claims a due job in one atomic statement. The statement locks a single row, so it can't cause a deadlock. */
  async function take(
    worker: string,
    kinds: readonly string[],
    leaseMs: number,
    { minPriority = LOWEST_PRIORITY, exceptTenants = [] }: ClaimOptions,
  ): Promise<TenantJobRow | undefined> {
    const now = clock();
    const due = durable
      .selectFrom(name)
      .where('turn', 'is not', null)
      .where('due_at', '<=', now)
      .where('kind', 'in', kinds)
      .where('priority', '>=', minPriority)
      .orderBy('priority', 'desc')
      .orderBy('turn')
      .orderBy('id');
    const first = due.select(['id', owner]).limit(exceptTenants.length > 0 ? LOOK_AHEAD : 1);
    // Workers poll far more often than jobs become due, and reading is cheaper than trying to write.
    const found = (await first.execute()).find(row => !exceptTenants.includes(row[owner]));
    if (!found) return undefined;
    const next = due
      .select('id')
      .limit(1)
      .$if(exceptTenants.length > 0, query => query.where('id', '=', found.id));
    return await durable
      .updateTable(name)
      .set(eb => ({
        ...{ state: 'running', worker, lease: randomBytes(16).toString('hex'), due_at: now + leaseMs, started_at: now },
        ...{ attempts: eb('attempts', '+', 1), turn: null, served: eb.ref('turn') },
      }))
      .where(
        'id',
        '=',
        next.$if(skipsLocked, query => query.forUpdate().skipLocked()),
      )
      .returningAll()
      .executeTakeFirst();
  }

  let pulledBackAt = Number.NEGATIVE_INFINITY;

  /**
   * Makes running jobs due if their leases were created by a process whose clock was ahead: such leases end later than
   * any lease that could have started by now.
   */
  async function pullBackLeases(leaseMs: number): Promise<void> {
    const now = clock();
    if (Math.abs(now - pulledBackAt) < PULL_BACK_MS) return;
    pulledBackAt = now;
    await durable
      .updateTable(name)
      .set({ due_at: now })
      .where('state', '=', 'running')
      .where('due_at', '>', now + leaseMs + PULL_BACK_MS)
      .execute();
  }

  return {
    async claim(worker, kinds, leaseMs, options = {}) {
      await pullBackLeases(leaseMs);
      for (;;) {
        await place();
        const row = await take(worker, kinds, leaseMs, options);
        if (!row) return null;
        if (row.attempts <= row.max_attempts) return createLeasedJob(context, row, leaseMs);
        // The job has no attempts left, and its last worker stopped responding. If this process loses its lease before
        // it ends the job, the process that holds the new lease ends the job.
        await context
          .transact(row[owner], fenceOf(context, row), trx =>
            end(context, trx, row, { state: 'failed', error: 'attempts_exhausted', attempts: row.max_attempts }),
          )
          .catch(passLostLease);
      }
    },

    async deadLetters({ limit }) {
      const rows = await durable
        .selectFrom(name)
        .selectAll()
        .where('state', '=', 'failed')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(row => ({ ...toJob(row), tenant: row[owner] }));
    },

    async measure() {
      const jobs = durable.selectFrom(name);
      const placed = jobs.where('turn', 'is not', null);
      const unplaced = jobs.where('turn', 'is', null).where('due_at', 'is not', null);
      const next = placed.select('run_at as since').orderBy('priority', 'desc').orderBy('turn').orderBy('id').limit(1);
      const due = unplaced
        .select('due_at as since')
        .where('due_at', '<=', clock())
        .orderBy('due_at')
        .orderBy('id')
        .limit(1);
      const countOf = async (some: typeof jobs) =>
        Number((await some.select(eb => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()).count);
      const [placedCount, unplacedCount, failed, ...first] = await Promise.all([
        countOf(placed),
        countOf(unplaced),
        countOf(jobs.where('state', '=', 'failed')),
        next.executeTakeFirst(),
        due.executeTakeFirst(),
      ]);
      const since = first.flatMap(row => row?.since ?? []);
      return { live: placedCount + unplacedCount, failed, dueSince: since.length === 0 ? null : Math.min(...since) };
    },
  };
}

function createLeasedJob(context: QueueContext, row: TenantJobRow, leaseMs: number): LeasedJob {
  const { durable, clock, table } = context;
  const { id, kind, key, attempts } = row;
  const { name } = table;
  const tenant = row[table.tenant];
  const fence = fenceOf(context, row);
  const write = <T>(work: (trx: JobDatabase) => Promise<T>) => context.transact(tenant, fence, work);

  /** Returns the job to the queue. The next attempt reads all data again, so no follow-up job is needed. */
  const requeue = (trx: JobDatabase, values: Partial<TenantJobRow>) =>
    trx
      .updateTable(name)
      .set(eb => ({
        ...{ state: 'queued', lease: null, turn: null, again: null, ...values },
        payload: eb.fn.coalesce('again', 'payload'),
      }))
      .where('id', '=', id)
      .execute();

  return {
    id,
    tenant,
    kind,
    key,
    payload: JSON.parse(row.payload),
    attempt: attempts,
    progress: row.progress && JSON.parse(row.progress),
    fence,

    async heartbeat(progress) {
      const held = await durable
        .updateTable(name)
        .set({ due_at: clock() + leaseMs, turn: null })
        .$if(progress !== undefined, query => query.set({ progress: toJsonText(progress) }))
        .where('id', '=', id)
        .where('lease', '=', row.lease)
        .returning('id')
        .executeTakeFirst();
      if (held) return 'held';
      const now = await durable.selectFrom(name).select('state').where('id', '=', id).executeTakeFirst();
      return now?.state === 'cancelled' ? 'cancelled' : 'lost';
    },

    async complete(result) {
      await write(trx => end(context, trx, row, { state: 'done', error: null, result: toJsonText(result) }));
    },

    fail: (code, { retryAt }) =>
      write(async trx => {
        if (retryAt === null || attempts >= row.max_attempts) {
          await end(context, trx, row, { state: 'failed', error: code });
          return 'failed';
        }
        await requeue(trx, { run_at: retryAt, due_at: retryAt, error: code });
        return 'queued';
      }),

    release: () => write(async trx => void (await requeue(trx, { due_at: clock(), attempts: attempts - 1 }))),

    wait: (until, progress) =>
      write(async trx => {
        const reported = progress === undefined ? {} : { progress: toJsonText(progress) };
        const { again } = await trx.selectFrom(name).select('again').where('id', '=', id).executeTakeFirstOrThrow();
        const due_at = again === null ? until : Math.min(clock(), until);
        await requeue(trx, { due_at, attempts: attempts - 1, error: null, ...reported });
      }),
  };
}

/** Returns a function that checks, in a transaction, whether the lease in the given row is valid. */
function fenceOf({ table: { name } }: QueueContext, { id, lease }: TenantJobRow): Fence {
  return async trx => {
    // This update doesn't change the row, but prevents other workers from claiming the job until the transaction ends.
    const held = await trx
      .updateTable(name)
      .set(eb => ({ lease: eb.ref('lease') }))
      .where('id', '=', id)
      .where('lease', '=', lease)
      .returning('id')
      .executeTakeFirst();
    if (!held) {
      throw new StoreError(
        'lease_lost',
        `The lease on job ${id} was lost: the job was claimed by another worker, canceled, or erased.`,
      );
    }
  };
}

/** Ends a job that the caller's transaction has locked, and enqueues the follow-up job, if any. */
async function end(
  context: QueueContext,
  trx: JobDatabase,
  row: TenantJobRow,
  values: Pick<TenantJobRow, 'state' | 'error'> & Partial<TenantJobRow>,
): Promise<void> {
  const { clock, table } = context;
  const { id, kind, key, max_attempts: maxAttempts } = row;
  const { again, priority } = await trx
    .selectFrom(table.name)
    .select(['again', 'priority'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable(table.name)
    .set({ ...values, live_key: null, due_at: null, turn: null, lease: null, again: null, finished_at: clock() })
    .where('id', '=', id)
    .execute();
  if (again === null) return;
  const next = { kind, key, payload: JSON.parse(again), maxAttempts, priority };
  await enqueueInTable(context, trx, row[table.tenant], next);
}

function passLostLease(error: unknown): void {
  if (!(error instanceof StoreError && error.code === 'lease_lost')) throw error;
}
