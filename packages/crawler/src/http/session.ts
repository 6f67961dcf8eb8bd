import { createSsrfGuard, type LookupFailure, type SsrfGuard } from '../connect/ssrf-guard.ts';
import type { Transport } from '../connect/transport.ts';
import type { CrawlLimits } from '../limits.ts';
import { createTargetRate, type TargetRate } from '../rate/target-rate.ts';
import { type Budget, createBudget } from './budget.ts';
import { type Deadline, startDeadline } from './deadline.ts';

/**
 * State shared by all requests in one capture or site scan: the SSRF guard, the limits, the deadline, the remaining
 * budget, and the rate limit that all sessions share.
 */
export type Session = {
  guard: SsrfGuard;
  limits: CrawlLimits;
  signal: AbortSignal;
  userAgent: string;
  /** The site that the session scans. */
  site: string;
  budget: Budget;
  deadline: Deadline;
  targetRate: TargetRate;
};

/** Options for {@link openCrawlSession} that have a default. */
export type SessionOptions = {
  /** Signal that aborts the session. */
  signal?: AbortSignal | undefined;
  /** The site that the session scans. */
  site?: string | undefined;
  /** Rate limit per target, which this session shares with all other sessions. */
  targetRate?: TargetRate | undefined;
  /** Called for each hostname that has no address or a private address. */
  onLookupFailure?: ((failure: LookupFailure) => void) | undefined;
};

/**
 * Opens a session and starts its time limit.
 *
 * @example const session = openCrawlSession(transport, limits, userAgent); try { … } finally { await session.guard.agent.destroy() }
 */
export function openCrawlSession(
  transport: Transport,
  limits: CrawlLimits,
  userAgent: string,
  { signal: stopped, site = '', targetRate = createTargetRate(Date.now), onLookupFailure }: SessionOptions = {},
): Session {
  const deadline = startDeadline(limits.totalMs);
  const signal = stopped ? AbortSignal.any([deadline.signal, stopped]) : deadline.signal;
  return {
    guard: createSsrfGuard(transport, limits, signal, onLookupFailure),
    limits,
    signal,
    userAgent,
    site,
    budget: createBudget(limits),
    deadline,
    targetRate,
  };
}
