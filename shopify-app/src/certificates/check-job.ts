import type { ShopStore } from '@compliance/store/shop';
import type { JobHandler } from '../jobs/job.ts';
import { recordCertificateCheck } from './certificate-alerts.ts';
import { recordVoided } from './unlink-job.ts';

/** Type of the nightly job that checks issued certificates. */
export const CERTIFICATE_CHECK = 'certificate_check';

const BATCH = 100;

/**
 * Creates the job that checks each product's newest certificate. A certificate's status can change without any action
 * in the app: tests become due, and the operator or the API can supersede or void a certificate.
 */
export const certificateCheckJob = (
  certificates: Pick<ShopStore['certificates'], 'get'>,
  clock: () => number,
): JobHandler => ({
  kind: CERTIFICATE_CHECK,
  async run({ merchant, signal }) {
    const { shop } = merchant;
    const family = (await shop.record())?.family;
    let checked = 0;
    let cursor: string | null = null;
    do {
      signal.throwIfAborted();
      const page: Awaited<ReturnType<typeof shop.productCertificates.list>> = await shop.productCertificates.list({
        ...{ state: 'issued', limit: BATCH, cursor },
      });
      for (const { productId, gccId } of page.rows) {
        const certificate = gccId && (await certificates.get(gccId));
        if (!certificate || certificate.family !== family) continue;
        const { id, status, voidReason } = certificate;
        if (status === 'voided') await recordVoided(merchant, productId, { gccId: id, reason: voidReason ?? '' });
        else await recordCertificateCheck({ merchant, clock }, productId, certificate);
      }
      checked += page.rows.length;
      cursor = page.next;
    } while (cursor !== null);
    return { checked };
  },
});
