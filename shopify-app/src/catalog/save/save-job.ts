import { createHash } from 'node:crypto';
import type { AuditLog } from '@compliance/store';
import type { Shop } from '@compliance/store/shop';
import { z } from 'zod';
import type { Merchant } from '../../admin/merchant.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { tryParseJson } from '../../lib/try-parse-json.ts';
import { SAVE_CODES } from '../model/job-types.ts';
import { refreshProduct } from '../read/refresh-product.ts';
import { type CodeUpdate, type SaveFault, saveCode } from './save-code.ts';

/** Maximum number of changes per job. */
export const MAX_CHANGES = 2_000;

const codes = z.object({ htsCode: z.string().max(50).nullable(), origin: z.string().max(50).nullable() });
const changes = z
  .array(z.object({ variantId: z.string().max(100), expected: codes, wanted: codes }))
  .min(1)
  .max(MAX_CHANGES);

interface SaveRequest {
  readonly changes: readonly CodeUpdate[];
}

/** Result of a `save_codes` job in the `done` state. */
export interface SaveOutcome {
  readonly saved: number;
  readonly failed: readonly (Pick<SaveFault, 'code' | 'message'> & { readonly variantId: string })[];
}

/**
 * Enqueues changes that the merchant has reviewed and confirmed.
 *
 * @param text the changes from the preview, as JSON
 * @returns the job, or null if the JSON is invalid
 */
export async function startSaving(merchant: Merchant, text: string): Promise<{ readonly id: string } | null> {
  const read = changes.safeParse(tryParseJson(text));
  return read.success ? await enqueueSave(merchant, read.data) : null;
}

/** Enqueues changes that the merchant has confirmed. @param changes at most `MAX_CHANGES` changes */
export async function enqueueSave(
  { shop }: Merchant,
  changes: readonly CodeUpdate[],
): Promise<{ readonly id: string }> {
  const payload: SaveRequest = { changes };
  // Different changes create separate jobs. Resubmitting the same changes while their job is live doesn't create a job.
  const key = createHash('sha256').update(JSON.stringify(payload)).digest('base64url');
  const { job } = await shop.jobs.enqueue({ kind: SAVE_CODES, key, payload });
  return { id: job.id };
}

/**
 * Creates the job that writes codes to Shopify, one variant at a time. The job skips values that Shopify already has.
 */
export const saveJob = (audit: AuditLog, clock: () => number): JobHandler => ({
  kind: SAVE_CODES,
  async run({ job, merchant, signal, report }): Promise<SaveOutcome> {
    const { changes } = job.payload as SaveRequest;
    const products = new Set<string>();
    const failed: SaveOutcome['failed'][number][] = [];
    for (const [done, change] of changes.entries()) {
      signal.throwIfAborted();
      report({ done, total: changes.length });
      const answer = await saveCode(merchant, change, { audit, signal });
      if ('productId' in answer) products.add(answer.productId);
      else failed.push({ variantId: change.variantId, code: answer.fault.code, message: answer.fault.message });
    }
    for (const productId of products)
      await refreshProduct(merchant, { productId }, { signal, now: clock(), run: job.id });
    return { saved: changes.length - failed.length, failed };
  },
});

/**
 * Returns the status of the shop's latest job that saves codes, from an import or a bulk edit, or null if there's no
 * such job.
 */
export async function latestSave(shop: Shop) {
  const job = await shop.jobs.latest(SAVE_CODES);
  if (!job) return null;
  const { state, error, progress, result } = job;
  return {
    state,
    error,
    progress: progress as { readonly done: number; readonly total: number } | null,
    result: result as SaveOutcome | null,
  };
}
