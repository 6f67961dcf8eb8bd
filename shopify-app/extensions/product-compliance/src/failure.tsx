import type { Failure } from './backend/backend.ts';
import { appPage, type I18n } from './host.ts';

/** Props for a failure message. */
interface FailureBannerProps {
  readonly i18n: I18n;
  readonly failure: Failure;
  readonly onRetry: () => void;
}

/** Failures that the merchant can resolve by opening the app. */
const NEEDS_APP: readonly Failure[] = ['revoked', 'forbidden'];

/** Explains why a request failed and how the merchant can resolve the problem. */
export function FailureBanner({ i18n, failure, onRetry }: FailureBannerProps) {
  const isUnknown = failure === 'unknown_product';
  return (
    <s-banner tone={isUnknown ? 'info' : 'critical'} heading={i18n.translate(`failure.${failure}.title`)}>
      <s-stack gap="small">
        <s-paragraph>{i18n.translate(`failure.${failure}.text`)}</s-paragraph>
        {NEEDS_APP.includes(failure) && <s-link href={appPage('/app')}>{i18n.translate('openApp')}</s-link>}
        {!isUnknown && <s-button onClick={onRetry}>{i18n.translate('retry')}</s-button>}
      </s-stack>
    </s-banner>
  );
}
