import type { IncomingMessage, RequestListener } from 'node:http';
import type { Capture, JourneyStep, RenderingVerdict, SkippedStep } from '@compliance/core/pixel';
import { PRIVACY_API } from '../consent/choose-consent.ts';
import { vendorStub } from '../visit/vendor-stubs.ts';

/** A storefront whose traffic is known. */
export interface KnownShop {
  /** Description of the shop, which completes a test title. */
  readonly title: string;
  /** Markup in the head of every page. */
  readonly head: string;
  /** Markup at the end of every page. */
  readonly foot?: string;
  /** Code of the shop's consent app, in a file that the scan doesn't read. It runs before the page's own code. */
  readonly consentApp?: string;
  /** Markup in the product form. */
  readonly productForm?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly robots?: string;
  /** Container that the page loads: its contents as the scan reads them, and the code that runs in the browser. */
  readonly container?: { readonly id: string; readonly tags: readonly object[]; readonly code: string };
  /** Code in the sandboxed frame of Shopify's web pixels. */
  readonly webPixel?: string;
  /** Code that runs in an app's web pixel. Shopify runs apps' pixels in workers, without access to the page. */
  readonly appPixel?: string;
  readonly journey?: readonly JourneyStep[];
  /** Whether submitting the product form opens a page instead of calling the Cart API. */
  readonly classicForm?: boolean;
  readonly truth: KnownTruth;
}

/** Expected results of rendering a shop. */
interface KnownTruth {
  /** Sent events by phase and step, such as `deny add_to_cart`. Phases and steps without events are omitted. */
  readonly sent: Readonly<Record<string, readonly string[]>>;
  /** How the visitor's consent decision is submitted. The default is `shopify`. */
  readonly decision?: 'none' | 'shopify' | 'banner';
  /** Findings that aren't `unseen`. */
  readonly verdicts?: Readonly<Record<string, Exclude<RenderingVerdict, 'unseen'>>>;
  /** Problems that are visible only in the traffic, such as `unknown_tag meta`. */
  readonly traffic?: readonly string[];
  readonly skipped?: Readonly<Partial<Record<JourneyStep, SkippedStep>>>;
}

const WEB_PIXEL_PATH = '/web-pixels@0123456789abcdef/custom/web-pixel-1@1/sandbox/modern/';
const APP_PIXEL_PATH = '/web-pixels@0123456789abcdef/app/web-pixel-1@1/sandbox/worker.modern.js';

/**
 * Returns a container file. The rest of a real file is Google's code, which the tests don't have, so the returned file
 * contains `code` instead.
 */
const containerFile = ({ tags, code }: NonNullable<KnownShop['container']>): string => {
  const resource = {
    ...{ version: '1', macros: [{ function: '__e' }], tags },
    predicates: [{ function: '_eq', arg0: ['macro', 0], arg1: 'gtm.js' }],
    rules: [
      [
        ['if', 0],
        ['add', ...tags.keys()],
      ],
    ],
  };
  const data = JSON.stringify({ resource, runtime: [] }).replaceAll('</', '<\\/');
  return `\n(function(){\n\nvar data = ${data.replace('{"resource"', '{\n"resource"')};\nvar library;})()\n${code}`;
};

const containerUrl = (id: string): string => `//www.googletagmanager.com/gtm.js?id=${id}`;

const FORM_CODE = `<script>
document.forms[0].addEventListener('submit', async event => {
  event.preventDefault();
  await fetch('/cart/add.js', { method: 'POST', body: new FormData(event.target) });
  document.dispatchEvent(new CustomEvent('cart:add'));
});
</script>`;

function pageOf(
  { head, foot = '', container, webPixel, appPixel, productForm = '', classicForm }: KnownShop,
  path: string,
): string {
  const product = `<form action="/cart/add" method="post"><input type="hidden" name="id" value="1">${productForm}
<button type="submit" name="add">Add to cart</button></form>${classicForm ? '' : FORM_CODE}`;
  return `<!doctype html><html><head><title>${path}</title>
<script src="/cdn/consent.js"></script>
<script>var Shopify = Shopify || {}; Shopify.shop = 'known.myshopify.com'; Shopify.theme = { id: 1 };</script>
<script src="/cdn/app.js"></script>
${container ? `<script async src="${containerUrl(container.id)}"></script>` : ''}
${head}
</head><body><a href="/products/mug">Mug</a> <a href="/account">Account</a>
${path.startsWith('/products/') ? product : ''}
${foot}
${webPixel === undefined ? '' : `<iframe sandbox="allow-scripts" src="${WEB_PIXEL_PATH}"></iframe>`}
${appPixel === undefined ? '' : `<script>new Worker(URL.createObjectURL(new Blob(['importScripts("' + new URL('${APP_PIXEL_PATH}', location) + '")'])))</script>`}
</body></html>`;
}

/** Returns a shop's home page as the crawler would capture it. */
export function captureOf(shop: KnownShop, url: string): Capture {
  const { container, headers = {} } = shop;
  const script = (id: string, body: string) => ({ url: `http:${containerUrl(id)}`, status: 200, body });
  return {
    ...{ url, finalUrl: url, status: 200, headers: { 'content-type': 'text/html', ...headers } },
    html: pageOf(shop, '/'),
    scripts: container ? [script(container.id, containerFile(container))] : [],
    ...{ truncated: false, notes: [] },
  };
}

/**
 * Returns a request listener that serves known shops, each on its own host, and stubs of the vendors' libraries.
 *
 * @param shopOf returns the shop for a host
 */
export function serveShops(shopOf: (host: string) => KnownShop | undefined): RequestListener {
  return (request, response) => {
    const { host = '' } = request.headers;
    const path = request.url ?? '/';
    const shop = shopOf(host);
    const send = (type: string, body: string, headers: Readonly<Record<string, string>> = {}, status = 200) =>
      response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    const library = shop ? null : libraryAt(`https://${host}${path}`, refererShop(request, shopOf));
    if (library !== null) return send('text/javascript', library);
    if (!shop) return send('text/plain', '', {}, 404);
    const { pathname } = new URL(path, `http://${host}`);
    if (pathname === '/cdn/consent.js') return send('text/javascript', PRIVACY_API);
    if (pathname === '/cdn/app.js') return send('text/javascript', shop.consentApp ?? '');
    if (pathname === '/robots.txt') return send('text/plain', shop.robots ?? '');
    if (pathname === '/cart/add.js') return send('application/json', '{"id":1}');
    if (pathname === '/cart/add') return send('text/plain', '', { location: '/cart' }, 303);
    if (pathname === APP_PIXEL_PATH) return send('text/javascript', shop.appPixel ?? '');
    if (pathname === WEB_PIXEL_PATH) return send('text/html', `<script>${shop.webPixel}</script>`);
    if (!['/', '/products/mug', '/cart', '/search'].includes(pathname)) return send('text/plain', '', {}, 404);
    return send('text/html', pageOf(shop, pathname), shop.headers);
  };
}

function libraryAt(url: string, shop: KnownShop | undefined): string | null {
  if (shop?.container && url === `https:${containerUrl(shop.container.id)}`) return containerFile(shop.container);
  return vendorStub(url);
}

const refererShop = ({ headers }: IncomingMessage, shopOf: (host: string) => KnownShop | undefined) =>
  shopOf(URL.parse(headers.referer ?? '')?.host ?? '');
