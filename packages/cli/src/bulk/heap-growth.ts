import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Number of batches to process before limiting the heap, so that short streams avoid the overhead. */
const LONG_STREAM = 4;

/** New-space size that is large enough for a stream, in bytes. */
const ENOUGH_NEW_SPACE = 8 * 1024 * 1024;

/**
 * Limits heap growth between garbage collections during a long stream. Without this limit, V8 keeps the memory used for
 * loading the program and lets hundreds of megabytes of garbage accumulate on machines with free memory.
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
      // This garbage collection also shrinks the new space, which then grows only to the size that this stream needs.
      (runInNewContext('gc') as (options: object) => void)({ type: 'major', flavor: 'last-resort' });
      return;
    }
    const newSpace = getHeapSpaceStatistics().find(space => space.space_name === 'new_space');
    if ((newSpace?.space_size ?? 0) < ENOUGH_NEW_SPACE) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    isLimited = true;
  };
}
