import { idToken } from '../admin/tokens.ts';

export const storeOf = (domain: string): string => domain.replace('.myshopify.com', '');

/** Returns the URL that the Shopify admin loads in the app's iframe, with or without a session token. */
export async function embeddedAppUrl(
  appUrl: string,
  domain: string,
  { path = '/app', locale = 'en', withToken = true }: { path?: string; locale?: string; withToken?: boolean } = {},
): Promise<string> {
  const address = new URL(path, appUrl);
  const host = Buffer.from(`admin.shopify.com/store/${storeOf(domain)}`)
    .toString('base64')
    .replace(/=+$/, '');
  const params = {
    embedded: '1',
    shop: domain,
    host,
    locale,
    session: 'fake',
    timestamp: String(Math.floor(Date.now() / 1000)),
    ...(withToken && { id_token: await idToken(domain) }),
  };
  for (const [name, value] of Object.entries(params)) address.searchParams.set(name, value);
  return address.href;
}
