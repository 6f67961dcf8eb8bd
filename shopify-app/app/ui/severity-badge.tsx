import { useTranslation } from 'react-i18next';
import { Badge } from './kit/badge.tsx';

const TONES = { error: 'critical', warn: 'warning', info: 'info' } as const;

/** Shows a finding's severity as a labeled, colored badge. */
export function SeverityBadge({ severity }: { readonly severity: keyof typeof TONES }) {
  const { t } = useTranslation();
  return <Badge tone={TONES[severity]}>{t(`app.severity.${severity}`)}</Badge>;
}
