import type { Doors } from '../connect/doors.ts';
import { createGate, type Gate } from '../connect/gate.ts';
import type { Limits } from '../limits.ts';

/** What all requests of one capture share: the gate, the limits, the clock and the bytes spent so far. */
export type Session = {
  gate: Gate;
  limits: Limits;
  signal: AbortSignal;
  userAgent: string;
  spentBytes: number;
};

/**
 * Starts a session. Its clock runs at once.
 *
 * @param stopped the caller's own signal
 * @example const session = openSession(doors, limits, userAgent); try { … } finally { await session.gate.agent.destroy() }
 */
export function openSession(doors: Doors, limits: Limits, userAgent: string, stopped?: AbortSignal): Session {
  const late = AbortSignal.timeout(limits.totalMs);
  const signal = stopped ? AbortSignal.any([late, stopped]) : late;
  return { gate: createGate(doors, limits, signal), limits, signal, userAgent, spentBytes: 0 };
}
