import type { SimulatedStep } from './simulate.ts';

/** Times that one part of a job takes, in milliseconds. */
export interface PartTimes {
  /** CPU time of the process's main thread, which its lanes share. */
  readonly mainThread: number;
  /** CPU time of the process's other threads, such as the thread that runs SQLite. */
  readonly otherThreads: number;
  /** Time that the main thread is blocked without using a core, for example during a synchronous file operation. */
  readonly blocked: number;
  /** CPU time of the database server. */
  readonly database: number;
  /** Remaining time, such as for network round trips and file access, during which the process can do other work. */
  readonly wait: number;
}

/**
 * Returns the steps of a part. Divides each time evenly among the rounds, because a part with many rows repeatedly
 * computes, writes, and waits.
 *
 * @example stepsOf({ mainThread: 10, otherThreads: 3, blocked: 0, database: 2, wait: 4 }, 1)
 * // [{ holds: ['thread', 'core'], ms: 10 }, { holds: ['core'], ms: 5 }, { holds: [], ms: 4 }]
 */
export function stepsOf(
  { mainThread, otherThreads, blocked, database, wait }: PartTimes,
  rounds: number,
): SimulatedStep[] {
  const round: SimulatedStep[] = [
    { holds: ['thread', 'core'], ms: mainThread / rounds },
    { holds: ['thread', 'writer'], ms: blocked / rounds },
    { holds: ['core'], ms: (otherThreads + database) / rounds },
    { holds: [], ms: wait / rounds },
  ];
  return Array.from({ length: rounds }, () => round.filter(({ ms }) => ms > 0)).flat();
}
