import type { NewestCertificate } from '../../../../src/product-extensions/contract.ts';
import { appPage, formatDay, type I18n } from '../host.ts';

/** Badge tones by status. Only a complete certificate's badge is green. */
const TONES = {
  draft: 'info',
  incomplete: 'warning',
  complete: 'success',
  superseded: 'caution',
  voided: 'critical',
} as const;

/** Props for the certificate status. */
interface CertificateStatusProps {
  readonly i18n: I18n;
  /** Numeric product ID. */
  readonly product: string;
  readonly certificate: NewestCertificate;
}

/** Shows the status and the missing elements of the product's newest certificate, with links to the certificate. */
export function CertificateStatus({ i18n, product, certificate }: CertificateStatusProps) {
  const { status, id, hasDraft, missing, faults, retestDue, verificationUrl } = certificate;
  return (
    <s-section heading={i18n.translate('certificate.title')}>
      <s-stack gap="small">
        <s-stack direction="inline" gap="small" alignItems="center">
          <s-badge tone={status === null ? 'neutral' : TONES[status]}>{statusText(i18n, certificate)}</s-badge>
          {id !== null && <s-text>{i18n.translate('certificate.id', { id })}</s-text>}
        </s-stack>
        {missing > 0 && <s-text>{i18n.translate('certificate.missing', { count: missing })}</s-text>}
        {faults > 0 && <s-text>{i18n.translate('certificate.faults', { count: faults })}</s-text>}
        {retestDue !== null && (
          <s-text>{i18n.translate('certificate.retestDue', { date: formatDay(i18n, retestDue) })}</s-text>
        )}
        {hasDraft && status !== 'draft' && <s-text>{i18n.translate('certificate.hasDraft')}</s-text>}
        <s-link href={appPage(`/app/certificates/${product}`)}>
          {i18n.translate(status === null ? 'certificate.create' : 'certificate.open')}
        </s-link>
        {verificationUrl !== null && (
          <s-link href={verificationUrl} target="_blank">
            {i18n.translate('certificate.verify')}
          </s-link>
        )}
      </s-stack>
    </s-section>
  );
}

/** Returns a certificate's status in words. */
export const statusText = (i18n: I18n, { status }: NewestCertificate): string =>
  i18n.translate(status === null ? 'certificate.none' : `status.${status}`);
