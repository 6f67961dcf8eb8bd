/** Units for benchmark values. The table sorts rows by unit in the order listed here, so ratios come first. */
export const UNITS = ['×', 'exponent', '%', 'ms', 'µs', 'MB', 'KB'] as const;

/** Row in the benchmark table: a measurement, and optionally a limit and a peer, such as another library. */
export interface BenchRow {
  /** Measured operation, such as `lookup of 100,000 codes`. */
  readonly what: string;
  /** Measured value. Null if the operation wasn't measured on this machine, in which case `details` explains why. */
  readonly value: number | null;
  /**
   * Unit of the value. If the unit is `×`, the value is a multiple of the peer's cost. If the unit is `exponent`, the
   * cost is proportional to the size raised to the power of the value.
   */
  readonly unit: (typeof UNITS)[number];
  /** Name of the peer, and the figures that the value is calculated from. */
  readonly details: string;
  /** Maximum or minimum value. A row without a limit is informational. */
  readonly limit?: { readonly atMost: number } | { readonly atLeast: number };
}

/**
 * Returns `not measured` if a row has no value, an empty string if it has no limit, and otherwise whether its value is
 * within the limit.
 *
 * @example verdictOf({ what: 'w', value: 2.4, unit: '×', details: '', limit: { atMost: 6 } }) // 'within'
 */
export function verdictOf({ value, limit }: BenchRow): 'within' | 'OVER' | 'not measured' | '' {
  if (value === null) return 'not measured';
  if (!limit) return '';
  return ('atMost' in limit ? value <= limit.atMost : value >= limit.atLeast) ? 'within' : 'OVER';
}

/**
 * Sends rows to the process that runs the benchmarks. Call this function once, at the end of a benchmark.
 *
 * @throws Error if this process wasn't started by `pnpm bench`
 * @example report([{ what: 'lookup', value: 2.4, unit: '×', details: 'four Map.get', limit: { atMost: 6 } }]);
 */
export function report(rows: readonly BenchRow[]): void {
  if (!process.send) throw new Error('Run this benchmark with `pnpm bench` and part of its filename.');
  process.send(rows);
}
