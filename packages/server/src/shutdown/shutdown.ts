import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningServer } from './start-server.ts';

/** Settings for stopping a process. Times are in milliseconds. */
export interface DrainOptions {
  /**
   * Time between reporting that the process isn't ready and refusing new connections. This gives load balancers time to
   * stop sending requests to the process.
   */
  readonly delayMs: number;
  /**
   * Maximum time to wait for requests in progress, after the delay. Use a value that exceeds the duration of the
   * slowest scan.
   */
  readonly timeoutMs: number;
}

/**
 * Default delay and timeout. The delay matches how long Node.js keeps idle connections open by default, so that clients
 * don't use a connection while it's being closed.
 */
export const DEFAULT_DRAIN: DrainOptions = { delayMs: 5_000, timeoutMs: 30_000 };

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Waits for SIGINT or SIGTERM. A second signal ends the process immediately.
 *
 * @example
 * const signal = await firstSignal();
 * await drainServers([server], DEFAULT_DRAIN);
 */
export async function firstSignal(): Promise<(typeof SIGNALS)[number]> {
  return await new Promise(resolve => {
    let isFirst = true;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (!isFirst) process.exit(128 + constants.signals[signal]);
        isFirst = false;
        resolve(signal);
      });
    }
  });
}

/**
 * Stops servers without dropping requests. Before you call this function, report that the process isn't ready.
 *
 * @returns the number of requests that took too long and were dropped
 * @example
 * const dropped = await drainServers([server], { delayMs: 5_000, timeoutMs: 30_000 });
 */
export async function drainServers(
  servers: readonly RunningServer[],
  { delayMs, timeoutMs }: DrainOptions,
): Promise<number> {
  for (const server of servers) server.refuseReuse();
  await pause(delayMs);
  const dropped = await Promise.all(servers.map(server => server.close(timeoutMs)));
  return dropped.reduce((sum, each) => sum + each, 0);
}
