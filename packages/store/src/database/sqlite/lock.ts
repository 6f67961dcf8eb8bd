import { statSync } from 'node:fs';

/**
 * Purpose of holding the lock: a transaction that syncs to disk (`durable`), or a short batch of statements
 * (`bestEffort`).
 */
export type LockUser = 'durable' | 'bestEffort';

/**
 * Write lock shared by all of a process's connections to a file. Without this lock, a connection would block the event
 * loop or the database thread while waiting for a transaction that can't finish without that loop or thread.
 */
export interface Lock {
  /** Whether no user holds the lock. */
  readonly isFree: boolean;
  /** Waits for the lock, and returns a function that releases it. */
  acquire(user: LockUser): Promise<() => void>;
}

/**
 * Creates a lock that alternates between the two kinds of users if both are waiting, so that a request doesn't have to
 * wait until many transactions have synced to disk.
 *
 * @example
 * const release = await createLock().acquire('durable');
 */
export function createLock(): Lock {
  const waiting: Record<LockUser, (() => void)[]> = { durable: [], bestEffort: [] };
  let isFree = true;

  const pass = (from: LockUser) => {
    const other = from === 'durable' ? 'bestEffort' : 'durable';
    const begin = waiting[other].shift() ?? waiting[from].shift();
    if (begin) begin();
    else isFree = true;
  };

  return {
    get isFree() {
      return isFree;
    },
    acquire(user) {
      const release = () => pass(user);
      if (isFree) {
        isFree = false;
        return Promise.resolve(release);
      }
      return new Promise(resolve => waiting[user].push(() => resolve(release)));
    },
  };
}

const locks = new Map<string, Lock>();

/**
 * Returns this process's lock for an existing file. All paths to the same file, including links, share one lock.
 *
 * @example
 * lockOf('data/compliance.sqlite') === lockOf('/srv/data/compliance.sqlite');
 */
export function lockOf(path: string): Lock {
  const { dev, ino } = statSync(path, { bigint: true });
  const file = `${dev}:${ino}`;
  const lock = locks.get(file) ?? createLock();
  locks.set(file, lock);
  return lock;
}
