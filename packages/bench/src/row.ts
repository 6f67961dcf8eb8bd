/** In which units there are values; rows come in this order, so ratios first. */
export const UNITS = ['×', 'exponent', '%', 'ms', 'µs', 'MB', 'KB'] as const;

/** One line of the table: something that was measured, beside a peer or a limit. */
export interface Row {
  /** What was measured, such as `look-up of 100,000 codes`. */
  readonly what: string;
  /** Null when it was not measured here; `beside` then says why. */
  readonly value: number | null;
  /** `×`: times the peer's. `exponent`: the cost grows with this power of the size. */
  readonly unit: (typeof UNITS)[number];
  /** The peer, and the figures behind the value. */
  readonly beside: string;
  /** The most that the value may be, or the least; without one the row only tells. */
  readonly limit?: { readonly atMost: number } | { readonly atLeast: number };
}

/**
 * Whether a row is within its limit; empty when it has none.
 *
 * @example verdictOf({ what: 'w', value: 2.4, unit: '×', beside: '', limit: { atMost: 6 } }) // 'within'
 */
export function verdictOf({ value, limit }: Row): 'within' | 'OVER' | 'not measured' | '' {
  if (value === null) return 'not measured';
  if (!limit) return '';
  return ('atMost' in limit ? value <= limit.atMost : value >= limit.atLeast) ? 'within' : 'OVER';
}

/**
 * Hands rows in to the process that runs the benches. A bench calls it last.
 *
 * @throws Error when the bench was not started by `pnpm bench`
 * @example report([{ what: 'look-up', value: 2.4, unit: '×', beside: 'four Map.get', limit: { atMost: 6 } }]);
 */
export function report(rows: readonly Row[]): void {
  if (!process.send) throw new Error('Run it with `pnpm bench`, followed by a word of its file name.');
  process.send(rows);
}
