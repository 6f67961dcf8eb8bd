import type { Shop } from './shop.ts';

/**
 * Work to be done for a shop. There is one live job (waiting or running) of a shop, kind and key: to enqueue it again joins
 * the one there is, and brings its time forward when the new one is earlier.
 */
export interface NewJob {
  /** The caller's word: `scan`, `catalog`, … */
  readonly kind: string;
  /** Tells several live jobs of one kind apart. Empty when left out. */
  readonly key?: string | undefined;
  /** Any JSON value; null when left out. The job that is joined keeps its own. */
  readonly payload?: unknown;
  /** ms since epoch; now when left out. */
  readonly runAt?: number | undefined;
  /** How often it is started in all, 1 or more; 5 when left out. A job that kills its worker each time ends as `failed`. */
  readonly maxAttempts?: number | undefined;
  /**
   * What to do when the live job is running already: `join` it (when left out), or run `again` with this payload once it
   * has ended, as when something changed that it may have read before.
   */
  readonly whileRunning?: 'join' | 'again' | undefined;
}

/** `queued` until its time and a worker come, then `running`. The others are final. */
export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** A job as a page shows it. Times are ms since epoch; what has not happened is null. */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly state: JobState;
  /** Any JSON value, as it was given. */
  readonly payload: unknown;
  /** What the worker said last, any JSON value. */
  readonly progress: unknown;
  /** What a `done` job gave, any JSON value. */
  readonly result: unknown;
  /** Why it failed, also of the last attempt while another is to come: a word of the worker's, or `attempts_exhausted`. */
  readonly error: string | null;
  /** How often it was started. */
  readonly attempts: number;
  readonly runAt: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
}

/** The jobs of one shop. */
export interface OwnJobs {
  /**
   * Enqueues a job, or joins the live one. `made` says which.
   *
   * @example
   * const { job, made } = await store.shop(domain).jobs.enqueue({ kind: 'scan', payload: { trigger: 'merchant' } });
   */
  enqueue(job: NewJob): Promise<{ readonly job: Job; readonly made: boolean }>;
  /** The shop's job with this id, or null. A page reads its progress live. */
  get(id: string): Promise<Job | null>;
  /** The newest job of a kind, live or ended, or null. */
  latest(kind: string): Promise<Job | null>;
  /** Newest first, at most `limit`. */
  list(query: { readonly limit: number }): Promise<readonly Job[]>;
  /** Cancels the live jobs of these kinds, or all; running ones learn it at their next heartbeat. Gives how many. */
  cancel(kinds?: readonly string[]): Promise<number>;
}

/**
 * A job that a worker holds. Its lease is a fence: once another worker has taken the job, or it was cancelled, or the shop
 * erased, nothing that goes through here writes anything any more.
 */
export interface ClaimedJob {
  readonly id: string;
  readonly domain: string;
  readonly kind: string;
  readonly key: string;
  readonly payload: unknown;
  /** 1, or higher when earlier attempts failed or their workers died. */
  readonly attempt: number;
  /** The progress that an earlier attempt left, or null. */
  readonly progress: unknown;
  /**
   * The shop, behind the fence: each of its writes is one transaction that first checks the lease, and throws `lease_lost`
   * and changes nothing when it is gone.
   */
  readonly shop: Shop;
  /**
   * Keeps the lease for another `leaseMs`, and the progress when it is given. Call it well within `leaseMs`.
   * `cancelled` and `lost`: stop, there is nothing more to do.
   *
   * @example
   * if ((await job.heartbeat({ done: 120, total: 5000 })) !== 'held') return;
   */
  heartbeat(progress?: unknown): Promise<'held' | 'cancelled' | 'lost'>;
  /** Ends it as done. @throws StoreError `lease_lost` */
  complete(result?: unknown): Promise<void>;
  /**
   * Ends this attempt. With `retryAt` (ms since epoch) the job waits for then, unless that was its last attempt; with null
   * it has failed for good. Gives which.
   *
   * @throws StoreError `lease_lost`
   * @example
   * await job.fail('throttled', { retryAt: Date.now() + 60_000 });
   */
  fail(code: string, next: { readonly retryAt: number | null }): Promise<'queued' | 'failed'>;
}

/** The queue of all shops, for workers. Exact across any number of processes. */
export interface Jobs {
  /**
   * Takes the job that is due for longest, of these kinds, or null when none is. One that waits is due at its time, one
   * that runs when its lease has ended without a heartbeat.
   *
   * @param worker a name for logs, such as host and process id
   * @example
   * const job = await store.jobs.claim('host-1 4711', ['scan', 'catalog'], 60_000);
   */
  claim(worker: string, kinds: readonly string[], leaseMs: number): Promise<ClaimedJob | null>;
}
