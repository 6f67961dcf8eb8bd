import type { RequestListener } from 'node:http';
import { Liquid } from 'liquidjs';
import type { StandInShop } from './shop.ts';

/** What Shopify puts into the head of every page. */
const contentForHeader = (shop: StandInShop, theme: { id: string; name: string }): string => `
<script>window.performance && window.performance.mark && window.performance.mark('shopify.content_for_header.start');</script>
<script id="shopify-features" type="application/json">{"accessToken":"","shopId":1,"smart_payment_buttons_url":""}</script>
<script>var Shopify = Shopify || {};
Shopify.shop = ${JSON.stringify(shop.domain)};
Shopify.locale = "en";
Shopify.theme = ${JSON.stringify({ name: theme.name, id: Number(theme.id.split('/').at(-1)), theme_store_id: 887, role: 'main' })};
Shopify.routes = Shopify.routes || {};
Shopify.routes.root = "/";</script>
<script type="module">!function(o){(o.Shopify=o.Shopify||{}).modules=!0}(window);</script>`;

/**
 * The pages that shoppers see, rendered from the published theme: to mend its files mends the pages.
 *
 * @example
 * await network.secureSite(shop.host, await certificateFor(shop.host, { trusted: true }), storefront(shop));
 */
export function storefront(shop: StandInShop): RequestListener {
  return async (request, response) => {
    const path = new URL(request.url ?? '/', `https://${shop.host}`).pathname;
    const send = (status: number, body: string, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'x-shopid': '1', ...headers });
      response.end(body);
    };
    if (path === '/robots.txt') return send(200, 'User-agent: *\nDisallow: /admin\n', { 'content-type': 'text/plain' });
    if (shop.passwordProtected && path !== '/password')
      return send(302, '', { location: `https://${shop.host}/password` });
    if (path === '/password') return send(200, PASSWORD_PAGE);
    const page = await render(shop, path);
    send(page === null ? 404 : 200, page ?? '<!doctype html><title>404</title><h1>Page not found</h1>');
  };
}

async function render(shop: StandInShop, path: string): Promise<string | null> {
  const theme = shop.themes.find(({ role }) => role === 'MAIN');
  if (!theme) return null;
  const product = shop.products.find(({ handle }) => path === `/products/${handle}`);
  const template =
    path === '/'
      ? 'index'
      : path === '/cart'
        ? 'cart'
        : path.startsWith('/collections/')
          ? 'collection'
          : product
            ? 'product'
            : null;
  if (!template) return null;
  const snippets = Object.fromEntries(
    [...theme.files].flatMap(([name, text]) =>
      name.startsWith('snippets/') ? [[name.slice(9, -'.liquid'.length), text]] : [],
    ),
  );
  const liquid = new Liquid({ templates: snippets });
  const escaped = (text: string) => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
  const shown = (one: StandInShop['products'][number]) => ({
    ...one,
    title: escaped(one.title),
    vendor: escaped(one.vendor),
  });
  const scope = {
    shop_name: escaped(shop.name),
    page_title: escaped(shop.name),
    products: shop.products.slice(0, 12).map(shown),
    product: product && shown(product),
    content_for_header: contentForHeader(shop, theme),
  };
  const content = await liquid.parseAndRender(theme.files.get(`templates/${template}.liquid`) ?? '', scope);
  return await liquid.parseAndRender(theme.files.get('layout/theme.liquid') ?? '', {
    ...scope,
    content_for_layout: content,
  });
}

const PASSWORD_PAGE = `<!doctype html><html lang="en"><head><title>Opening soon</title></head>
<body class="template-password"><main><h1>Opening soon</h1>
<form method="post" action="/password" id="login_form"><input type="hidden" name="form_type" value="storefront_password">
<label>Password <input type="password" name="password"></label></form></main></body></html>`;
