import { type Job, type ScanTrigger, URGENT } from '@compliance/store/shop';
import type { Merchant } from '../admin/merchant.ts';
import type { ScanJobRequest } from './model/types.ts';
import { SCAN } from './scan-job.ts';

/**
 * Starts a scan of the merchant's store or joins the current scan.
 *
 * @throws StoreError `shop_unknown` or `shop_uninstalled` if the app isn't installed in the shop
 * @example
 * const job = await startScan(merchant, 'merchant');
 */
export async function startScan({ shop }: Merchant, trigger: ScanTrigger): Promise<Job> {
  const payload: ScanJobRequest = { trigger };
  return (await shop.jobs.enqueue({ kind: SCAN, payload, priority: trigger === 'merchant' ? URGENT : 0 })).job;
}

/**
 * Checks whether a problem still exists. Starts a full scan, because only a full scan shows whether the problem is
 * fixed or has moved to another page or file. A running scan might have read the location before the merchant fixed the
 * problem, so another scan starts after the running scan ends.
 *
 * @returns queued or running scan job, or null if the shop has no finding with this fingerprint
 * @throws StoreError `shop_unknown` or `shop_uninstalled` if the app isn't installed in the shop
 */
export async function recheck({ shop }: Merchant, fingerprint: string): Promise<Job | null> {
  if (!(await shop.findings.get(fingerprint))) return null;
  const payload: ScanJobRequest = { trigger: 'merchant' };
  return (await shop.jobs.enqueue({ kind: SCAN, payload, whileRunning: 'again', priority: URGENT })).job;
}
