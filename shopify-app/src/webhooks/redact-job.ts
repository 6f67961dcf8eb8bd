import { AdminApiError } from '../admin/admin.ts';
import type { Merchant } from '../admin/merchant.ts';
import { shopContext } from '../admin/operations/shop-context.ts';
import type { JobHandler } from '../jobs/job.ts';

/**
 * Job that deletes all of a shop's data unless the merchant has since reinstalled the app. If the shop isn't marked as
 * uninstalled, the uninstall webhook might have been lost, so the job checks the shop's token with Shopify.
 */
export const redactJob: JobHandler = {
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
    if (!(error instanceof AdminApiError)) throw error;
    if (error.fault === 'revoked') return false;
    // Shopify still recognizes the token, but the shop has an unpaid Shopify bill.
    if (error.fault === 'frozen') return true;
    throw error;
  }
}
