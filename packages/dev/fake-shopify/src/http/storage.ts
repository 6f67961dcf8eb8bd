import { isDone, linesOf } from '../admin/fields/bulk.ts';
import { appBridge } from '../app-bridge.ts';
import { HOSTS } from '../hosts.ts';
import { type FakeProduct, type FakeShop, numberOf } from '../shop/shop.ts';

/**
 * Serves the Shopify hosts that store files: bulk results, uploads, shop files, theme file bodies, and App Bridge. URLs
 * on these hosts contain a signature instead of a token.
 */
export function storage({ shops }: { readonly shops: ReadonlyMap<string, FakeShop> }) {
  return async (host: string, request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const path = decodeURI(pathname);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return host === HOSTS.uploads ? await takeUpload([...shops.values()], path, request) : notFound();
    }
    if (host === HOSTS.results) return bulkResult([...shops.values()], path);
    if (host !== HOSTS.cdn) return notFound();
    if (path === '/shopifycloud/app-bridge.js') return scriptOf(appBridge());
    return fileOf([...shops.values()], path, request.url) ?? notFound();
  };
}

const notFound = () => new Response('Not Found', { status: 404 });

const scriptOf = (text: string) =>
  new Response(text, { headers: { 'content-type': 'text/javascript; charset=utf-8' } });

function bulkResult(shops: readonly FakeShop[], path: string): Response {
  const number = /^\/bulk-operation-outputs\/(\d+)\.jsonl$/.exec(path)?.[1];
  const bulk = shops.flatMap(({ bulks }) => [...bulks.values()]).find(({ id }) => numberOf(id) === number);
  if (!bulk || !isDone(bulk)) return notFound();
  return new Response(linesOf(bulk).join(''), { headers: { 'content-type': 'application/jsonl' } });
}

function fileOf(shops: readonly FakeShop[], path: string, url: string): Response | null {
  const [, number, kind, rest = ''] = /^\/s\/files\/1\/(\d+)\/(files|products|t)\/(.+)$/.exec(path) ?? [];
  const shop = shops.find(one => String(one.number) === number);
  if (kind === 'products') {
    const product = shop?.products.find(({ id, hasImage }) => hasImage && `${numberOf(id)}.svg` === rest);
    return product ? new Response(imageOf(product), { headers: { 'content-type': 'image/svg+xml' } }) : null;
  }
  if (kind === 't') {
    const [theme, ...name] = rest.split('/');
    const files = shop?.themes.find(({ id }) => numberOf(id) === theme)?.files;
    const text = files?.get(name.map(decodeURIComponent).join('/'));
    return text === undefined ? null : new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
  }
  const asked = new URL(url);
  const file = shop?.files.find(one => {
    const at = new URL(one.url);
    return at.pathname === asked.pathname && at.search === asked.search;
  });
  return file && file.processing === 0 && !file.failed
    ? new Response(new Uint8Array(file.bytes), { headers: { 'content-type': file.mimeType } })
    : null;
}

/** Returns an SVG image in a color that depends on the product ID. */
function imageOf({ id }: FakeProduct): string {
  const hue = (Number(numberOf(id)) * 47) % 360;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">' +
    `<rect width="8" height="8" fill="hsl(${hue} 45% 88%)"/><circle cx="4" cy="4" r="2" fill="hsl(${hue} 45% 45%)"/></svg>`
  );
}

/**
 * Accepts an upload: either a form that contains all required fields followed by the file, or a `PUT` request that
 * contains only the file.
 */
async function takeUpload(shops: readonly FakeShop[], path: string, request: Request): Promise<Response> {
  const refused = (code: string) => new Response(`<Error><Code>${code}</Code></Error>`, { status: 400 });
  const byKey = (key: string) => shops.flatMap(({ uploads }) => uploads.get(key) ?? [])[0];
  if (request.method === 'PUT') {
    const upload = byKey(path.slice(1));
    if (!upload) return refused('NoSuchKey');
    if (request.headers.get('content-type') !== upload.mimeType) return refused('SignatureDoesNotMatch');
    upload.bytes = new Uint8Array(await request.arrayBuffer());
    return new Response(null, { status: 200 });
  }
  const form = await request.formData();
  const upload = byKey(String(form.get('key')));
  if (!upload) return refused('NoSuchKey');
  if (upload.parameters.some(({ name, value }) => form.get(name) !== value)) return refused('InvalidPolicyDocument');
  const file = form.get('file');
  // Shopify ignores form fields that follow the file.
  if (!(file instanceof Blob) || [...form.keys()].at(-1) !== 'file') return refused('EntityTooSmall');
  upload.bytes = new Uint8Array(await file.arrayBuffer());
  return new Response('<PostResponse/>', { status: 201 });
}
