import { useTranslation } from 'react-i18next';
import type { CatalogRow } from '../../../src/catalog/catalog.ts';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { useFormat } from '../../i18n/format.ts';
import { BlockStack, InlineStack, Link, Text } from '../../ui/kit/components.ts';
import { DutyEstimate } from './duty-estimate.tsx';
import { HtsDescription } from './hts-description.tsx';
import { listName } from './list-name.ts';
import { ProductImage } from './product-image.tsx';
import { StatusBadge } from './status-badge.tsx';

/** Renders a product's variants, under the product's title if there are several variants. */
export function ProductRows({
  rows,
  list,
}: {
  readonly rows: readonly [CatalogRow, ...CatalogRow[]];
  /** Query string of the list, which the variant's page uses for its previous and next links. */
  readonly list: string;
}) {
  const [first, ...more] = rows;
  if (more.length === 0) return <CatalogTableRow row={first} list={list} title={[first.product, first.variant]} />;
  return (
    <li style={{ borderBlockEnd: '1px solid var(--p-color-border-secondary)' }}>
      <div style={{ padding: 'var(--p-space-300) var(--p-space-400) 0', overflowWrap: 'anywhere' }}>
        <InlineStack gap="300" blockAlign="center" wrap={false}>
          <ProductImage url={first.image} />
          <Text as="h2" variant="headingSm">
            {bidiIsolate(first.product)}
          </Text>
        </InlineStack>
      </div>
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {rows.map(row => (
          <CatalogTableRow
            key={row.number}
            row={row}
            list={list}
            title={[row.variant ?? row.product]}
            product={row.product}
          />
        ))}
      </ul>
    </li>
  );
}

/** Renders a variant row with its HTS code, Section 232 result, and estimated duty. */
function CatalogTableRow({
  row,
  list,
  title,
  product,
}: {
  readonly row: CatalogRow;
  readonly list: string;
  readonly title: readonly (string | null)[];
  /** Product title to add before the row's title in the link's accessibility label. */
  readonly product?: string;
}) {
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
          {product === undefined && <ProductImage url={row.image} />}
          <Link
            url={`/app/catalog/${row.number}${list}`}
            accessibilityLabel={product && [product, ...title].filter(Boolean).join(' – ')}
          >
            <bdi style={{ overflowWrap: 'anywhere' }}>
              {title.flatMap(text => (text ? bidiIsolate(text) : [])).join(' – ')}
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
        <DutyEstimate {...row} />
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
        {row.description && (
          <Text as="p" tone="subdued" breakWord>
            <HtsDescription rows={row.description} />
          </Text>
        )}
        {(row.efiling === 'flagged' || row.efiling === 'includes_flagged') && (
          <Text as="p">{t(`catalog.efiling.row.${row.efiling}`)}</Text>
        )}
      </BlockStack>
    </li>
  );
}
