import type { Store } from '@compliance/store';
import type { Logger } from 'pino';

const MINUTE_MS = 60_000;

/** How many shops a minute get their scheduled work from one process. */
const BATCH = 100;

/**
 * Enqueues what is due, every minute. Every process may: a shop is taken once a period.
 *
 * @example
 * const scheduler = startScheduler(store);
 * scheduler.stop();
 */
export function startScheduler(store: Store, log?: Logger): { stop(): void } {
  const tick = async () => {
    try {
      await store.shops.enqueueDue({ kind: 'scan', payload: { trigger: 'schedule' } }, BATCH);
    } catch (error) {
      log?.error({ failure: error instanceof Error ? error.name : typeof error }, 'scheduler');
    }
  };
  const timer = setInterval(tick, MINUTE_MS);
  return { stop: () => clearInterval(timer) };
}
