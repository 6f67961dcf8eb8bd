import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProductView } from '../../../src/certificates/product.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { BlockStack, Card, InlineGrid, InlineStack, Select, Text } from '../../ui/kit/components.ts';

/** Options for printing a label, with the default first. */
export const LABEL_OPTIONS = {
  size: ['carton', 'product'],
  file: ['pdf', 'svg', 'zpl'],
  dpi: ['203', '300'],
} as const;

const FIELDS = Object.keys(LABEL_OPTIONS) as (keyof typeof LABEL_OPTIONS)[];

/** Lets the merchant download labels with a certificate's identifier and QR code. */
export function Labels({ certificate: { id, kind } }: { readonly certificate: NonNullable<ProductView['current']> }) {
  const { t } = useTranslation();
  const [format, setFormat] = useState<Readonly<Record<(typeof FIELDS)[number], string>>>({
    ...{ size: LABEL_OPTIONS.size[0], file: LABEL_OPTIONS.file[0], dpi: LABEL_OPTIONS.dpi[0] },
  });
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('certificates.labels.title')}
        </Text>
        <Text as="p">{t('certificates.labels.text')}</Text>
        <InlineGrid columns={{ xs: 1, sm: 3 }} gap="300">
          {FIELDS.map(field => (
            <Select
              key={field}
              label={t(`certificates.labels.${field}`)}
              options={LABEL_OPTIONS[field].map(value => ({ value, label: t(`certificates.labels.options.${value}`) }))}
              value={format[field]}
              onChange={value => setFormat({ ...format, [field]: value })}
            />
          ))}
        </InlineGrid>
        <InlineStack gap="300">
          <DownloadButton
            url={`/app/certificates-label/${id}?${new URLSearchParams(format)}`}
            name={`label-${id}.${format.file}`}
            refusal={t('certificates.labels.tooSmall')}
          >
            {t('certificates.labels.download')}
          </DownloadButton>
          {kind === 'CPC' && (
            <DownloadButton url={`/app/certificates-tracking-label/${id}`} name={`tracking-label-${id}.pdf`}>
              {t('certificates.labels.tracking')}
            </DownloadButton>
          )}
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
