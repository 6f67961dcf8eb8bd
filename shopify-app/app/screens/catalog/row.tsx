import { useTranslation } from 'react-i18next';
import type { CatalogRow } from '../../../src/catalog/catalog.ts';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { useFormat } from '../../i18n/format.ts';
import { BlockStack, InlineStack, Link, Text } from '../../ui/kit/components.ts';
import { listName } from './list-name.ts';
import { StatusBadge } from './status-badge.tsx';

/** Renders a variant row with its HTS code and Section 232 result. */
export function CatalogTableRow({ row }: { readonly row: CatalogRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li
      style={{
        padding: 'var(--p-space-300) var(--p-space-400)',
        borderBlockEnd: '1px solid var(--p-color-border-secondary)',
      }}
    >
      <BlockStack gap="100">
        <InlineStack gap="200" blockAlign="center">
          <Link url={`/app/catalog/${row.number}`}>
            <bdi style={{ overflowWrap: 'anywhere' }}>
              {[row.product, row.variant].flatMap(text => (text ? bidiIsolate(text) : [])).join(' – ')}
            </bdi>
          </Link>
          <StatusBadge status={row.status} />
        </InlineStack>
        {row.listings.map(({ program, role, rate, depends }) => (
          <Text as="p" key={`${program} ${role}`}>
            {listName(t, { program, role })}
            {' · '}
            {rate === null
              ? t('catalog.rate.unknown')
              : t(depends ? 'catalog.rate.depends' : 'catalog.rate.short', { rate: format.number(rate) })}
          </Text>
        ))}
        <Text as="p" tone="subdued" breakWord>
          {[
            row.code === null ? t('catalog.noCode') : t('catalog.code', { code: row.code }),
            row.digits === 'short' && t('catalog.digits.short'),
            row.origin === null ? t('catalog.noOrigin') : t('catalog.origin', { origin: row.origin }),
            row.sku && t('catalog.sku', { sku: row.sku }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </BlockStack>
    </li>
  );
}
