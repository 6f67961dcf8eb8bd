import { useTranslation } from 'react-i18next';
import type { CatalogStatus } from '../../../src/catalog/model/classify.ts';
import { Badge } from '../../ui/kit/badge.tsx';

const TONES = {
  hit: 'warning',
  in_scope: 'warning',
  adjacent: 'info',
  clear: undefined,
  needs_digits: 'attention',
  missing: 'attention',
  invalid: 'critical',
} as const satisfies Record<CatalogStatus, string | undefined>;

/** Shows a Section 232 status as a labeled, colored badge. */
export function StatusBadge({ status }: { readonly status: CatalogStatus }) {
  const { t } = useTranslation();
  return <Badge tone={TONES[status]}>{t(`catalog.status.${status}`)}</Badge>;
}
