import { useTranslation } from 'react-i18next';
import type { CatalogStatus } from '../../../src/catalog/answer.ts';
import { Badge } from '../badge.tsx';

const TONES = {
  hit: 'warning',
  in_scope: 'warning',
  adjacent: 'info',
  clear: undefined,
  needs_digits: 'attention',
  missing: 'attention',
  invalid: 'critical',
} as const satisfies Record<CatalogStatus, string | undefined>;

/** The answer of the lists in a word, and a colour beside it. */
export function StatusBadge({ status }: { readonly status: CatalogStatus }) {
  const { t } = useTranslation();
  return <Badge tone={TONES[status]}>{t(`catalog.status.${status}`)}</Badge>;
}
