import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { parse } from 'smol-toml';
import { API_KEY, idToken } from '../admin/tokens.ts';
import { type Extension, readExtensions } from '../extensions/extension.ts';
import { extensionPages } from '../extensions/extension-pages.ts';
import type { FakeShopify } from '../fake-shopify.ts';
import { HOSTS } from '../hosts.ts';
import { merchantActions } from '../merchant-actions.ts';
import { numberOf } from '../shop/shop.ts';
import { adminPage, otherPage, pricingPage, productPage, themeEditor } from './admin-page.ts';
import { embeddedAppUrl, storeOf } from './frame.ts';

/** App folder, which contains the configuration that is registered with Shopify. */
const APP = join(import.meta.dirname, '../../../../../shopify-app');
const declared = parse(readFileSync(join(APP, 'shopify.app.toml'), 'utf8')) as unknown as {
  access_scopes: { scopes: string; optional_scopes: string[] };
};
const REQUIRED = declared.access_scopes.scopes.split(',');
const OPTIONAL = declared.access_scopes.optional_scopes;

/** The app's plans. In Shopify, the operator defines them in the Partner Dashboard. */
const PLANS = ['Starter', 'Pro'];

/** App page that Shopify's pricing page returns to. In Shopify, the operator sets this welcome link for each plan. */
const WELCOME_LINK = '/app/settings?plan=chosen';

/** Options for the admin. */
export interface AdminOptions {
  readonly appUrl: string;
  /** Origin of the admin. */
  readonly adminUrl?: string;
  /** Origin of the frames that run the app's extensions. */
  readonly extensionsUrl?: string;
  /** The app's admin UI extensions. Defaults to the extensions in this repository. */
  readonly extensions?: readonly Extension[];
}

/**
 * Creates the parts of the Shopify admin that the app needs. `?no_token=1` opens the app without a session token, and
 * `?locale=de` opens the app or a product's page in German.
 *
 * @example
 * fakeShopify.serveAdmin(adminPages(fakeShopify, { appUrl: app.url }));
 */
