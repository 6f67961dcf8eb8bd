const escaped = (text: string): string => text.replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`);

const STYLE = `
*{box-sizing:border-box}
body{margin:0;font:14px/1.4 system-ui,sans-serif;background:#1a1a1a;display:grid;grid:48px 1fr / 200px 1fr;height:100vh}
header{grid-column:1/3;color:#e3e3e3;display:flex;align-items:center;gap:16px;padding:0 16px}
header small{color:#b5b5b5}
nav{background:#ebebeb;padding:12px;overflow:auto}
nav button{display:block;width:100%;text-align:left;border:0;background:none;padding:6px 10px;font:inherit;border-radius:8px;cursor:pointer}
nav [aria-current]{background:#fff;font-weight:600}
iframe{border:0;width:100%;height:100%;background:#f1f1f1}
#save-bar{margin-left:auto;display:flex;gap:8px;align-items:center}#save-bar[hidden]{display:none}
#toast{position:fixed;bottom:24px;left:50%;translate:-50%;background:#303030;color:#fff;padding:10px 16px;border-radius:10px}
#toast.error{background:#8e1f0b}#toast:empty{display:none}#toast button{margin-left:12px}
.loading header{border-bottom:2px solid #91d0ff}
dialog{border:0;border-radius:12px;min-width:320px;max-height:80vh}dialog form{display:flex;justify-content:flex-end;gap:8px}
dialog h2{margin-top:0;font-size:16px}.picker{list-style:none;padding:0;max-height:50vh;overflow:auto}
#blocks iframe,dialog iframe{border:1px solid #d4d4d4;border-radius:12px;background:#fff}dialog iframe{width:min(560px,80vw)}
main{grid-column:1/3;background:#f1f1f1;padding:32px}main code{overflow-wrap:anywhere}main{overflow:auto}textarea{display:block;width:100%;font:12px monospace}
@media(max-width:640px){main{padding:12px;grid-row:2/4}body{grid:48px auto 1fr / 1fr}header,main{grid-column:1}header small{display:none}
nav{display:flex;padding:4px 8px}nav button{width:auto;white-space:nowrap}}`;

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${STYLE}</style></head>
<body>${body}</body></html>`;

/** Settings for the admin page's script. */
export interface AdminSettings {
  /** Shop domain, such as `<store>.myshopify.com`. */
  readonly shop: string;
  readonly store: string;
  readonly apiKey: string;
  /** The app's origin. Messages from other origins are ignored. */
  readonly appUrl: string;
}

/**
 * Renders the admin page that embeds the app: a top bar, a sidebar with the app's menu, the app in an iframe, toasts,
 * and dialogs.
 */
export const adminPage = (name: string, address: string, settings: AdminSettings): string =>
  page(
    `${name} · fake Shopify admin`,
    `<header><strong>${escaped(name)}</strong> <small>fake Shopify admin</small>
<div id="save-bar" role="region" aria-label="Unsaved changes" hidden>Unsaved changes <button id="discard">Discard</button> <button id="save">Save</button></div></header>
<nav aria-label="App"></nav>
<iframe title="app" name="app" src="${escaped(address)}" allow="clipboard-write"></iframe>
<div id="toast" role="status"></div><dialog></dialog>
<script type="application/json" id="settings">${JSON.stringify(settings).replaceAll('<', '\\u003c')}</script>
<script type="module" src="/fake-shopify/admin.js"></script>`,
  );

/** Settings for the product page's script. */
export interface ProductPageSettings extends AdminSettings {
  /** Origin of the frames that run the extensions. */
  readonly extensionsUrl: string;
  readonly extensions: readonly { readonly handle: string; readonly target: string; readonly name: string }[];
  /** Global ID of the product. */
  readonly product: string;
  readonly locale: string;
}

/** Renders a product's page with the app's extensions: blocks on the page, and actions and print actions in menus. */
export const productPage = (title: string, settings: ProductPageSettings): string =>
  page(
    `${title} · fake Shopify admin`,
    `${header(settings.store)}<main tabindex="0"><h1>${escaped(title)}</h1>
<p id="actions" role="group" aria-label="More actions"></p><p id="print-menu" role="group" aria-label="Print"></p>
<div id="blocks"></div></main><dialog></dialog>
<script type="application/json" id="settings">${JSON.stringify(settings).replaceAll('<', '\\u003c')}</script>
<script type="module" src="/fake-shopify/product-page.js"></script>`,
  );

const header = (store: string): string =>
  `<header><strong>${escaped(store)}</strong> <small>fake Shopify admin</small></header>`;
const back = (store: string): string => `<p><a href="/store/${encodeURIComponent(store)}">Back to the app</a></p>`;

/**
 * Renders the theme code editor, with a list of the files and a form for editing one file. Saving a file changes the
 * storefront immediately.
 */
export function themeEditor(
  store: string,
  theme: { name: string; files: ReadonlyMap<string, string> },
  file: string,
): string {
  const files = [...theme.files.keys()]
    .map(name => `<li><a href="?key=${encodeURIComponent(name)}">${escaped(name)}</a></li>`)
    .join('');
  const text = theme.files.get(file);
  // The HTML parser drops a line break right after the `<textarea>` tag, so add an extra line break.
  const form = `<form method="post"><label for="code">${escaped(file)}</label>
<textarea id="code" name="code" rows="24">\n${escaped(text ?? '')}</textarea><p><button>Save</button></p></form>`;
  return page(
    `${theme.name} · theme code`,
    `${header(store)}<main><h1>${escaped(theme.name)}</h1><ul>${files}</ul>${text === undefined ? '' : form}${back(store)}</main>`,
  );
}

/** Renders Shopify's pricing page for the app, where the merchant chooses or cancels a plan. */
export function pricingPage(store: string, plans: readonly string[], active: string | null): string {
  const button = (plan: string, label: string) =>
    `<button name="plan" value="${escaped(plan)}">${escaped(label)}</button>`;
  const rows = plans.map(
    plan => `<li>${escaped(plan)} ${plan === active ? '(current)' : button(plan, `Select ${plan}`)}</li>`,
  );
  return page(
    'Pricing plans',
    `${header(store)}<main><h1>Pricing plans</h1><form method="post"><ul>${rows.join('')}</ul>
${active === null ? '' : button('', 'Cancel plan')}</form>${back(store)}</main>`,
  );
}

/** Renders any other admin page, which shows only its path. */
export const otherPage = (path: string, store: string): string =>
  page(
    'Admin page',
    `${header(store)}
<main><h1>Other Shopify admin page</h1><p>Shopify would show <code>${escaped(path)}</code> here.</p>${back(store)}</main>`,
  );
