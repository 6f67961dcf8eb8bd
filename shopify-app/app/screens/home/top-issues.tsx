import { BlockStack, Card, InlineStack, Link, Text } from '@shopify/polaris';
import { useTranslation } from 'react-i18next';
import type { HomeView } from '../../../src/home/home.ts';
import { SeverityBadge } from '../../ui/severity-badge.tsx';

/** Lists the issues to fix first, or the scan coverage if the store has no issues. */
export function TopIssues({ first, verdict, checked }: Pick<HomeView, 'first' | 'verdict' | 'checked'>) {
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
