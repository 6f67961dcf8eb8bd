import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idToken } from '../admin/tokens.ts';
import type { StandIn } from '../stand-in.ts';

export const appBridge = (): string => readFileSync(join(import.meta.dirname, 'app-bridge.js'), 'utf8');

const escaped = (text: string): string => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
const storeOf = (domain: string): string => domain.replace('.myshopify.com', '');

/** The address in the frame: what Shopify's admin puts there, with a session token or without one. */
export async function addressOfApp(
  appUrl: string,
  domain: string,
  { path = '/app', locale = 'en', withToken = true }: { path?: string; locale?: string; withToken?: boolean } = {},
): Promise<string> {
  const address = new URL(path, appUrl);
  const host = Buffer.from(`admin.shopify.com/store/${storeOf(domain)}`)
    .toString('base64')
    .replace(/=+$/, '');
  const params = { embedded: '1', shop: domain, host, locale, ...(withToken && { id_token: await idToken(domain) }) };
  for (const [name, value] of Object.entries(params)) address.searchParams.set(name, value);
  return address.href;
}

/** Shopify's admin around the app: a bar, a sidebar with the entries of the app, the app in a frame, toasts. */
export const adminPage = (shop: string, address: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shopify admin (stand-in)</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>
body{margin:0;font:14px system-ui,sans-serif;background:#1a1a1a;display:grid;grid:48px 1fr / 200px 1fr;height:100vh}
header{grid-column:1/3;color:#e3e3e3;display:flex;align-items:center;gap:16px;padding:0 16px}
nav{background:#ebebeb;padding:12px;overflow:auto}nav button{display:block;width:100%;text-align:left;border:0;background:none;padding:6px 10px;font:inherit;border-radius:8px;cursor:pointer}
nav button.here{background:#fff;font-weight:600}iframe{border:0;width:100%;height:100%;background:#f1f1f1}
#toast{position:fixed;bottom:24px;left:50%;translate:-50%;background:#303030;color:#fff;padding:10px 16px;border-radius:10px}
#toast:empty{display:none}
@media(max-width:640px){body{grid:48px 1fr / 1fr}header{grid-column:1}nav{display:none}}
</style></head>
<body><header><strong>${escaped(shop)}</strong> <span>stand-in for Shopify’s admin</span></header>
<nav aria-label="App"></nav><iframe title="app" name="app" src="${escaped(address)}"></iframe><div id="toast" role="status"></div>
<script>
const frame = document.querySelector('iframe'), nav = document.querySelector('nav'), toast = document.querySelector('#toast');
window.told = [];
let hide;
const show = text => { toast.textContent = text; clearTimeout(hide); hide = setTimeout(() => { toast.textContent = ''; }, 4000); };
const api = (path, body) => fetch('/stand-in/' + path, { method: 'POST', body: JSON.stringify(body) }).then(response => response.json());
const answers = {
  idToken: shop => api('token', { shop }),
  scopes: shop => api('scopes', { shop }),
  requestScopes: (shop, scopes) => api('scopes', { shop, scopes }),
};
addEventListener('message', async ({ data, source }) => {
  if (data?.standIn === 'ask') source.postMessage({ standIn: 'answer', id: data.id, value: await answers[data.name](...data.args) }, '*');
  if (data?.standIn !== 'tell') return;
  window.told.push([data.name, ...data.args]);
  if (data.name === 'toast') show(data.args[0]);
  if (data.name === 'open') show('Shopify’s admin would open ' + data.args[0]);
  if (data.name === 'menu') {
    const [links, path] = data.args;
    nav.replaceChildren(...links.map(({ href, text, home }) => {
      const button = document.createElement('button');
      button.textContent = home ? 'Home' : text;
      button.className = href === path ? 'here' : '';
      button.onclick = () => frame.contentWindow.postMessage({ standIn: 'navigate', href }, '*');
      return button;
    }));
  }
});
</script></body></html>`;

/** What the admin page asks of the stand-in behind it: session tokens, and scopes, which the merchant grants. */
export async function answerFrame(standIn: StandIn, path: string, body: string): Promise<unknown> {
  const { shop: domain, scopes = [] } = JSON.parse(body) as { shop: string; scopes?: string[] };
  const shop = standIn.shops.get(domain);
  if (!shop) return null;
  if (path.endsWith('/token')) return await idToken(domain);
  const before = [...shop.scopes];
  const declined = standIn.declinesScopes;
  if (!declined) for (const scope of scopes) shop.scopes.add(scope);
  const granted = [...shop.scopes];
  return {
    result: scopes.length === 0 ? undefined : declined ? 'declined-all' : 'granted-all',
    detail: { granted, required: before, optional: [] },
    granted,
  };
}
