import type { Api } from '@shopify/ui-extensions/admin.product-details.action.render';
import { render } from 'preact';
import { useProduct } from './backend/use-product.ts';
import { CertificateStatus } from './certificate/certificate-status.tsx';
import { FailureBanner } from './failure.tsx';
import { languageOf, productNumberOf } from './host.ts';
import { VariantResults } from './tariff/variant-results.tsx';

declare const shopify: Api;

/** Renders the action that's opened from a product's “More actions” menu in the Shopify admin. */
export default function renderAction(): void {
  render(<Action host={shopify} />, document.body);
}

/** Props for the action. */
interface ActionProps {
  readonly host: Api;
}

/** Checks a product's codes or drafts a certificate for the product. */
function Action({ host }: ActionProps) {
  const { i18n } = host;
  const product = productNumberOf(host);
  const { summary, failure, busy, last, run, retry } = useProduct(product, languageOf(host));
  const done = failure === null && busy === null && last !== 'load' ? last : null;
  const isReplacement = summary !== null && summary.certificate.id !== null;
  return (
    <s-admin-action heading={i18n.translate('action.heading')} loading={busy === 'load'}>
      <s-stack gap="base">
        {busy === 'load' && <s-spinner accessibilityLabel={i18n.translate('loading')} />}
        {done !== null && (
          <s-banner tone="info" heading={i18n.translate(`action.done.${done}.title`)}>
            <s-paragraph>{i18n.translate(`action.done.${done}.text`)}</s-paragraph>
          </s-banner>
        )}
        {failure !== null && <FailureBanner i18n={i18n} failure={failure} onRetry={retry} />}
        {summary && (
          <>
            <VariantResults i18n={i18n} summary={summary} />
            <CertificateStatus i18n={i18n} product={product} certificate={summary.certificate} />
          </>
        )}
      </s-stack>
      <s-button
        slot="primary-action"
        variant="primary"
        loading={busy === 'check'}
        disabled={busy !== null}
        onClick={() => run('check')}
      >
        {i18n.translate('action.check')}
      </s-button>
      {summary && !summary.certificate.hasDraft && (
        <s-button
          slot="secondary-actions"
          loading={busy === 'draft'}
          disabled={busy !== null}
          onClick={() => run('draft')}
        >
          {i18n.translate(isReplacement ? 'action.draftReplacement' : 'action.draft')}
        </s-button>
      )}
      <s-button slot="secondary-actions" onClick={() => host.close()}>
        {i18n.translate('action.close')}
      </s-button>
    </s-admin-action>
  );
}
