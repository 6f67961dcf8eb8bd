import { inTurn, show } from './measure.ts';
import type { BenchRow } from './row.ts';

/**
 * Measures each of several reads 100 times, and returns a row for the read with the highest p95 time. If the slowest
 * read is within the limit, so are all other reads. SQLite runs in this process, so the process's CPU time includes the
 * cost of all queries.
 *
 * @example
 * await slowest('app pages', 100, { Home: () => homeOf(shop), history: () => historyOf(shop, null) })
 * // { what: 'p95 time, slowest of 2 app pages', value: 8.1, unit: 'ms', limit: { atMost: 100 }, details: 'Home: 8.1 ms; history: 2.2 ms' }
 */
export async function slowest(
  what: string,
  atMost: number,
  reads: Readonly<Record<string, () => unknown>>,
): Promise<BenchRow> {
  const times = await inTurn(reads, { rounds: 100 });
  const p95 = Object.entries(times)
    .map(([name, all]) => ({ name, ms: all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.95)]! }))
    .toSorted((a, b) => b.ms - a.ms);
  return {
    what: `p95 time, slowest of ${p95.length} ${what}`,
    value: p95[0]!.ms,
    unit: 'ms',
    limit: { atMost },
    details: p95
      .slice(0, 3)
      .map(({ name, ms }) => `${name}: ${show(ms)} ms`)
      .join('; '),
  };
}
