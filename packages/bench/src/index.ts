/**
 * What benches measure with, and how they hand in what they found.
 *
 * @module
 */

export { growth } from './growth.ts';
export { inTurn, median, ratio, show, spent } from './measure.ts';
export { type Row, report } from './row.ts';
export { slowest } from './slowest.ts';
