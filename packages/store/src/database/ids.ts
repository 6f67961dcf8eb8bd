import { randomBytes } from 'node:crypto';

/** Makes an id such as `key_0mi7x4k2a0000f3a9…`: lower case and digits only, so that every collation sorts it alike. */
export type NewId = (kind: 'key' | 'fam' | 'aud' | 'nom' | 'req' | 'job' | 'scn' | 'cev') => string;

/**
 * Ids that sort by time of making: 9 base-36 digits of ms, 4 of a counter within that ms, 16 random hex digits.
 * Between processes the order within one millisecond is arbitrary, but it is one order.
 */
export function createIds(clock: () => number): NewId {
  let last = 0;
  let sequence = 0;
  return kind => {
    const now = clock();
    sequence = now === last ? sequence + 1 : 0;
    last = now;
    const time = now.toString(36).padStart(9, '0');
    return `${kind}_${time}${sequence.toString(36).padStart(4, '0')}${randomBytes(8).toString('hex')}`;
  };
}
