/**
 * Virtual clock for start-time fair queueing. Each member has a virtual time that advances by the cost of its jobs. The
 * member that is furthest behind is next.
 *
 * When a job ends, the clock advances by the job's cost divided by the number of active members. A member that was idle
 * continues at the clock's time, so idle time earns no credit, and an endless supply of new members can't stay ahead of
 * a waiting member.
 */
export interface VirtualClock {
  readonly now: number;
  /** Whether no member has a queued or running job. */
  readonly isIdle: boolean;
  /** Records that a member's job was queued. Call `leave` when the job ends or leaves the queue. */
  enter(member: string): void;
  leave(member: string): void;
  /**
   * Returns the virtual start time of a job: the time when the job was queued, or the time when the member's earlier
   * jobs are paid for, whichever is later.
   */
  tagOf(member: string, arrival: number): number;
  /** Charges a cost to a member. A negative cost corrects an earlier charge. */
  charge(member: string, cost: number): void;
  /** Advances the clock by the cost of a job that ended. */
  advance(cost: number): void;
}

/** @example const clock = createVirtualClock(); clock.enter('a'); clock.charge('a', 500); clock.tagOf('a', 0) // 500 */
export function createVirtualClock(): VirtualClock {
  const times = new Map<string, number>();
  const jobs = new Map<string, number>();
  let now = 0;
  const count = (member: string, change: number) => {
    const left = (jobs.get(member) ?? 0) + change;
    if (left > 0) jobs.set(member, left);
    else jobs.delete(member);
    if (jobs.size === 0) times.clear();
  };
  return {
    get now() {
      return now;
    },
    get isIdle() {
      return jobs.size === 0;
    },
    enter: member => count(member, 1),
    leave: member => count(member, -1),
    tagOf: (member, arrival) => Math.max(times.get(member) ?? 0, arrival),
    charge(member, cost) {
      const time = times.get(member);
      times.set(member, (cost > 0 ? Math.max(time ?? 0, now) : (time ?? now)) + cost);
    },
    advance(cost) {
      now += cost / Math.max(1, jobs.size);
      for (const [member, time] of times) if (time <= now) times.delete(member);
    },
  };
}
