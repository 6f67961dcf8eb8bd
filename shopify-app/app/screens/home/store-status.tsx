import { useTranslation } from 'react-i18next';
import type { HomeView } from '../../../src/home/home.ts';
import { useFormat } from '../../i18n/format.ts';
import { BlockStack, Card, Text } from '../../ui/kit/components.ts';

/** Shows a one-line summary of the store's status, the time of the last scan, and any gaps in the data. */
export function StoreStatus({
  verdict,
  knownThrough,
  inbox,
  timeZone,
  now,
}: Pick<HomeView, 'verdict' | 'knownThrough' | 'inbox' | 'timeZone' | 'now'>) {
  const { t } = useTranslation();
  const format = useFormat(timeZone);
  const { kind, needs, urgent, at, theme, unknown } = verdict;
  const all = t('home.verdict.needs', { count: needs });
  const issues =
    urgent === 0
      ? all
      : urgent === needs
        ? t('home.verdict.allUrgent', { count: urgent })
        : t('home.verdict.urgent', { needs: all, count: urgent });
  return (
    <Card>
      <BlockStack gap="100">
        <Text as="h2" variant="headingLg">
          {kind === 'urgent' || kind === 'attention' ? issues : t(`home.verdict.${kind}`, { count: inbox.length })}
        </Text>
        {at !== null && (
          <Text as="p" tone="subdued">
            {t('home.verdict.scanned', { ago: format.ago(at, now), at: format.dateTime(at) })}
            {theme && ` ${t('home.verdict.theme', { theme })}`}
          </Text>
        )}
        {unknown.map(area => (
          <Text key={area} as="p" tone="subdued">
            {t(`home.unknown.${area}`, { known: format.day(knownThrough) })}
          </Text>
        ))}
      </BlockStack>
    </Card>
  );
}
