import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './kit/components.ts';
import { saveFile } from './save-file.ts';

/**
 * Renders a download button. A plain link inside the Shopify admin wouldn't include a session token. The button
 * downloads the file with `fetch`, because App Bridge adds the token to `fetch` requests. The button then passes the
 * file to the browser.
 */
export function DownloadButton({
  url,
  name,
  refusal,
  children,
}: {
  readonly url: string;
  readonly name: string;
  /** Message for the merchant if the file can't be created from this input. */
  readonly refusal?: string;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const response = await fetch(url);
      if (response.status === 422 && refusal) {
        shopify.toast.show(refusal, { isError: true });
        return;
      }
      if (!response.ok) throw new Error(`${response.status}`);
      saveFile(await response.blob(), name);
    } catch {
      shopify.toast.show(t('app.downloadFailed', { name }), { isError: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button onClick={download} loading={busy}>
      {children as string}
    </Button>
  );
}
