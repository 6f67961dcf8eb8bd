import { DATASET, type Dataset, easternDate } from '@compliance/core/tariff';
import { type Store, StoreError } from '@compliance/store';

/**
 * Outcome of one check. The process isn't ready if a check has the status `failed`. `busy` and `stale` are for
 * operators only and don't affect readiness, because a process with a full scan queue or outdated lists still processes
 * most requests correctly.
 */
export interface ReadinessCheck {
  readonly status: 'ok' | 'failed' | 'busy' | 'stale';
  /** Error code of a failed check, such as `storage_full`. */
  readonly error?: string;
  /** Date through which the tariff lists are current, YYYY-MM-DD. */
  readonly known_through?: string;
  /** Age of the tariff lists in days. */
  readonly age_days?: number;
  /** Version and SHA-256 hash of the data set in use. */
  readonly version?: string;
  readonly sha256?: string;
}

/** State of a process, without secrets or paths. */
export interface ReadinessReport {
  readonly status: 'ready' | 'not_ready' | 'stopping';
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** The error from the first failed check. The error isn't part of the response. */
  readonly failure: Error | null;
}

/** Dependencies of the readiness checks. */
export interface ReadinessDeps {
  readonly store: Pick<Store, 'health'>;
  /** Returns milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** Returns the data set in use. The default is the bundled data set. */
  readonly dataset?: (() => Dataset) | undefined;
  /** Returns whether the process can't use the newest installed data set and uses an earlier one instead. */
  readonly hasListsProblem?: (() => boolean) | undefined;
  /** Worker pool for scans, if the process has one. */
  readonly pool?: { accepts(): boolean } | null | undefined;
  /** Returns whether the process received a signal to stop. */
  readonly isStopping?: (() => boolean) | undefined;
}

/** Maximum age of the tariff lists, in days. Older lists count as stale. */
export const STALE_LISTS_DAYS = 30;

/**
 * How long a result is reused, in milliseconds. The checks write to the database and to the PDF storage, so callers
 * must not be able to trigger them without limit.
 */
const READY_MS = 10_000;
const NOT_READY_MS = 2_000;

/** Time limit for the checks, in milliseconds. */
const TIMEOUT_MS = 4_000;

const DAY_MS = 86_400_000;

/**
 * Creates a function that reports whether the process should receive requests. It checks whether the process can write
 * to its database and PDF storage, whether its worker pool accepts jobs, and how old the tariff lists are. The checks
 * run at most once every ten seconds, or every two seconds after a failure, regardless of how often the function is
 * called.
 *
 * @example
 * const readiness = createReadiness({ store, clock: Date.now, pool });
 * const { status, checks } = await readiness(); // 'ready', { database: { status: 'ok' }, … }
 */
export function createReadiness({
  store,
  clock,
  dataset = () => DATASET,
  hasListsProblem,
  pool,
  isStopping,
}: ReadinessDeps): () => Promise<ReadinessReport> {
  let last: { readonly at: number; readonly report: ReadinessReport } | null = null;
  let running: Promise<ReadinessReport> | null = null;

  async function check(): Promise<ReadinessReport> {
    const { database, pdfs } = await within(TIMEOUT_MS, store.health()).catch((error: Error) => ({
      database: error,
      pdfs: error,
    }));
    const failure = database ?? pdfs;
    const report: ReadinessReport = {
      status: failure ? 'not_ready' : 'ready',
      checks: {
        database: storageCheck(database),
        pdfs: storageCheck(pdfs),
        ...(pool && { scans: { status: pool.accepts() ? 'ok' : 'busy' } }),
        lists: listsCheck(clock(), dataset(), hasListsProblem?.() ?? false),
      },
      failure,
    };
    last = { at: clock(), report };
    return report;
  }

  return async () => {
    if (isStopping?.()) return { status: 'stopping', checks: {}, failure: null };
    const age = last ? clock() - last.at : 0;
    const isFresh = last && age >= 0 && age < (last.report.failure ? NOT_READY_MS : READY_MS);
    if (last && isFresh) return last.report;
    running ??= check().finally(() => {
      running = null;
    });
    return await running;
  };
}

function storageCheck(error: Error | null): ReadinessCheck {
  if (!error) return { status: 'ok' };
  return { status: 'failed', error: error instanceof StoreError ? error.code : 'unavailable' };
}

function listsCheck(now: number, { version, sha256, known_through }: Dataset, hasProblem: boolean): ReadinessCheck {
  const today = easternDate(now);
  const age = Math.max(0, Math.round((Date.parse(today) - Date.parse(known_through)) / DAY_MS));
  const status = hasProblem || age > STALE_LISTS_DAYS ? 'stale' : 'ok';
  return { status, ...(hasProblem && { error: 'lists_unusable' }), known_through, age_days: age, version, sha256 };
}

/** Returns the result of a promise, or throws an error if the promise doesn't settle within the time limit. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The checks took longer than ${limitMs} ms.`)), limitMs);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
