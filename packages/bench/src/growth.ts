import { inTurn, median, show } from './measure.ts';
import type { Row } from './row.ts';

/** What may grow how: nothing may grow faster than its size, and what an index finds must not grow with it. */
const MOST = { linear: 1.1, constant: 0.2 };

/**
 * The power of the size with which a cost grows: the slope of a straight line through the logarithms, by least squares.
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
 * Measures how a cost grows with a size. The work of each size is made once, and then done in turn with that of the others.
 *
 * @example
 * await growth('look-up, codes in one call', 'linear', [1_000, 10_000], size => () => lookup(some(size), options))
 * // { what: 'look-up, codes in one call', value: 0.98, unit: 'exponent', beside: '1,000: 0.1 ms, 10,000: 1 ms', limit: … }
 */
export async function growth(
  what: string,
  expected: keyof typeof MOST,
  sizes: readonly number[],
  make: (size: number) => () => unknown,
): Promise<Row> {
  const work = Object.fromEntries(sizes.map(size => [size, make(size)]));
  const costs = await inTurn(work, { rounds: 9 });
  const points = sizes.map(size => [size, median(costs[size]!)] as const);
  return {
    what,
    value: exponentOf(points),
    unit: 'exponent',
    beside: points.map(([size, ms]) => `${size.toLocaleString('en-US')}: ${show(ms)} ms`).join(', '),
    limit: { atMost: MOST[expected] },
  };
}
