import type { Lane, LaneLimits } from './scheduler/scheduler.ts';

/** Limits for both lanes. */
type Lanes = Readonly<Record<Lane, LaneLimits>>;

/**
 * Maximum number of admitted requests. Each admitted request keeps a capture in memory: up to 20 MB of text for a page,
 * and 60 MB for a site.
 */
export const ADMITTED = 16;

/**
 * Limits for requests. Requests without a key can use at most half of the admission slots, and no caller can fill a
 * lane. The keyed queue has room for all the requests that a key's rate limit allows per minute (100).
 */
export const REQUEST_LIMITS: Lanes = {
  keyed: { running: ADMITTED, runningPerTenant: 12, queued: 300, queuedPerTenant: 100 },
  keyless: { running: ADMITTED / 2, runningPerTenant: 3, queued: 40, queuedPerTenant: 8 },
};

/**
 * Returns the limits for jobs. If there are several workers, neither the keyless lane nor any single tenant can occupy
 * all of the workers.
 *
 * @param queued maximum number of queued jobs in the keyed lane
 */
export function jobLimits(workers: number, queued: number): Lanes {
  const most = Math.max(1, workers - 1);
  return {
    keyed: { running: workers, runningPerTenant: most, queued, queuedPerTenant: Math.ceil(queued / 2) },
    keyless: {
      ...{ running: most, runningPerTenant: 1 },
      ...{ queued: Math.ceil(queued / 2), queuedPerTenant: Math.ceil(queued / 4) },
    },
  };
}
