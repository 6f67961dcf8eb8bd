import type { ShopStore } from '@compliance/store/shop';
import { html } from 'hono/html';
import { alertSettingsOf, setAlertSettings } from './alert.ts';
import { messageLanguage, translate } from './messages.ts';
import type { UnsubscribeLinks } from './unsubscribe-link.ts';

/**
 * Serves the page behind an email's unsubscribe link. A GET request only shows a button, because mail scanners open
 * links automatically. A POST request turns the shop's alerts off. The page doesn't require a Shopify session.
 *
 * @example app.all(UNSUBSCRIBE_PATH, c => unsubscribePage(c.req.raw, { store, links, clock: Date.now }));
 */
export async function unsubscribePage(
  request: Request,
  {
    store,
    links,
    clock,
  }: { readonly store: ShopStore; readonly links: UnsubscribeLinks; readonly clock: () => number },
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const domain = searchParams.get('shop') ?? '';
  const shop = /^[a-z0-9][a-z0-9-]{0,99}\.myshopify\.com$/.test(domain) ? store.shop(domain) : null;
  const record = (await shop?.record()) ?? null;
  const { when, email } = alertSettingsOf(record);
  const isValid = email !== null && links.verify(searchParams.get('signature') ?? '', domain, email);
  const language = isValid ? (record?.settings.locale ?? record?.locale ?? null) : null;
  if (!isValid) return page(language, 'unsubscribePage.invalid', 404);
  if (request.method === 'POST') await setAlertSettings(shop!, { when: 'off', email }, clock());
  else if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { Allow: 'GET, POST' } });
  return page(
    language,
    request.method === 'POST' || when === 'off' ? 'unsubscribePage.done' : 'unsubscribePage.ask',
    200,
  );
}

async function page(language: string | null, message: string, status: number): Promise<Response> {
  const t = translate(language);
  const body = html`<!doctype html>
    <html lang="${messageLanguage(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>${t('unsubscribePage.title')}</title>
        <style>
          body {
            font: 16px/1.5 system-ui, sans-serif;
            max-width: 40rem;
            margin: 4rem auto;
            padding: 0 1rem;
          }
          button {
            font: inherit;
            padding: 0.5rem 1rem;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>${t('unsubscribePage.title')}</h1>
          <p>${t(message)}</p>
          ${message === 'unsubscribePage.ask' ? html`<form method="post"><button>${t('unsubscribePage.submit')}</button></form>` : ''}
        </main>
      </body>
    </html>`;
  return new Response(String(await body), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
    },
  });
}
