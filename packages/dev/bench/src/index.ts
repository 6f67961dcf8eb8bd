/**
 * Functions that benchmarks use to measure costs and to report the results in rows.
 *
 * @module
 */

export { growth } from './growth.ts';
export { inTurn, median, ratio, show, spent } from './measure.ts';
export { percentile, probe } from './probe.ts';
export { type BenchRow, report } from './row.ts';
export { slowest } from './slowest.ts';
