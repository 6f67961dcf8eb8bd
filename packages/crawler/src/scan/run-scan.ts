import type { DriftResult, ScanResult } from '@compliance/core/pixel';
import { type JobRunner, PoolError, siblingModule } from '../pool/index.ts';
import { ScanFailed } from '../scan-failed.ts';
import type { ScanJob, scanCapture } from './scan-capture.ts';

const scanModule = siblingModule(import.meta.url, 'scan-capture');

/**
 * Scans a capture in a pool worker.
 *
 * @throws ScanFailed with `too_complex`, with `blocked` for a bot challenge, or with `not_html` for an empty page
 * @throws PoolError with `busy` if the queue is full
 */
export async function runScan(
  pool: JobRunner,
  job: ScanJob,
): Promise<{ result: ScanResult & { readonly score: number }; drift: DriftResult | null }> {
  const { result, drift } = await pool.run<typeof scanCapture>(scanModule, 'scanCapture', job).catch(error => {
    throw error instanceof PoolError && error.blamesInput ? new ScanFailed('too_complex') : error;
  });
  // A page with a bot challenge or without content can have status 200, but a score for such a page would be
  // meaningless.
  if (result.score === null) {
    throw new ScanFailed(result.not_scored === 'bot challenge' ? 'blocked' : 'not_html', job.capture.status);
  }
  return { result: { ...result, score: result.score }, drift };
}
