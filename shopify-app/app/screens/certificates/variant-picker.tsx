import { useTranslation } from 'react-i18next';
import type { VariantChoice, VariantChoices } from '../../../src/certificates/variants.ts';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { Banner, Button, ChoiceList, InlineStack, List, Text } from '../../ui/kit/components.ts';
import type { FieldContext } from './field.tsx';
import { FormSection } from './field-groups.tsx';
import { listAt, valueAt } from './fields.ts';

const PATH = 'product_info.variants';

/** Loads a product's variants. The router's fetchers implement this interface. */
export interface VariantSource {
  /** Undefined until the variants are loaded, or null if the product no longer exists. */
  readonly data?: VariantChoices | null | undefined;
  readonly state: 'idle' | 'submitting' | 'loading';
  readonly load: (url: string) => void;
}

/**
 * Lets the merchant choose the variants that a certificate covers. Selected variants that were removed from the product
 * stay in the list until the merchant clears them.
 */
export function VariantPicker({
  product,
  source,
  context,
}: {
  /** Numeric product ID. */
  readonly product: string;
  readonly source: VariantSource;
  readonly context: FieldContext;
}) {
  const { t } = useTranslation();
  const chosen = listAt(context.fields, PATH).map(variantIn);
  const { data } = source;
  const own = data?.variants ?? [];
  const shown = [...own.filter(canCover), ...chosen.filter(one => !own.some(other => isSame(one, other)))];
  const withoutIdentifier = own.filter(variant => !canCover(variant));
  const issue = context.issues.find(({ path }) => path.startsWith(PATH));
  const set = (next: readonly VariantChoice[]) => context.set(PATH, next);
  return (
    <FormSection name="variants">
      <div id={PATH} tabIndex={-1}>
        {shown.length > 0 && (
          <ChoiceList
            allowMultiple
            title={t('certificates.variants.title')}
            titleHidden
            error={issue && t(`certificates.fault.${issue.code}`)}
            choices={shown.map((variant, index) => ({ value: `${index}`, label: labelOf(variant) }))}
            selected={shown.flatMap((variant, index) => (chosen.some(one => isSame(one, variant)) ? [`${index}`] : []))}
            onChange={selected => set(shown.filter((_, index) => selected.includes(`${index}`)))}
          />
        )}
      </div>
      {withoutIdentifier.length > 0 && (
        <div>
          <Text as="p">{t('certificates.variants.noIdentifier')}</Text>
          <List>
            {withoutIdentifier.map((variant, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: these variants have no identifier, only a position
              <List.Item key={index}>{labelOf(variant)}</List.Item>
            ))}
          </List>
        </div>
      )}
      {data !== undefined && own.length === 0 && <Text as="p">{t('certificates.variants.none')}</Text>}
      {data?.isFromCatalog && <Banner tone="warning" title={t('certificates.variants.fromCatalog')} />}
      {data?.isCut && <Banner tone="warning" title={t('certificates.variants.cut')} />}
      <InlineStack gap="200">
        {data ? (
          own.length > withoutIdentifier.length && (
            <Button onClick={() => set(shown)}>{t('certificates.variants.all')}</Button>
          )
        ) : (
          <Button
            onClick={() => source.load(`/app/certificates-variants/${product}`)}
            loading={source.state !== 'idle'}
          >
            {t('certificates.variants.load')}
          </Button>
        )}
      </InlineStack>
    </FormSection>
  );
}

/** Returns a saved variant's text fields. A draft can contain invalid values, which are omitted. */
function variantIn(value: unknown): VariantChoice {
  const fields = ['name', 'sku', 'gtin'].flatMap(field => {
    const text = valueAt(value, field);
    return typeof text === 'string' ? [[field, text]] : [];
  });
  return Object.fromEntries(fields);
}

/** Returns whether a certificate can cover a variant. The variant needs a SKU or a GTIN. */
const canCover = ({ sku, gtin }: VariantChoice): boolean => Boolean(sku ?? gtin);

const isSame = (one: VariantChoice, other: VariantChoice): boolean =>
  one.name === other.name && one.sku === other.sku && one.gtin === other.gtin;

/** Joins a variant's title and identifiers. Abbreviations such as SKU are the same in all languages. */
const labelOf = ({ name, sku, gtin }: VariantChoice): string =>
  [name && bidiIsolate(name), sku && `SKU ${bidiIsolate(sku)}`, gtin && `GTIN ${gtin}`].filter(Boolean).join(' · ') ||
  '–';
