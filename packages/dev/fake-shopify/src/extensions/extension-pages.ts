import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { bundleExtension, type Extension } from './extension.ts';

const SCRIPTS = ['extension-host.js', 'polaris-elements.js'];
const JAVASCRIPT = { 'content-type': 'text/javascript' };

/** Settings for the script that hosts an extension. */
interface HostSettings {
  readonly handle: string;
  readonly target: string;
  readonly selected: readonly { readonly id: string }[];
  readonly locale: string;
  readonly messages: object;
  readonly appUrl: string;
  readonly adminUrl: string;
}

/** Options for the extension pages. */
interface ExtensionPagesOptions {
  readonly appUrl: string;
  /** Origin of the admin that embeds the extensions. */
  readonly adminUrl: string;
}

/**
 * Creates the pages that run the extensions, each in its own frame. As in Shopify, an extension runs on a different
 * origin than the admin and the app.
 */
export function extensionPages(extensions: readonly Extension[], { appUrl, adminUrl }: ExtensionPagesOptions): Hono {
  const pages = new Hono();
  const extensionOf = (handle: string) => extensions.find(one => one.handle === handle);
  for (const script of SCRIPTS)
    pages.get(`/${script}`, c => c.body(readFileSync(join(import.meta.dirname, script), 'utf8'), 200, JAVASCRIPT));

  pages.get('/:handle/bundle.js', async c => {
    const extension = extensionOf(c.req.param('handle'));
    return extension ? c.body(await bundleExtension(extension), 200, JAVASCRIPT) : c.notFound();
  });
  pages.get('/:handle', c => {
    const extension = extensionOf(c.req.param('handle'));
    if (!extension) return c.notFound();
    const { handle, target } = extension;
    const { resource = '', locale = 'en' } = c.req.query();
    const messages = extension.messages(locale);
    return c.html(
      page({ ...{ handle, target, selected: [{ id: resource }], locale, messages }, ...{ appUrl, adminUrl } }),
    );
  });
  return pages;
}

const STYLE = `
:root{font:14px/1.4 system-ui,sans-serif;color:#1a1a1a}body{margin:0;padding:12px;overflow-wrap:anywhere}
:where(s-admin-block,s-admin-action,s-admin-print-action,s-section,s-paragraph,s-stack,s-banner,s-box){display:block}
s-text{display:inline-block}s-badge{display:inline-block;border-radius:8px;padding:2px 8px;background:#e3e3e3}
s-badge[tone=success]{background:#cdfee1}s-badge[tone=warning],s-badge[tone=caution]{background:#ffe9a8}
s-badge[tone=critical]{background:#fedad9}s-badge[tone=info]{background:#d5ebff}`;

const page = (settings: HostSettings): string => `<!doctype html>
<html lang="${encodeURIComponent(settings.locale)}"><head><meta charset="utf-8"><title>${encodeURIComponent(settings.handle)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${STYLE}</style>
<script type="application/json" id="settings">${JSON.stringify(settings).replaceAll('<', '\\u003c')}</script>
<script type="module" src="extension-host.js"></script></head><body></body></html>`;
