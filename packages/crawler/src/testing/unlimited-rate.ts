import type { TargetRate } from '../rate/target-rate.ts';

/** Rate limiter that allows every request, for programs that scan a local site repeatedly. */
export const unlimitedRate: TargetRate = { take: async () => ({ allowed: true, retryAt: null }) };
