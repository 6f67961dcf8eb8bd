import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HomeView } from '../../../src/home/home.ts';
import { useFormat } from '../../i18n/format.ts';
import { BlockStack, Card, Link, Text } from '../../ui/kit/components.ts';

/** Shows one linked metric for each area of the app. */
export function HomeMetrics({
  verdict: { unknown },
  findings,
  catalog,
  certificates,
}: Pick<HomeView, 'verdict' | 'findings' | 'catalog' | 'certificates'>) {
  const { t } = useTranslation();
  const format = useFormat();
  // Without a successful scan, a count of zero findings would be misleading.
  const reason = findings.open === 0 && unknown.find(area => area === 'unscanned' || area === 'storefront');
  return (
    <>
      <Metric
        title={t('home.metrics.findings')}
        url="/app/findings"
        number={reason ? '–' : format.number(findings.open)}
      >
        {reason
          ? t(`home.unknown.${reason}`)
          : findings.since === null
            ? t('home.metrics.findingsFirst')
            : findings.since === 0
              ? t('home.metrics.findingsSame')
              : t('home.metrics.findingsSince', { change: format.signed(findings.since) })}
      </Metric>
      <Metric
        title={t('home.metrics.catalog')}
        url="/app/catalog"
        number={catalog.total === 0 ? '–' : `${format.number(catalog.decided)} / ${format.number(catalog.total)}`}
      >
        {catalog.total === 0
          ? t('home.metrics.catalogNone')
          : t('home.metrics.catalogOnList', { count: catalog.onList })}
      </Metric>
      <Metric
        title={t('home.metrics.certificates')}
        url="/app/certificates"
        number={format.number(certificates.issued)}
      >
        {catalog.total === 0
          ? t('home.metrics.catalogNone')
          : t('home.metrics.certificatesWithout', { count: certificates.without })}
      </Metric>
    </>
  );
}

function Metric({
  title,
  url,
  number,
  children,
}: {
  readonly title: string;
  readonly url: string;
  readonly number: string;
  readonly children: ReactNode;
}) {
  return (
    <Card>
      <BlockStack gap="100">
        <Text as="h2" variant="headingSm">
          <Link url={url} removeUnderline>
            {title}
          </Link>
        </Text>
        <Text as="p" variant="headingXl">
          {number}
        </Text>
        <Text as="p" tone="subdued">
          {children}
        </Text>
      </BlockStack>
    </Card>
  );
}
