import type { Api } from '@shopify/ui-extensions/admin.product-details.print-action.render';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { useProduct } from './backend/use-product.ts';
import { CertificateStatus } from './certificate/certificate-status.tsx';
import { FailureBanner } from './failure.tsx';
import { languageOf, productNumberOf } from './host.ts';

declare const shopify: Api;

/** Documents that the app prints. */
const DOCUMENTS = ['certificate', 'product_label', 'carton_label'] as const;

/** Renders the print action that a product's “Print” menu opens in the Shopify admin. */
export default function renderPrintAction(): void {
  render(<PrintAction host={shopify} />, document.body);
}

/** Props for the print action. */
interface PrintActionProps {
  readonly host: Api;
}

/** Prints the product's newest certificate, or a label with the certificate's identifier and QR code. */
function PrintAction({ host }: PrintActionProps) {
  const { i18n } = host;
  const product = productNumberOf(host);
  const { summary, failure, busy, retry } = useProduct(product, languageOf(host));
  const [chosen, setChosen] = useState<string>(DOCUMENTS[0]);
  const certificate = summary?.certificate ?? null;
  const canPrint = certificate !== null && certificate.id !== null;
  const path = `/app/extension/print/${product}?${new URLSearchParams({ document: chosen })}`;
  return (
    // Without `src`, Shopify disables the print button.
    <s-admin-print-action {...(canPrint && { src: path })}>
      <s-stack gap="base">
        {busy !== null && <s-spinner accessibilityLabel={i18n.translate('loading')} />}
        {failure !== null && <FailureBanner i18n={i18n} failure={failure} onRetry={retry} />}
        {canPrint && (
          <>
            <s-choice-list
              label={i18n.translate('print.document')}
              name="document"
              onChange={({ currentTarget }) => setChosen(currentTarget.values[0] ?? DOCUMENTS[0])}
            >
              {DOCUMENTS.map(document => (
                <s-choice key={document} value={document} selected={document === chosen}>
                  {i18n.translate(`print.${document}`)}
                </s-choice>
              ))}
            </s-choice-list>
            {chosen !== 'certificate' && <s-paragraph>{i18n.translate('print.actualSize')}</s-paragraph>}
            {certificate.status !== 'complete' && (
              <s-banner tone="warning" heading={i18n.translate(`print.warning.${certificate.status}`)} />
            )}
          </>
        )}
        {certificate?.id === null && (
          <s-banner tone="info" heading={i18n.translate('failure.no_certificate.title')}>
            <s-paragraph>{i18n.translate('failure.no_certificate.text')}</s-paragraph>
          </s-banner>
        )}
        {certificate && <CertificateStatus i18n={i18n} product={product} certificate={certificate} />}
      </s-stack>
    </s-admin-print-action>
  );
}
