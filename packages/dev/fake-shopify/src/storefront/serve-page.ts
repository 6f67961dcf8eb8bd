import type { FakeShop } from '../shop/shop.ts';
import { renderStorefrontPage, type StorefrontPage } from './render.ts';

/** Body of every CDN file that isn't a theme asset. The tests don't depend on its content. */
const SCRIPT = '/* a third-party script */';

/**
 * Serves storefront pages, rendered from the published theme. Editing a theme file changes the pages.
 *
 * @example
 * const home = await servePage(shop, shop.host, new Request(`https://${shop.host}/`));
 */
export async function servePage(shop: FakeShop, host: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  if (pathname === '/robots.txt') return text('User-agent: *\nDisallow: /admin\nDisallow: /checkout\n', 'text/plain');
  // Shopify redirects from the myshopify.com domain to the primary domain.
  if (host !== shop.host) return redirect(`https://${shop.host}${pathname}${search}`, 301);
  if (pathname.startsWith('/cdn/')) return asset(shop, pathname);
  if (shop.passwordProtected && pathname !== '/password') return redirect(`https://${shop.host}/password`, 302);
  const theme = shop.themes.find(({ role }) => role === 'MAIN');
  if (!theme) return text('No theme is published', 'text/plain', 500);
  const page = pageAt(shop, pathname);
  const html = await renderStorefrontPage(shop, theme, page);
  return text(html, 'text/html', page.template === '404' ? 404 : 200, {
    'x-shopid': String(shop.number),
    'powered-by': 'Shopify',
    'server-timing': `pageType;desc="${page.template}"`,
  });
}

function pageAt(shop: FakeShop, path: string): StorefrontPage {
  const { name } = shop;
  if (path === '/') return { template: 'index', title: name };
  if (path === '/cart') return { template: 'cart', title: `Your cart – ${name}` };
  if (path === '/password') return { template: 'password', title: name };
  if (/^\/collections\/[\w-]+$/.test(path)) return { template: 'collection', title: `Products – ${name}` };
  const product = shop.products.find(
    ({ handle, status }) => status === 'ACTIVE' && path === `/products/${encodeURIComponent(handle)}`,
  );
  return product
    ? { template: 'product', title: `${product.title} – ${name}`, product }
    : { template: '404', title: name };
}

function asset(shop: FakeShop, path: string): Response {
  const [, name] = /^\/cdn\/shop\/t\/\d+\/assets\/(.+)$/.exec(path) ?? [];
  if (!name) return text(SCRIPT, 'text/javascript');
  const file = shop.themes.find(({ role }) => role === 'MAIN')?.files.get(`assets/${decodeURI(name)}`);
  if (file === undefined) return text('Not Found', 'text/plain', 404);
  return text(file, name.endsWith('.css') ? 'text/css' : 'text/javascript');
}

const redirect = (location: string, status: number) => new Response(null, { status, headers: { location } });

const text = (body: string, type: string, status = 200, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { 'content-type': `${type}; charset=utf-8`, ...headers } });
