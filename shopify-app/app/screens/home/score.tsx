import { useTranslation } from 'react-i18next';
import type { HomeView } from '../../../src/home/home.ts';
import { useFormat } from '../../i18n/format.ts';
import { BlockStack, Card, Link, Text } from '../../ui/kit/components.ts';

/** Shows the last scan's score and up to four reasons for a change since the previous complete scan. */
export function Score({ value, before, moved, browser, timeZone }: HomeView['score'] & Pick<HomeView, 'timeZone'>) {
  const { t } = useTranslation();
  const format = useFormat(timeZone);
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          {t('home.score.title')}
        </Text>
        <Text as="p" variant="heading2xl">
          {value === null ? '–' : t('home.score.of', { score: format.number(value) })}
        </Text>
        {browser && (
          <>
            <Text as="p" tone="subdued">
              {t('home.score.static')}
            </Text>
            <Link url="/app/browser-check">
              {t('home.score.browser', { date: format.date(browser.at), score: format.number(browser.score) })}
            </Link>
          </>
        )}
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
