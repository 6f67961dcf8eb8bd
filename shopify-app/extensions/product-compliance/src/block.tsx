import type { Api } from '@shopify/ui-extensions/admin.product-details.block.render';
import { render } from 'preact';
import type { ProductSummary } from '../../../src/product-extensions/contract.ts';
import { useProduct } from './backend/use-product.ts';
import { CertificateStatus, statusText } from './certificate/certificate-status.tsx';
import { FailureBanner } from './failure.tsx';
import { type I18n, languageOf, productNumberOf } from './host.ts';
import { VariantResults } from './tariff/variant-results.tsx';

declare const shopify: Api;

/** Renders the block on a product's page in the Shopify admin. */
export default function renderBlock(): void {
  render(<Block host={shopify} />, document.body);
}

/** Props for the block. */
interface BlockProps {
  readonly host: Api;
}

/** Shows a product's Section 232 status and its newest certificate. */
function Block({ host }: BlockProps) {
  const { i18n } = host;
  const product = productNumberOf(host);
  const { summary, failure, busy, retry } = useProduct(product, languageOf(host));
  return (
    <s-admin-block heading={i18n.translate('heading')} collapsedSummary={summary ? collapsed(i18n, summary) : ''}>
      <s-stack gap="base">
        {busy !== null && <s-spinner accessibilityLabel={i18n.translate('loading')} />}
        {failure !== null && <FailureBanner i18n={i18n} failure={failure} onRetry={retry} />}
        {summary && (
          <>
            <VariantResults i18n={i18n} summary={summary} />
            <CertificateStatus i18n={i18n} product={product} certificate={summary.certificate} />
          </>
        )}
        {busy === null && (
          <s-button onClick={() => host.navigation.navigate('extension://compliance-action')}>
            {i18n.translate('block.act')}
          </s-button>
        )}
      </s-stack>
    </s-admin-block>
  );
}

/** Describes the product in one line. The most serious variant result comes first. */
function collapsed(i18n: I18n, { groups, certificate }: ProductSummary): string {
  const coverages = [...new Set(groups.map(({ coverage }) => coverage))];
  return i18n.translate('collapsed', {
    tariff: coverages.map(coverage => i18n.translate(`coverage.${coverage}`)).join(i18n.translate('comma')),
    certificate: statusText(i18n, certificate),
  });
}
