import type { CertificateStatus } from '@compliance/core/entry';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/kit/badge.tsx';

const TONES = {
  draft: 'info',
  incomplete: 'warning',
  complete: 'success',
  superseded: 'attention',
  voided: 'critical',
} as const;

/** Shows a certificate's status. Only a complete certificate's badge is green. */
export function CertificateBadge({ status }: { readonly status: CertificateStatus }) {
  const { t } = useTranslation();
  return <Badge tone={TONES[status]}>{t(`certificates.status.${status}`)}</Badge>;
}
