import type { TargetRate } from '../rate/target-rate.ts';

/** Rate without a limit, for programs that scan one local site very often. */
export const unlimitedRate: TargetRate = { take: async () => ({ allowed: true, retryAt: null }) };
