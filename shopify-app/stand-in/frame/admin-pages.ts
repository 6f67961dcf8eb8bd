import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { parse } from 'smol-toml';
import { merchantOf } from '../acts.ts';
import { API_KEY, idToken } from '../admin/tokens.ts';
import { numberOf } from '../shop/shop.ts';
import type { StandIn } from '../stand-in.ts';
import { adminPage, elsewhere, themeEditor } from './admin-page.ts';
import { addressOfApp, storeOf } from './frame.ts';

/** What the app declares to Shopify. */
const declared = parse(readFileSync(join(import.meta.dirname, '../../shopify.app.toml'), 'utf8')) as unknown as {
  access_scopes: { scopes: string; optional_scopes: string[] };
};
const REQUIRED = declared.access_scopes.scopes.split(',');
const OPTIONAL = declared.access_scopes.optional_scopes;

/**
 * Shopify's admin as far as the app meets it. `?no_token=1` frames the app without a session token, `?locale=de` in another
 * language.
 *
 * @example
 * standIn.serveAdmin(adminPages(standIn, { appUrl: app.url }));
 */
export function adminPages(standIn: StandIn, { appUrl }: { readonly appUrl: string }): Hono {
  const app = new Hono();
  const shopOf = (store: string) => standIn.shops.get(`${store}.myshopify.com`);

  app.get('/', c => c.redirect(`/store/${storeOf([...standIn.shops.keys()][0] ?? '')}`));
  app.get('/stand-in/admin.js', c =>
    c.body(readFileSync(join(import.meta.dirname, 'admin.js'), 'utf8'), 200, { 'content-type': 'text/javascript' }),
  );
  app.get('/store/:store', async c => await framed(c.req.param('store'), API_KEY, c.req.url));
  app.get(
    '/store/:store/apps/:key{[^/]+}/*',
    async c => await framed(c.req.param('store'), c.req.param('key'), c.req.url),
  );
  app.get('/store/:store/apps/:key', async c => await framed(c.req.param('store'), c.req.param('key'), c.req.url));
  const themeOf = (store: string, number: string) => shopOf(store)?.themes.find(({ id }) => numberOf(id) === number);
  app.get('/store/:store/themes/:theme', c => {
    const theme = themeOf(c.req.param('store'), c.req.param('theme'));
    if (!theme) return c.html(elsewhere(c.req.path, c.req.param('store')), 404);
    return c.html(themeEditor(c.req.param('store'), theme, c.req.query('key') ?? ''));
  });
  app.post('/store/:store/themes/:theme', async c => {
    const { code } = await c.req.parseBody();
    const files = themeOf(c.req.param('store'), c.req.param('theme'))?.files;
    const file = c.req.query('key') ?? '';
    // A form sends its lines with another end than a file has.
    if (files?.has(file) && typeof code === 'string') files.set(file, code.replaceAll('\r\n', '\n'));
    const { search } = new URL(c.req.url);
    return c.html(
      `<script>location.replace(${JSON.stringify(`${c.req.path}${search}`).replaceAll('<', '\\u003c')})</script>`,
    );
  });
  app.get('/store/:store/*', c =>
    c.html(elsewhere(new URL(c.req.url).pathname + new URL(c.req.url).search, c.req.param('store'))),
  );

  async function framed(store: string, key: string, url: string): Promise<Response> {
    const shop = shopOf(store);
    const html = { headers: { 'content-type': 'text/html; charset=utf-8' } };
    if (!shop || key !== API_KEY)
      return new Response(elsewhere(new URL(url).pathname, store), { ...html, status: 404 });
    const { pathname, searchParams } = new URL(url);
    const { locale = 'en', no_token: noToken, ...rest } = Object.fromEntries(searchParams);
    const below = pathname.slice(`/store/${store}/apps/${key}`.length) || '/';
    const path = `${below}?${new URLSearchParams(rest)}`;
    const address = await addressOfApp(appUrl, shop.domain, { path, locale, withToken: !noToken });
    const settings = { shop: shop.domain, store, apiKey: API_KEY, appUrl: new URL(appUrl).origin };
    return new Response(adminPage(shop.name, address, settings), html);
  }

  app.post('/stand-in/token', async c => c.json({ token: await idToken((await asked(c.req.raw)).shop) }));
  app.post('/stand-in/address', async c => {
    const { shop, path = '/', locale = 'en' } = await asked(c.req.raw);
    return c.json({ address: await addressOfApp(appUrl, shop, { path, locale }) });
  });
  app.post('/stand-in/scopes', async c => {
    const { shop: domain, grant = [], revoke = [] } = await asked(c.req.raw);
    const merchant = merchantOf(standIn, domain, appUrl);
    if (grant.length > 0) await merchant.grant(...grant);
    for (const scope of revoke.filter(one => OPTIONAL.includes(one))) await merchant.revokeScope(scope);
    return c.json({ granted: [...standIn.shops.get(domain)!.scopes], required: REQUIRED, optional: OPTIONAL });
  });
  app.post('/stand-in/products', async c => {
    const { shop, query = '' } = await asked(c.req.raw);
    const products = standIn.shops.get(shop)?.products ?? [];
    return c.json({ products: products.filter(({ title }) => title.toLowerCase().includes(query.toLowerCase())) });
  });
  return app;
}

interface AskedOfAdmin {
  readonly shop: string;
  readonly grant?: readonly string[];
  readonly revoke?: readonly string[];
  readonly query?: string;
  readonly path?: string;
  readonly locale?: string;
}

const asked = async (request: Request): Promise<AskedOfAdmin> => (await request.json()) as AskedOfAdmin;
