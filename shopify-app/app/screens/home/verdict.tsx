import { BlockStack, Card, Text } from '@shopify/polaris';
import { useTranslation } from 'react-i18next';
import type { HomeView } from '../../../src/home/home.ts';
import { useFormat } from '../../i18n/format.ts';

/** How the store stands, in a sentence with its date. */
export function Verdict({ verdict, timeZone, now }: Pick<HomeView, 'verdict' | 'timeZone' | 'now'>) {
  const { t } = useTranslation();
  const format = useFormat(timeZone);
  const { kind, needs, urgent, at, theme } = verdict;
  return (
    <Card>
      <BlockStack gap="100">
        <Text as="h2" variant="headingLg">
          {kind === 'urgent' || kind === 'attention'
            ? [t('home.verdict.needs', { count: needs }), urgent > 0 ? t('home.verdict.urgent', { count: urgent }) : '']
                .join(' ')
                .trim()
            : t(`home.verdict.${kind}`)}
        </Text>
        {at !== null && (
          <Text as="p" tone="subdued">
            {t('home.verdict.scanned', { ago: format.ago(at, now), at: format.dateTime(at) })}
            {theme && ` ${t('home.verdict.theme', { theme })}`}
          </Text>
        )}
      </BlockStack>
    </Card>
  );
}