export function adminPages(
  fakeShopify: FakeShopify,
  {
    appUrl,
    adminUrl = `https://${HOSTS.admin}`,
    extensionsUrl = `https://${HOSTS.extensions}`,
    extensions = readExtensions(join(APP, 'extensions')),
  }: AdminOptions,
): Hono {
  const app = new Hono();
  const shopOf = (store: string) => fakeShopify.shops.get(`${store}.myshopify.com`);

  app.get('/', c => c.redirect(`/store/${storeOf([...fakeShopify.shops.keys()][0] ?? '')}`));
  for (const script of ['admin.js', 'product-page.js'])
    app.get(`/fake-shopify/${script}`, c =>
      c.body(readFileSync(join(import.meta.dirname, script), 'utf8'), 200, { 'content-type': 'text/javascript' }),
    );
  app.route('/fake-shopify/extensions', extensionPages(extensions, { appUrl, adminUrl }));
  app.get('/store/:store', async c => await appPage(c.req.param('store'), API_KEY, c.req.url));
  app.get(
    '/store/:store/apps/:key{[^/]+}/*',
    async c => await appPage(c.req.param('store'), c.req.param('key'), c.req.url),
  );
  app.get('/store/:store/apps/:key', async c => await appPage(c.req.param('store'), c.req.param('key'), c.req.url));
  const themeOf = (store: string, number: string) => shopOf(store)?.themes.find(({ id }) => numberOf(id) === number);
  app.get('/store/:store/themes/:theme', c => {
    const theme = themeOf(c.req.param('store'), c.req.param('theme'));
    if (!theme) return c.html(otherPage(c.req.path, c.req.param('store')), 404);
    return c.html(themeEditor(c.req.param('store'), theme, c.req.query('key') ?? ''));
  });
  app.post('/store/:store/themes/:theme', async c => {
    const { code } = await c.req.parseBody();
    const files = themeOf(c.req.param('store'), c.req.param('theme'))?.files;
    const file = c.req.query('key') ?? '';
    // Forms submit CRLF line breaks, but files use LF.
    if (files?.has(file) && typeof code === 'string') files.set(file, code.replaceAll('\r\n', '\n'));
    return c.html(goTo(`${c.req.path}${new URL(c.req.url).search}`));
  });
  app.get('/store/:store/products/:product', c => {
    const { store, product: number } = c.req.param();
    const shop = shopOf(store);
    const product = shop?.products.find(({ id }) => numberOf(id) === number);
    if (!shop || !product) return c.html(otherPage(c.req.path, store), 404);
    const { locale = 'en' } = c.req.query();
    const shown = extensions
      .filter(({ target }) => target.startsWith('admin.product-details.'))
      .map(({ handle, target, name }) => ({ handle, target, name: name(locale) }));
    const settings = {
      ...settingsOf(shop.domain, store),
      extensionsUrl,
      extensions: shown,
      product: product.id,
      locale,
    };
    return c.html(productPage(product.title, settings));
  });
  app.get('/store/:store/charges/:handle/pricing_plans', c => {
    const { store } = c.req.param();
    const shop = shopOf(store);
    if (!shop) return c.html(otherPage(c.req.path, store), 404);
    const active = shop.subscriptions.find(({ status }) => status === 'ACTIVE');
    return c.html(pricingPage(store, PLANS, active?.name ?? null));
  });
  app.post('/store/:store/charges/:handle/pricing_plans', async c => {
    const { store } = c.req.param();
    const { plan } = await c.req.parseBody();
    await merchantActions(fakeShopify, `${store}.myshopify.com`, appUrl).choosePlan(
      PLANS.find(name => name === plan) ?? null,
    );
    return c.html(goTo(`/store/${store}/apps/${API_KEY}${WELCOME_LINK}`));
  });
  app.get('/store/:store/*', c =>
    c.html(otherPage(new URL(c.req.url).pathname + new URL(c.req.url).search, c.req.param('store'))),
  );

  async function appPage(store: string, key: string, url: string): Promise<Response> {
    const shop = shopOf(store);
    const html = { headers: { 'content-type': 'text/html; charset=utf-8' } };
    if (!shop || key !== API_KEY)
      return new Response(otherPage(new URL(url).pathname, store), { ...html, status: 404 });
    const { pathname, searchParams } = new URL(url);
    const { locale = 'en', no_token: noToken, ...rest } = Object.fromEntries(searchParams);
    const below = pathname.slice(`/store/${store}/apps/${key}`.length) || '/';
    const path = `${below}?${new URLSearchParams(rest)}`;
    const address = await embeddedAppUrl(appUrl, shop.domain, { path, locale, withToken: !noToken });
    return new Response(adminPage(shop.name, address, settingsOf(shop.domain, store)), html);
  }
  function settingsOf(shop: string, store: string) {
    return { shop, store, apiKey: API_KEY, appUrl: new URL(appUrl).origin };
  }

  app.post('/fake-shopify/token', async c =>
    c.json({ token: await idToken((await parseAdminRequest(c.req.raw)).shop) }),
  );
  app.post('/fake-shopify/address', async c => {
    const { shop, path = '/', locale = 'en' } = await parseAdminRequest(c.req.raw);
    return c.json({ address: await embeddedAppUrl(appUrl, shop, { path, locale }) });
  });
  app.post('/fake-shopify/scopes', async c => {
    const { shop: domain, grant = [], revoke = [] } = await parseAdminRequest(c.req.raw);
    const merchant = merchantActions(fakeShopify, domain, appUrl);
    if (grant.length > 0) await merchant.grant(...grant);
    for (const scope of revoke.filter(one => OPTIONAL.includes(one))) await merchant.revokeScope(scope);
    return c.json({ granted: [...fakeShopify.shops.get(domain)!.scopes], required: REQUIRED, optional: OPTIONAL });
  });
  app.post('/fake-shopify/query', async c => {
    const { shop, query = '', variables = {} } = await parseAdminRequest(c.req.raw);
    return c.json(fakeShopify.api.answer(fakeShopify.shops.get(shop)!, query, variables));
  });
  app.post('/fake-shopify/products', async c => {
    const { shop, query = '' } = await parseAdminRequest(c.req.raw);
    const products = fakeShopify.shops.get(shop)?.products ?? [];
    return c.json({ products: products.filter(({ title }) => title.toLowerCase().includes(query.toLowerCase())) });
  });
  return app;
}

/**
 * Returns a script that opens another admin page. A redirect wouldn't work, because Playwright doesn't route redirect
 * targets.
 */
const goTo = (path: string): string =>
  `<script>location.replace(${JSON.stringify(path).replaceAll('<', '\\u003c')})</script>`;

interface AdminRequest {
  readonly shop: string;
  readonly grant?: readonly string[];
  readonly revoke?: readonly string[];
  readonly query?: string;
  readonly variables?: Record<string, unknown>;
  readonly path?: string;
  readonly locale?: string;
}

const parseAdminRequest = async (request: Request): Promise<AdminRequest> => (await request.json()) as AdminRequest;
