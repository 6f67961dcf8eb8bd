import { useTranslation } from 'react-i18next';
import type { HomeView } from '../../../src/home/home.ts';
import { useFormat } from '../../i18n/format.ts';
import { BlockStack, Card, Text } from '../../ui/kit/components.ts';

/** Shows the last scan's score and the reasons for any change since the previous scan. */
export function Score({ value, before, moved }: HomeView['score']) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          {t('home.score.title')}
        </Text>
        <Text as="p" variant="heading2xl">
          {value === null ? '–' : t('home.score.of', { score: format.number(value) })}
        </Text>
        {value === null && <Text as="p">{t('home.score.none')}</Text>}
        {value !== null && before === null && <Text as="p">{t('home.score.first')}</Text>}
        {value !== null && before !== null && (
          <Text as="p">
            {value === before
              ? t('home.score.same')
              : t('home.score.changed', { count: Math.abs(value - before), points: format.signed(value - before) })}
          </Text>
        )}
        {moved.slice(0, 4).map(({ ruleId, title, points }) => (
          <Text as="p" key={ruleId ?? 'caps'} tone="subdued">
            {format.signed(points)} {title ?? t('home.score.caps')}
          </Text>
        ))}
      </BlockStack>
    </Card>
  );
}
