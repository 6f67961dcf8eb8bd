import { Banner, BlockStack, Button, Card, Link, Page, Text } from '@shopify/polaris';
import { useTranslation } from 'react-i18next';
import type { CatalogView } from '../../../src/catalog/catalog.ts';
import { DownloadButton } from '../../document/download-button.tsx';
import { queryOf } from '../../document/query-of.ts';
import { useFormat } from '../../i18n/format.ts';
import { BetweenCards } from '../between-cards.tsx';
import { Coverage } from './coverage.tsx';
import { Filters } from './filters.tsx';
import { Progress } from './progress.tsx';
import { Row } from './row.tsx';

/** What the list needs besides what it shows. */
export interface CatalogProps extends CatalogView {
  readonly onRead: () => void;
  readonly onAsk: (asked: Partial<CatalogView['asked']>) => void;
  readonly starting: boolean;
}

const MILD = ['partial', 'lists_old', 'answers_old', 'throttled', 'unavailable', 'interrupted'];

/** Every variant of the store with its HTS code, and what the Section 232 lists say of it. */
export function Catalog({ onRead, onAsk, starting, ...view }: CatalogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { live, notices, everRead, changed, lists, asked, rows, next } = view;
  const isKnown = view.coverage.total > 0;
  const here = { ...asked, cursor: undefined };
  return (
    <Page
      title={t('app.nav.catalog')}
      subtitle={t('catalog.subtitle')}
      primaryAction={{
        content: t('catalog.readNow'),
        onAction: onRead,
        loading: starting,
        disabled: starting || live !== null,
      }}
      secondaryActions={[{ content: t('catalog.import.title'), url: '/app/catalog/import' }]}
    >
      <BlockStack gap="400">
        {notices.map(notice => (
          <Banner
            key={notice}
            tone={MILD.includes(notice) ? 'warning' : 'critical'}
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
          <Progress live={live} />
          {isKnown && <Coverage {...view} />}
          {!isKnown && (
            <Card>
              <Text as="p">{t(`catalog.empty.${live ? 'reading' : everRead ? 'none' : 'never'}`)}</Text>
            </Card>
          )}
        </div>
        {isKnown && <Filters key={asked.text ?? ''} asked={asked} onAsk={onAsk} />}
        {asked.changed && (
          <BetweenCards>
            <Text as="p">{t('catalog.changed.only', { version: lists.version })}</Text>
            <Link url="/app/catalog">{t('catalog.showAll')}</Link>
          </BetweenCards>
        )}
        {isKnown && rows.length === 0 && (
          <Card>
            <Text as="p">{t('catalog.empty.filter')}</Text>
          </Card>
        )}
        {rows.length > 0 && (
          <Card padding="0">
            <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
              {rows.map(row => (
                <Row key={row.number} row={row} />
              ))}
            </ul>
          </Card>
        )}
        <BetweenCards>
          {asked.cursor && <Link url={`/app/catalog${queryOf(here)}`}>{t('catalog.firstPage')}</Link>}
          {next && <Button url={`/app/catalog${queryOf({ ...asked, cursor: next })}`}>{t('catalog.nextPage')}</Button>}
          {rows.length > 0 && (
            <DownloadButton url={`/app/catalog-csv${queryOf(here)}`} name="catalog.csv">
              {t('catalog.download')}
            </DownloadButton>
          )}
        </BetweenCards>
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
