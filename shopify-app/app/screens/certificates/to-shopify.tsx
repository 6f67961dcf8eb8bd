import { Banner, BlockStack, Button, Card, InlineStack, Text } from '@shopify/polaris';
import { useTranslation } from 'react-i18next';
import type { Put } from '../../../src/certificates/to-shopify.ts';

/** What putting a certificate into Shopify needs. */
export interface ToShopifyProps {
  readonly certificate: string;
  /** What came of the last try, perhaps with the certificate before this one. */
  readonly outcome: Put | null;
  /** Whether the merchant said no when the app asked whether it may. */
  readonly declined: boolean;
  readonly busy: boolean;
  readonly onPut: (fields: { readonly certificate: string; readonly file: string }) => void;
}

/** Puts the PDF of a certificate into Shopify's Files and links it to the product, for who wants that. */
export function ToShopify({ certificate, outcome, declined, busy, onPut }: ToShopifyProps) {
  const { t } = useTranslation();
  const own = outcome?.certificate === certificate ? outcome : null;
  const isThere = own?.fault === null;
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
          ) : isThere ? (
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
