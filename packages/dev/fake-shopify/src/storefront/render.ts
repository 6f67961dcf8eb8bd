import { Liquid, type TagToken, type TopLevelToken } from 'liquidjs';
import type { FakeProduct, FakeShop, FakeTheme } from '../shop/shop.ts';
import { contentForHeader } from './content-for-header.ts';

/** Storefront page to render. */
export interface StorefrontPage {
  /** Page type: `index`, `product`, `collection`, `cart`, `password`, or `404`. */
  readonly template: string;
  readonly title: string;
  readonly product?: FakeProduct;
}

/**
 * Limits for rendering one page. Without limits, a hostile theme might never finish rendering. `renderLimit` is in
 * milliseconds.
 */
const LIMITS = { renderLimit: 2_000, parseLimit: 5_000_000, memoryLimit: 50_000_000 };

/** Fallbacks for missing theme files. The password page has its own layout without the theme's tags. */
const BARE =
  '<!doctype html><html lang="en"><head><title>{{ page_title | escape }}</title>{{ content_for_header }}</head><body class="template-{{ template }}"><main>{{ content_for_layout }}</main></body></html>';
const PAGES: Readonly<Record<string, string>> = {
  password:
    '<h1>Opening soon</h1><form method="post" action="/password" id="login_form"><input type="hidden" name="form_type" value="storefront_password"><label>Password <input type="password" name="password"></label> <button>Enter</button></form>',
  404: '<h1>Page not found</h1>',
};

/**
 * Liquid tags that produce no output where they appear, because they define a section's settings, scripts, or styles.
 */
const NON_PRINTING = ['schema', 'javascript', 'stylesheet'];

/** Renders a page from theme files with the supported subset of Shopify's Liquid. Liquid errors appear on the page. */
export async function renderStorefrontPage(shop: FakeShop, theme: FakeTheme, page: StorefrontPage): Promise<string> {
  const scope = {
    shop: { name: shop.name, url: `https://${shop.host}`, domain: shop.host, permanent_domain: shop.domain },
    page_title: page.title,
    template: page.template,
    request: { page_type: page.template, host: shop.host },
    products: shop.products.filter(({ status }) => status === 'ACTIVE').slice(0, 12),
    product: page.product,
    content_for_header: contentForHeader(shop, theme, page.template),
  };
  const liquid = engine(shop, theme, scope);
  const body = await content(liquid, theme, page.template, scope);
  const layout = page.template === 'password' ? 'layout/password.liquid' : 'layout/theme.liquid';
  const text = theme.files.get(layout) ?? BARE;
  return await show(liquid, text, { ...scope, content_for_layout: body });
}

const show = async (liquid: Liquid, text: string, scope: object): Promise<string> => {
  try {
    return await liquid.parseAndRender(text, scope);
  } catch (error) {
    return `Liquid error: ${(error as Error).name}`;
  }
};

/** Renders a Liquid template, or a JSON template that lists the page's sections. */
async function content(liquid: Liquid, theme: FakeTheme, template: string, scope: object): Promise<string> {
  const named = theme.files.get(`templates/${template}.liquid`);
  const text = named ?? (theme.files.has(`templates/${template}.json`) ? undefined : PAGES[template]);
  if (text !== undefined) return await show(liquid, text, scope);
  const { sections, order } = readTemplate(theme.files.get(`templates/${template}.json`));
  const shown = order.map(id => section(liquid, theme, sections[id]?.type ?? '', id, scope));
  return (await Promise.all(shown)).join('\n');
}

type Template = { sections: Record<string, { type: string } | undefined>; order: string[] };

function readTemplate(text = '{}'): Template {
  try {
    const { sections = {}, order = [] } = JSON.parse(text) as Partial<Template>;
    return { sections, order };
  } catch {
    return { sections: {}, order: [] };
  }
}

async function section(liquid: Liquid, theme: FakeTheme, type: string, id: string, scope: object): Promise<string> {
  const text = theme.files.get(`sections/${type}.liquid`);
  if (text === undefined) return `Liquid error: Error in tag 'section' - '${type}' is not a valid section type`;
  return `<div id="shopify-section-${id}" class="shopify-section">${await show(liquid, text, scope)}</div>`;
}

function engine(shop: FakeShop, theme: FakeTheme, scope: object): Liquid {
  const snippets = [...theme.files].flatMap(([name, text]) => {
    const snippet = /^snippets\/(.+)\.liquid$/s.exec(name)?.[1];
    return snippet === undefined ? [] : [[snippet, text] as const];
  });
  // Make the page's variables available in snippets too.
  const liquid = new Liquid({ templates: Object.fromEntries(snippets), globals: scope, ...LIMITS });
  liquid.registerFilter('asset_url', name => `https://${shop.host}/cdn/shop/t/1/assets/${encodeURI(name)}`);
  liquid.registerFilter('script_tag', url => `<script src="${url}" type="text/javascript"></script>`);
  liquid.registerFilter('stylesheet_tag', url => `<link href="${url}" rel="stylesheet" type="text/css" media="all">`);
  liquid.registerFilter('money', amount => `$${amount}`);
  liquid.registerFilter('t', key => String(key).split('.').at(-1));
  liquid.registerTag('section', {
    parse(token: TagToken) {
      this.type = token.args.trim().replace(/^["']|["']$/g, '');
    },
    render() {
      return section(liquid, theme, this.type, this.type, scope);
    },
  });
  return withoutPrinting(liquid);
}

/** Registers the Liquid tags that produce no output. */
export function withoutPrinting(liquid: Liquid): Liquid {
  for (const name of NON_PRINTING) {
    liquid.registerTag(name, {
      parse(_: TagToken, remaining: TopLevelToken[]) {
        while (remaining.length > 0 && (remaining.shift() as TagToken).name !== `end${name}`);
      },
      render: () => '',
    });
  }
  return liquid;
}
