import { createSsrfGuard, type SsrfGuard } from '../connect/ssrf-guard.ts';
import type { Transport } from '../connect/transport.ts';
import type { CrawlLimits } from '../limits.ts';

/**
 * State shared by all requests in one capture or site: the SSRF guard, the limits, the deadline, and the requests sent and
 * bytes read so far.
 */
export type Session = {
  guard: SsrfGuard;
  limits: CrawlLimits;
  signal: AbortSignal;
  userAgent: string;
  spentBytes: number;
  spentRequests: number;
};

/**
 * Opens a session and starts its time limit.
 *
 * @param stopped the caller's abort signal
 * @example const session = openCrawlSession(transport, limits, userAgent); try { … } finally { await session.guard.agent.destroy() }
 */
export function openCrawlSession(
  transport: Transport,
  limits: CrawlLimits,
  userAgent: string,
  stopped?: AbortSignal,
): Session {
  const late = AbortSignal.timeout(limits.totalMs);
  const signal = stopped ? AbortSignal.any([late, stopped]) : late;
  return {
    guard: createSsrfGuard(transport, limits, signal),
    limits,
    signal,
    userAgent,
    spentBytes: 0,
    spentRequests: 0,
  };
}
