import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** Origin of a job: the tenant that submitted it, and the site that the job is for. Both are compared as strings. */
export interface JobOrigin {
  /** Key family, client network, or shop. */
  readonly tenant: string;
  readonly target: string;
}

/** A queued job. */
interface Entry<Item> extends JobOrigin {
  readonly item: Item;
  readonly queuedAt: number;
  /**
   * Members of the tenants' clock that are charged for the job: the tenant and, if `sharesTargets` is set, the target.
   */
  readonly payers: readonly string[];
  /** Virtual times when the job was queued, on the tenants' clock and on the clock for the tenant's targets. */
  readonly arrival: { readonly ofTenant: number; readonly ofTarget: number };
}

/** Options for {@link createFairQueue}. */
export interface FairQueueOptions {
  /** Maximum number of running jobs per tenant. */
  readonly runningPerTenant: number;
  /** Whether targets get equal shares across all tenants instead of only within each tenant. */
  readonly sharesTargets: boolean;
}

/** A queue that gives tenants equal shares of job time. */
export interface FairQueue<Item> {
  readonly queued: number;
  readonly running: number;
  /** Moving average of job costs in milliseconds. */
  readonly meanCost: number;
  /** Time when the oldest queued job was queued, or null if no job is queued. */
  readonly oldestQueuedAt: number | null;
  queuedOf(tenant: string): number;
  /** Adds a job. @returns a function that removes the job unless it has started */
  add(origin: JobOrigin, item: Item, now: number): () => void;
  /** Returns the job to start next, or null if no job can start. */
  next(): Entry<Item> | null;
  /** Starts a queued job. @returns a function to call with the job's cost in milliseconds when the job has ended */
  start(entry: Entry<Item>): (cost: number) => void;
}

/** Expected cost of a job before any job has ended, in milliseconds. */
const FIRST_COST = 500;
/** Minimum cost of a job in milliseconds, so that even a job that takes no time counts toward its tenant's share. */
const LEAST_COST = 1;
/** Weight of the newest job in the moving average. */
const NEWEST = 0.1;

/**
 * Creates a queue with start-time fair queueing: first among tenants, and then among each tenant's targets. A job's
 * cost isn't known until the job ends. Until then, the queue uses the moving average as the job's cost.
 *
 * @example
 * const queue = createFairQueue<string>({ runningPerTenant: 1, sharesTargets: false });
 * queue.add({ tenant: 'a', target: 'shop.example' }, 'scan', 0);
 * const finish = queue.start(queue.next()!);
 * finish(120);
 */
export function createFairQueue<Item>({ runningPerTenant, sharesTargets }: FairQueueOptions): FairQueue<Item> {
  const waiting = new Set<Entry<Item>>();
  const queuedByTenant = new Map<string, number>();
  const runningByTenant = new Map<string, number>();
  const tenants = createVirtualClock();
  /** One clock for each active tenant. Each clock's members are its tenant's targets. */
  const targetsOf = new Map<string, VirtualClock>();
  let running = 0;
  let meanCost = FIRST_COST;

  const tenantKey = ({ tenant }: JobOrigin) => `tenant ${tenant}`;
  const payersOf = (origin: JobOrigin) => [tenantKey(origin), ...(sharesTargets ? [`target ${origin.target}`] : [])];

  function enter(origin: JobOrigin): VirtualClock {
    const targets = targetsOf.get(origin.tenant) ?? createVirtualClock();
    targetsOf.set(origin.tenant, targets);
    tenants.enter(tenantKey(origin));
    targets.enter(origin.target);
    return targets;
  }

  function leave(origin: JobOrigin): void {
    const targets = targetsOf.get(origin.tenant)!;
    tenants.leave(tenantKey(origin));
    targets.leave(origin.target);
    if (targets.isIdle) targetsOf.delete(origin.tenant);
  }

  function dequeue(entry: Entry<Item>): boolean {
    const wasWaiting = waiting.delete(entry);
    if (wasWaiting) adjust(queuedByTenant, entry.tenant, -1);
    return wasWaiting;
  }

  function charge({ payers, tenant, target }: Entry<Item>, cost: number): void {
    for (const payer of payers) tenants.charge(payer, cost);
    targetsOf.get(tenant)!.charge(target, cost);
  }

  /**
   * Returns a job's virtual start times, most significant first: (1) the latest of its payers' times, (2) its tenant's
   * time, and (3) its target's time on the clock for the tenant's targets.
   */
  function tagsOf({ payers, tenant, target, arrival }: Entry<Item>): readonly number[] {
    const [ofTenant = 0, ofTarget = 0] = payers.map(payer => tenants.tagOf(payer, arrival.ofTenant));
    return [Math.max(ofTenant, ofTarget), ofTenant, targetsOf.get(tenant)!.tagOf(target, arrival.ofTarget)];
  }

  return {
    get queued() {
      return waiting.size;
    },
    get running() {
      return running;
    },
    get meanCost() {
      return meanCost;
    },
    get oldestQueuedAt() {
      // A set preserves insertion order.
      return waiting.values().next().value?.queuedAt ?? null;
    },
    queuedOf: tenant => queuedByTenant.get(tenant) ?? 0,
    add({ tenant, target }, item, queuedAt) {
      const arrival = { ofTenant: tenants.now, ofTarget: enter({ tenant, target }).now };
      const payers = payersOf({ tenant, target });
      const entry: Entry<Item> = { tenant, target, item, queuedAt, payers, arrival };
      waiting.add(entry);
      adjust(queuedByTenant, tenant, 1);
      return () => {
        if (dequeue(entry)) leave(entry);
      };
    },
    next() {
      let best: Entry<Item> | null = null;
      let bestTags: readonly number[] = [];
      for (const entry of waiting) {
        if ((runningByTenant.get(entry.tenant) ?? 0) >= runningPerTenant) continue;
        const tags = tagsOf(entry);
        if (best && !isBefore(tags, bestTags)) continue;
        [best, bestTags] = [entry, tags];
      }
      return best;
    },
    start(entry) {
      dequeue(entry);
      running += 1;
      adjust(runningByTenant, entry.tenant, 1);
      const expected = meanCost;
      charge(entry, expected);
      return cost => {
        const charged = Math.max(cost, LEAST_COST);
        charge(entry, charged - expected);
        const targets = targetsOf.get(entry.tenant)!;
        tenants.advance(charged);
        targets.advance(charged);
        running -= 1;
        adjust(runningByTenant, entry.tenant, -1);
        leave(entry);
        meanCost += NEWEST * (charged - meanCost);
      };
    },
  };
}

/** Returns whether the first list of tags precedes the second list in lexicographic order. */
function isBefore(tags: readonly number[], others: readonly number[]): boolean {
  const at = tags.findIndex((tag, index) => tag !== others[index]);
  return at >= 0 && tags[at]! < others[at]!;
}

/** Adjusts a count, and removes the count if it reaches zero, so that the map doesn't grow indefinitely. */
function adjust(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
