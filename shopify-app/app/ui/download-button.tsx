import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './kit/components.ts';

/**
 * Renders a download button. A plain link inside the Shopify admin wouldn't include a session token. The button downloads
 * the file with `fetch`, because App Bridge adds the token to `fetch` requests. The button then passes the file to the
 * browser.
 */
export function DownloadButton({
  url,
  name,
  children,
}: {
  readonly url: string;
  readonly name: string;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${response.status}`);
      const objectUrl = URL.createObjectURL(await response.blob());
      const link = Object.assign(document.createElement('a'), { href: objectUrl, download: name });
      link.click();
      URL.revokeObjectURL(objectUrl);
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
