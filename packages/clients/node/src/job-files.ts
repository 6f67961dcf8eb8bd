import { ComplianceError, ConnectionError, TimeoutError } from './errors.ts';
import type { CallOptions } from './exchange.ts';

/** Options for waiting until a job finishes. */
export interface WaitOptions<Job> {
  /** Receives the job whenever its state or its number of processed rows changes. */
  onProgress?: ((job: Job) => void) | undefined;
  /**
   * Maximum time to wait, in milliseconds. Default: no limit. After a timeout, the job continues, and you can wait for
   * it again.
   */
  deadlineMs?: number | undefined;
  /** Initial polling interval, in milliseconds. The interval grows to 5 seconds for long jobs. Default: 500. */
  pollMs?: number | undefined;
  /** Signal that ends the wait. The job continues. */
  signal?: AbortSignal | undefined;
}

/** Content of a file: text, bytes, a `Blob` or `File`, or a stream of bytes. */
export type JobFile = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

/** Job fields used for polling. */
interface Progress {
  readonly id: string;
  readonly state: string;
  readonly processed_rows: number;
  readonly finished_at: string | null;
}

/** Maximum polling interval, in milliseconds. */
const LONGEST_PAUSE = 5_000;
/** Number of consecutive failed requests after which the wait fails. */
const MAX_FAILURES = 10;

/**
 * Polls a job until it finishes. Temporary errors end the wait only after 10 consecutive failed requests.
 *
 * @throws `TimeoutError` after the deadline, or `ComplianceError` if the job can't be read
 */
export async function waitUntilFinished<Job extends Progress>(
  get: (options: CallOptions) => Promise<Job>,
  { onProgress, deadlineMs = Number.POSITIVE_INFINITY, pollMs = 500, signal }: WaitOptions<Job>,
): Promise<Job> {
  const end = Date.now() + deadlineMs;
  let seen = '';
  let failures = 0;
  for (let pause = pollMs; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
    try {
      const job = await get({ signal });
      failures = 0;
      const progress = `${job.state} ${job.processed_rows}`;
      if (progress !== seen) onProgress?.(job);
      seen = progress;
      if (job.finished_at !== null) return job;
    } catch (error) {
      if (!isTemporary(error) || ++failures === MAX_FAILURES) throw error;
    }
    if (Date.now() + pause > end)
      throw new TimeoutError(`The job didn't finish within ${deadlineMs} ms. It wasn't canceled.`);
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(signal!.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, pause);
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted) abort();
    });
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  const { status = 0 } = error instanceof ComplianceError ? error : {};
  return status === 429 || status >= 500;
}
