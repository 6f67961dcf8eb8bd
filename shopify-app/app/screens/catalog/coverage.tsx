import { useTranslation } from 'react-i18next';
import type { CatalogView } from '../../../src/catalog/catalog.ts';
import { useFormat } from '../../i18n/format.ts';
import { BlockStack, Card, Link, Text } from '../../ui/kit/components.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';

/** Shows how many variants have a Section 232 result and why the other variants don't. */
export function CatalogCoverageSection({
  coverage,
  lists,
  edition,
  flagsAsOf,
}: Pick<CatalogView, 'coverage' | 'lists' | 'edition' | 'flagsAsOf'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const { total, products, answered, listed, missing, short, invalid } = coverage;
  const withoutResult = [
    ['missing', missing, 'status=missing'],
    ['short', short, 'status=needs_digits'],
    ['invalid', invalid, 'status=invalid'],
  ] as const;
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd" id="catalog-coverage">
          {t('catalog.coverage.title', { answered: format.number(answered), total: format.number(total) })}
        </Text>
        <ProgressBar percent={total === 0 ? 0 : Math.floor((answered / total) * 100)} labelledBy="catalog-coverage" />
        <Text as="p">
          {t('catalog.coverage.listed', { count: listed })} {t('catalog.coverage.products', { count: products })}
        </Text>
        {withoutResult.map(
          ([name, count, query]) =>
            count > 0 && (
              <Text as="p" key={name}>
                <Link url={`/app/catalog?${query}`}>{t(`catalog.coverage.${name}`, { count })}</Link>
              </Text>
            ),
        )}
        {answered < total && (
          <Text as="p" tone="subdued">
            {t('catalog.coverage.unknown')}
          </Text>
        )}
        <Text as="p" tone="subdued">
          {t('catalog.lists', { version: lists.version, known: format.day(lists.knownThrough) })}{' '}
          {edition === null ? t('catalog.descriptions.notLoaded') : t('catalog.descriptions.edition', { edition })}{' '}
          {flagsAsOf === null
            ? t('catalog.efiling.notLoaded')
            : t('catalog.efiling.list', { date: format.day(flagsAsOf) })}
        </Text>
      </BlockStack>
    </Card>
  );
}
