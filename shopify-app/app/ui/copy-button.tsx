import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './kit/components.ts';

/**
 * Copies text to the clipboard. The button's label changes briefly after the text is copied. If the browser doesn't
 * allow access to the clipboard, a toast asks the merchant to select and copy the text manually.
 */
export function CopyButton({
  text,
  onCopy,
  children,
}: {
  readonly text: string;
  readonly onCopy?: (() => void) | undefined;
  readonly children: string;
}) {
  const { t } = useTranslation();
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
      setTimeout(() => setIsCopied(false), 2_000);
    } catch {
      shopify.toast.show(t('app.copyFailed'), { isError: true });
    }
    onCopy?.();
  };
  return (
    <>
      <Button onClick={copy}>{isCopied ? t('app.copied') : children}</Button>
      <span role="status" className="Polaris-Text--visuallyHidden">
        {isCopied ? t('app.copied') : ''}
      </span>
    </>
  );
}
