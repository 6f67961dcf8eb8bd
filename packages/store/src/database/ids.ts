import { randomBytes } from 'node:crypto';

/**
 * Generates an ID such as `key_0mi7x4k2a0000f3a9…`. IDs contain only lowercase letters and digits, so every collation
 * sorts them the same way.
 */
export type NewId = (kind: 'key' | 'fam' | 'aud' | 'nom' | 'req' | 'job' | 'scn' | 'cev') => string;

/**
 * Creates a generator of IDs that sort by time. An ID contains 9 base-36 digits for the millisecond, 4 for a counter
 * within that millisecond, and 16 random hex digits. IDs that different processes generate within the same millisecond
 * sort in an arbitrary but stable order.
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
