import { BlockStack, Card, InlineStack, Link, Text } from '@shopify/polaris';
import { useTranslation } from 'react-i18next';
import type { HomeView } from '../../../src/home/home.ts';
import { SeverityBadge } from '../severity-badge.tsx';

/** The five things to do first, or what was checked when there is nothing to do. */
export function FirstThings({ first, verdict, checked }: Pick<HomeView, 'first' | 'verdict' | 'checked'>) {
  const { t } = useTranslation();
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('home.first.title')}
        </Text>
        {first.length === 0 && (
          <Text as="p">
            {verdict.kind === 'clear' && checked
              ? t('home.first.nothing', { pages: checked.pages, files: checked.files })
              : t('home.first.empty')}
          </Text>
        )}
        {first.map(({ fingerprint, severity, title, place, regressed }) => (
          <BlockStack key={fingerprint} gap="100">
            <InlineStack gap="200" blockAlign="center">
              <SeverityBadge severity={severity} />
              <Link url={`/app/findings/${fingerprint}`}>{title}</Link>
            </InlineStack>
            <Text as="p" tone="subdued" breakWord>
              {[place, regressed && t('home.first.regressed')].filter(Boolean).join(' · ')}
            </Text>
          </BlockStack>
        ))}
      </BlockStack>
    </Card>
  );
}
