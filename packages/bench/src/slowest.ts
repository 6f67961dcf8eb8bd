import { inTurn, show } from './measure.ts';
import type { Row } from './row.ts';

/**
 * The slowest of some reads, each by the 95th of 100 times, against what any of them may take; SQLite runs in this process.
 *
 * @example
 * await slowest('page of the app', 100, { Home: () => homeOf(shop), history: () => historyOf(shop, null) })
 * // { what: 'slowest page of the app, p95', value: 8.1, unit: 'ms', limit: { atMost: 100 }, beside: 'Home 8.1, history 2.2 ms' }
 */
export async function slowest(
  what: string,
  atMost: number,
  reads: Readonly<Record<string, () => unknown>>,
): Promise<Row> {
  const times = await inTurn(reads, { rounds: 100 });
  const p95 = Object.entries(times)
    .map(([name, all]) => ({ name, ms: all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.95)]! }))
    .toSorted((a, b) => b.ms - a.ms);
  return {
    what: `slowest ${what} of ${p95.length}, p95`,
    value: p95[0]!.ms,
    unit: 'ms',
    limit: { atMost },
    beside: p95
      .slice(0, 3)
      .map(({ name, ms }) => `${name}: ${show(ms)} ms`)
      .join('; '),
  };
}
