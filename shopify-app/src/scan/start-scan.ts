import type { Job, ScanTrigger } from '@compliance/store';
import type { Merchant } from '../merchant.ts';
import { SCAN } from './scan-job.ts';
import type { ScanRequest } from './types.ts';

/**
 * Starts a scan of the merchant's store, or joins the one that is under way.
 *
 * @throws StoreError `shop_unknown`, `shop_uninstalled`
 * @example
 * const job = await startScan(merchant, 'merchant');
 */
export async function startScan({ shop }: Merchant, trigger: ScanTrigger): Promise<Job> {
  return (await shop.jobs.enqueue({ kind: SCAN, payload: { trigger } satisfies ScanRequest })).job;
}

/**
 * Looks again whether a finding is still there. It is a whole scan: only that can tell whether the fault is gone or has moved
 * to another page or file, and what else the change did. One that is under way may have read the place before the merchant
 * changed it, so another follows it.
 *
 * @returns the job, the one under way if there is one; null when the shop has no such finding
 * @throws StoreError `shop_unknown`, `shop_uninstalled`
 */
export async function recheck({ shop }: Merchant, fingerprint: string): Promise<Job | null> {
  if (!(await shop.findings.get(fingerprint))) return null;
  const payload: ScanRequest = { trigger: 'merchant' };
  return (await shop.jobs.enqueue({ kind: SCAN, payload, whileRunning: 'again' })).job;
}
