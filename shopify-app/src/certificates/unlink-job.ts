import { CERTIFICATE_KINDS } from '@compliance/core/entry';
import type { AuditLog } from '@compliance/store';
import { AdminApiError } from '../admin/admin.ts';
import type { Merchant } from '../admin/merchant.ts';
import { certificateLink } from '../admin/operations/certificate-link.ts';
import { certificateLinkDelete } from '../admin/operations/certificate-link-delete.ts';
import { filePoll } from '../admin/operations/file-poll.ts';
import type { JobHandler } from '../jobs/job.ts';

/** Type of the job that removes a product's link to a voided certificate. */
export const CERTIFICATE_UNLINK = 'certificate_unlink';

interface UnlinkRequest {
  readonly productId: string;
  readonly gccId: string;
}

/**
 * Records that a product's certificate was voided, and enqueues a job that removes the certificate link from the
 * product in Shopify. After the job runs, the storefront no longer shows the certificate.
 */
export async function recordVoided(
  { shop, user }: Pick<Merchant, 'shop' | 'user'>,
  productId: string,
  { gccId, reason }: { readonly gccId: string; readonly reason: string },
) {
  await shop.jobs.enqueue({
    kind: CERTIFICATE_UNLINK,
    key: gccId,
    payload: { productId, gccId } satisfies UnlinkRequest,
  });
  return await shop.productCertificates.voided(productId, { gccId, reason, by: user ?? '' });
}

/**
 * Creates the handler for the job that removes a product's link to a voided certificate in Shopify. The job keeps a
 * link to any other certificate, such as a newer one.
 */
export const unlinkJob = (audit: AuditLog): JobHandler => ({
  kind: CERTIFICATE_UNLINK,
  async run({ job, merchant: { admin, shop }, signal }) {
    const { productId, gccId } = job.payload as UnlinkRequest;
    const { product } = await admin.run(certificateLink, { productId }, { signal });
    const file = product?.metafield?.type === 'file_reference' ? product.metafield.value : null;
    if (file === null) return { removed: false };
    const { node } = await admin.run(filePoll, { id: file }, { signal });
    // If the file was deleted, its certificate is unknown, so check the product's newest certificate instead.
    const isOther = node
      ? !CERTIFICATE_KINDS.some(kind => node.alt === `${kind}-${gccId}`)
      : (await shop.productCertificates.get(productId)).gccId !== gccId;
    if (isOther) return { removed: false };
    const { metafieldsDelete } = await admin.run(certificateLinkDelete, { productId }, { signal });
    if (!metafieldsDelete || metafieldsDelete.userErrors.length > 0)
      throw new AdminApiError('unexpected', certificateLinkDelete.name);
    const record = await shop.record();
    await audit.append({
      ...{ actor: 'app', action: 'certificate.unlinked', subject: `${record?.family} ${productId}` },
      ...{ before: { file }, after: null },
    });
    return { removed: true };
  },
});
