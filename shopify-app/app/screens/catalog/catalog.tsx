import { useTranslation } from 'react-i18next';
import type { CatalogRow, CatalogView } from '../../../src/catalog/catalog.ts';
import { useFormat } from '../../i18n/format.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { InlineRow } from '../../ui/inline-row.tsx';
import { Banner, BlockStack, Button, Card, Link, Page, Text } from '../../ui/kit/components.ts';
import { queryString } from '../../ui/query-string.ts';
import { CatalogCoverageSection } from './coverage.tsx';
import { CatalogFilters } from './filters.tsx';
import { CatalogProgressBanner } from './progress.tsx';
import { ProductRows } from './row.tsx';

/** Data and callbacks for the catalog screen. */
export interface CatalogProps extends CatalogView {
  readonly onSync: () => void;
  readonly onFilter: (query: Partial<CatalogView['asked']>) => void;
  readonly starting: boolean;
}

const WARNINGS = ['partial', 'lists_old', 'answers_old', 'throttled', 'unavailable', 'interrupted'];

/** Lists the store's variants with their HTS codes and Section 232 results. */
export function CatalogScreen({ onSync, onFilter, starting, ...view }: CatalogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { live, notices, everRead, changed, lists, asked, rows, next } = view;
  const hasVariants = view.coverage.total > 0;
  const firstPage = { ...asked, cursor: undefined };
  return (
    <Page
      title={t('app.nav.catalog')}
      subtitle={t('catalog.subtitle')}
      primaryAction={{
        content: t('catalog.readNow'),
        onAction: onSync,
        loading: starting,
        disabled: starting || live !== null,
      }}
      secondaryActions={[
        { content: t('catalog.bulk.open'), url: '/app/catalog/bulk' },
        { content: t('catalog.import.title'), url: '/app/catalog/import' },
      ]}
    >
      <BlockStack gap="400">
        {notices.map(notice => (
          <Banner
            key={notice}
            tone={WARNINGS.includes(notice) ? 'warning' : 'critical'}
            title={t(`catalog.notices.${notice}.title`, { known: format.day(lists.knownThrough) })}
          >
            <p>{t(`catalog.notices.${notice}.text`)}</p>
          </Banner>
        ))}
        {changed.count > 0 && (
          <Banner title={t('catalog.changed.title', { count: changed.count, version: lists.version })} tone="info">
            <p>
              {changed.more && `${t('catalog.changed.more')} `}
              <Link url="/app/catalog?changed=yes">{t('catalog.changed.show')}</Link>
            </p>
          </Banner>
        )}
        <div>
          <CatalogProgressBanner live={live} />
          {hasVariants && <CatalogCoverageSection {...view} />}
          {!hasVariants && (
            <Card>
              <Text as="p">{t(`catalog.empty.${live ? 'reading' : everRead ? 'none' : 'never'}`)}</Text>
            </Card>
          )}
        </div>
        {hasVariants && <CatalogFilters key={asked.text ?? ''} asked={asked} onFilter={onFilter} />}
        {asked.changed && (
          <InlineRow>
            <Text as="p">{t('catalog.changed.only', { version: lists.version })}</Text>
            <Link url="/app/catalog">{t('catalog.showAll')}</Link>
          </InlineRow>
        )}
        {hasVariants && rows.length === 0 && (
          <Card>
            <Text as="p">{t('catalog.empty.filter')}</Text>
          </Card>
        )}
        {rows.length > 0 && (
          <Card padding="0">
            {!asked.changed && asked.sort !== 'title' && (
              <div style={{ padding: 'var(--p-space-300) var(--p-space-400) 0' }}>
                <Text as="p" tone="subdued">
                  {t('catalog.duty.basis')}
                </Text>
              </div>
            )}
            <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
              {byProduct(rows).map(group => (
                <ProductRows key={group[0].number} rows={group} list={queryString(firstPage)} />
              ))}
            </ul>
          </Card>
        )}
        <InlineRow>
          {asked.cursor && <Link url={`/app/catalog${queryString(firstPage)}`}>{t('catalog.firstPage')}</Link>}
          {next && (
            <Button url={`/app/catalog${queryString({ ...asked, cursor: next })}`}>{t('catalog.nextPage')}</Button>
          )}
          {rows.length > 0 && (
            <DownloadButton url={`/app/catalog-csv${queryString(firstPage)}`} name="catalog.csv">
              {t('catalog.download')}
            </DownloadButton>
          )}
        </InlineRow>
        <Card>
          <BlockStack gap="200">
            <Text as="h2" variant="headingMd">
              {t('catalog.setting.title')}
            </Text>
            <Text as="p">{t('catalog.setting.text')}</Text>
            <Link url="https://help.shopify.com/en/manual/international/duties-and-import-taxes" external>
              {t('catalog.setting.link')}
            </Link>
          </BlockStack>
        </Card>
      </BlockStack>
    </Page>
  );
}

/** Groups adjacent rows for the same product. */
function byProduct(rows: readonly CatalogRow[]): [CatalogRow, ...CatalogRow[]][] {
  const groups: [CatalogRow, ...CatalogRow[]][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0].productId === row.productId) last.push(row);
    else groups.push([row]);
  }
  return groups;
}
