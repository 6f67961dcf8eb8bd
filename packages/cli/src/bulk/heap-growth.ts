import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Number of batches after which a stream is long. */
const LONG_STREAM = 4;

/** Size of the space for new objects that is enough for a stream, in bytes. */
const ENOUGH_NEW_SPACE = 8 * 1024 * 1024;

/**
 * Limits how far the heap grows between garbage collections during a long stream. Without a limit, V8 keeps the memory that
 * was needed to load the program, and lets garbage grow to hundreds of megabytes on a machine with free memory.
 *
 * @returns a function to call after each batch
 */
export function createHeapLimit(): () => void {
  let batches = 0;
  let isLimited = false;
  return () => {
    batches++;
    if (isLimited || batches < LONG_STREAM) return;
    if (batches === LONG_STREAM) {
      setFlagsFromString('--heap-growing-percent=40');
      setFlagsFromString('--expose-gc');
      // This collection also shrinks the space for new objects, which then grows only as far as this stream needs.
      (runInNewContext('gc') as (options: object) => void)({ type: 'major', flavor: 'last-resort' });
      return;
    }
    const newSpace = getHeapSpaceStatistics().find(space => space.space_name === 'new_space');
    if ((newSpace?.space_size ?? 0) < ENOUGH_NEW_SPACE) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    isLimited = true;
  };
}
