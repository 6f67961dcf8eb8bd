import type { TargetRate } from '../rate/target-rate.ts';

/** Rate limiter that allows every request, for programs that scan one local site very often. */
export const unlimitedRate: TargetRate = { take: async () => ({ allowed: true, retryAt: null }) };
