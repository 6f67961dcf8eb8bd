import { AdminFailed } from '../admin/admin.ts';
import { shopContext } from '../admin/operations/shop-context.ts';
import type { JobKind } from '../jobs/job.ts';
import type { Merchant } from '../merchant.ts';

/**
 * Erases all that is kept of a shop. A merchant who came back in between keeps it; whether one did is asked of Shopify
 * where our own notes say that the app was never removed, for that news may have been lost.
 */
export const redactJob: JobKind = {
  kind: 'redact',
  async run({ merchant, signal }) {
    const record = await merchant.shop.record();
    if (record?.uninstalledAt === null && (await hasApp(merchant, signal))) return { erased: false };
    await merchant.shop.erase();
    return { erased: true };
  },
};

async function hasApp({ admin }: Merchant, signal: AbortSignal): Promise<boolean> {
  try {
    await admin.run(shopContext, {}, { signal });
    return true;
  } catch (error) {
    if (!(error instanceof AdminFailed)) throw error;
    if (error.fault === 'revoked') return false;
    // A token that Shopify knows, of a shop that has not paid.
    if (error.fault === 'frozen') return true;
    throw error;
  }
}
