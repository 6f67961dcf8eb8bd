import { type Retest, readRecord, retestsOf } from '@compliance/core/entry';
import type { Certificate } from '@compliance/store';
import { type AlertEvent, recordAlerts } from '../alerts/alert.ts';
import { type IssuingContext, productNumber } from './certificate-context.ts';
import { productTitleOf } from './list.ts';
import { retestsDue } from './retests.ts';

/**
 * Stores a certificate's status and the due date of its next periodic test. Records alerts if the certificate is
 * incomplete or superseded, or if a periodic test is overdue or due within 60 days.
 */
export async function recordCertificateCheck(
  { merchant: { shop }, clock }: Pick<IssuingContext, 'merchant' | 'clock'>,
  productId: string,
  certificate: Pick<Certificate, 'id' | 'status' | 'record'>,
): Promise<void> {
  const [next] = retestsOf(readRecord(certificate.record), 'periodic');
  const { id: gccId, status } = certificate;
  await shop.productCertificates.checked(productId, { gccId, status, retestDue: next?.due ?? null });
  const kinds = kindsOf(status, retestsDue(readRecord(certificate.record), clock()));
  if (kinds.length === 0) return;
  const title = await productTitleOf(shop, productId);
  const about = { title, product: productNumber(productId), certificate: certificate.id };
  await recordAlerts(
    shop,
    clock(),
    kinds.map(({ kind, ...more }) => ({
      key: [kind, certificate.id, ...Object.values(more)].join(':'),
      ...({ kind, detail: { ...about, ...more } } as AlertEvent),
    })),
  );
}

function kindsOf(status: Certificate['status'], retests: readonly Retest[]) {
  if (status === 'superseded') return [{ kind: 'certificate_superseded' }];
  if (status === 'voided') return [];
  return [
    ...(status === 'complete' ? [] : [{ kind: 'certificate_incomplete' }]),
    ...retests.map(({ citation, due }) => ({ kind: 'certificate_retest', rule: citation, due })),
  ];
}
