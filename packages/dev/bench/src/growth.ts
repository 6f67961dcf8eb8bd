import { inTurn, median, show } from './measure.ts';
import type { BenchRow } from './row.ts';

/**
 * Upper limits for cost growth exponents. The cost of linear work must not grow faster than the input size, and the
 * cost of indexed lookups must not depend on the input size.
 */
const MOST = { linear: 1.1, constant: 0.2 };

/**
 * Returns the growth exponent of a cost relative to size, calculated as the least-squares slope of a log-log plot.
 *
 * @example exponentOf([[10, 5], [100, 50], [1000, 500]]) // 1
 */
export function exponentOf(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const mean = (of: 0 | 1) => logs.reduce((sum, point) => sum + point[of], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const slope = logs.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return slope / logs.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

/**
 * Measures how a cost grows with size. Prepares the work once for each size, and then interleaves the measurements.
 *
 * @example
 * await growth('lookup, codes in one call', 'linear', [1_000, 10_000], size => () => lookup(some(size), options))
 * // { what: 'lookup, codes in one call', value: 0.98, unit: 'exponent', details: '1,000: 0.1 ms, 10,000: 1 ms', limit: … }
 */
export async function growth(
  what: string,
  expected: keyof typeof MOST,
  sizes: readonly number[],
  make: (size: number) => () => unknown,
): Promise<BenchRow> {
  const work = Object.fromEntries(sizes.map(size => [size, make(size)]));
  const costs = await inTurn(work, { rounds: 9 });
  const points = sizes.map(size => [size, median(costs[size]!)] as const);
  return {
    what,
    value: exponentOf(points),
    unit: 'exponent',
    details: points.map(([size, ms]) => `${size.toLocaleString('en-US')}: ${show(ms)} ms`).join(', '),
    limit: { atMost: MOST[expected] },
  };
}
