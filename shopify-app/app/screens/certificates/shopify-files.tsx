import { useTranslation } from 'react-i18next';
import type { UploadResult } from '../../../src/certificates/upload-to-shopify.ts';
import { Banner, BlockStack, Button, Card, InlineStack, Text } from '../../ui/kit/components.ts';

/** State and callback for the Shopify Files card. */
export interface ShopifyFilesProps {
  readonly certificate: string;
  /** Result of the most recent upload, which might have been for the previous certificate. */
  readonly outcome: UploadResult | null;
  /** Whether the merchant declined the permission request. */
  readonly declined: boolean;
  readonly busy: boolean;
  readonly onPut: (fields: { readonly certificate: string; readonly file: string }) => void;
}

/** Lets the merchant add a certificate PDF to Shopify Files and link it to the product. */
export function ShopifyFiles({ certificate, outcome, declined, busy, onPut }: ShopifyFilesProps) {
  const { t } = useTranslation();
  const own = outcome?.certificate === certificate ? outcome : null;
  const isUploaded = own?.fault === null;
  const fault = own?.fault ?? null;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('certificates.toShopify.title')}
        </Text>
        <Text as="p">{t('certificates.toShopify.text')}</Text>
        <div aria-live="polite">
          {busy ? (
            <Text as="p">{t('certificates.toShopify.busy')}</Text>
          ) : declined ? (
            <Banner tone="warning" title={t('certificates.toShopify.declined')} />
          ) : isUploaded ? (
            <Banner tone="success" title={t('certificates.toShopify.done')} />
          ) : (
            fault && (
              <Banner
                tone={fault === 'processing' ? 'info' : 'critical'}
                title={t(`certificates.toShopify.faults.${fault}`)}
              >
                {own?.message && (
                  <Text as="p" breakWord>
                    {own.message}
                  </Text>
                )}
              </Banner>
            )
          )}
        </div>
        <InlineStack>
          <Button loading={busy} onClick={() => onPut({ certificate, file: own?.file ?? '' })}>
            {t('certificates.toShopify.submit')}
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
