import { Button } from '@shopify/polaris';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * A download. Inside Shopify's admin a plain link would come without the session token, so the file is fetched, which App
 * Bridge signs, and then handed to the browser.
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
      const address = URL.createObjectURL(await response.blob());
      const link = Object.assign(document.createElement('a'), { href: address, download: name });
      link.click();
      URL.revokeObjectURL(address);
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
