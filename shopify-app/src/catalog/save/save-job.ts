import { createHash } from 'node:crypto';
import type { AuditLog, Shop } from '@compliance/store';
import { z } from 'zod';
import type { JobKind } from '../../jobs/job.ts';
import type { Merchant } from '../../merchant.ts';
import { refreshProduct } from '../refresh-product.ts';
import { SAVE_CODES } from '../words.ts';
import { type CodeChange, type SaveFault, saveCode } from './save-code.ts';

/** Changes that are taken at once. */
export const MOST_CHANGES = 2_000;

const codes = z.object({ htsCode: z.string().max(50).nullable(), origin: z.string().max(50).nullable() });
const changes = z
  .array(z.object({ variantId: z.string().max(100), expected: codes, wanted: codes }))
  .min(1)
  .max(MOST_CHANGES);

interface SaveRequest {
  readonly changes: readonly CodeChange[];
  readonly user: string | null;
}

/** What a `done` job of kind `save_codes` gave. */
export interface SaveOutcome {
  readonly saved: number;
  readonly failed: readonly (Pick<SaveFault, 'code' | 'message'> & { readonly variantId: string })[];
}

/**
 * Has changes written to Shopify that the merchant looked at and agreed to.
 *
 * @param text the changes as JSON, as the preview gave them
 * @returns the job; null when the text is none of ours
 */
export async function startSaving({ shop, user }: Merchant, text: string): Promise<{ readonly id: string } | null> {
  const read = changes.safeParse(jsonOf(text));
  if (!read.success) return null;
  const payload: SaveRequest = { changes: read.data, user };
  // Two files are two jobs; the same one twice is one.
  const key = createHash('sha256').update(JSON.stringify(payload)).digest('base64url');
  const { job } = await shop.jobs.enqueue({ kind: SAVE_CODES, key, payload });
  return { id: job.id };
}

/** The job that writes codes to Shopify, one variant after the other. What is there already is not written again. */
export const saveJob = (audit: AuditLog, clock: () => number): JobKind => ({
  kind: SAVE_CODES,
  async run({ job, merchant, signal, report }): Promise<SaveOutcome> {
    const { changes, user } = job.payload as SaveRequest;
    const products = new Set<string>();
    const failed: SaveOutcome['failed'][number][] = [];
    for (const [done, change] of changes.entries()) {
      signal.throwIfAborted();
      report({ done, total: changes.length });
      const answer = await saveCode({ ...merchant, user }, change, { audit, signal });
      if ('productId' in answer) products.add(answer.productId);
      else failed.push({ variantId: change.variantId, code: answer.fault.code, message: answer.fault.message });
    }
    for (const productId of products)
      await refreshProduct(merchant, { productId }, { signal, now: clock(), run: job.id });
    return { saved: changes.length - failed.length, failed };
  },
});

/** How the newest saving of a file stands; null when there was none. */
export async function savingOf(shop: Shop) {
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

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
