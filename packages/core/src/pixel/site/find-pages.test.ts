import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSitePages, siteHomeUrl } from './find-pages.ts';

const HOME = 'https://shop.example/';
const find = (html: string, finalUrl = HOME, preferred: string[] = []) => findSitePages({ html, finalUrl }, preferred);
const links = (...hrefs: string[]) => hrefs.map(href => `<a href="${href}">x</a>`).join('');
const alternate = (language: string, href: string) => `<link rel="alternate" hreflang="${language}" href="${href}">`;

describe('storefront page search', () => {
  it('finds the first collection, product, and article that the home page links to', () => {
    const html = links(
      ...['/pages/about', '/collections/mugs?sort_by=price', 'https://shop.example/collections/cups'],
      ...['/products/blue-mug?variant=1#reviews', '/products/red-mug', '/blogs/news/first#top', '/blogs/news/second'],
    );
    expect(find(html)).toEqual({
      collection: 'https://shop.example/collections/mugs',
      product: 'https://shop.example/products/blue-mug',
      cart: 'https://shop.example/cart',
      search: 'https://shop.example/search?q=gift',
      blog: 'https://shop.example/blogs/news/first',
      locale: null,
    });
  });

  it('removes the collection from a product URL', () => {
    expect(find(links('/collections/mugs/products/blue-mug')).product).toBe('https://shop.example/products/blue-mug');
  });

  it('chooses a gift card only if the home page doesn’t link to another product', () => {
    expect(find(links('/products/digital-gift-card', '/products/mug')).product).toBe(
      'https://shop.example/products/mug',
    );
    expect(find(links('/products/gift-card')).product).toBe('https://shop.example/products/gift-card');
  });

  it('falls back to the all-products collection if the home page doesn’t link to another collection', () => {
    const html = links('/collections', '/collections/all', '/collections/vendors?q=Acme', '/collections/types?q=Mug');
    expect(find(html).collection).toBe('https://shop.example/collections/all');
    expect(find('').collection).toBe('https://shop.example/collections/all');
  });

  it('finds a list of articles if the home page doesn’t link to an article', () => {
    expect(find(links('/blogs/news.atom', '/blogs/news/tagged/tea', '/blogs/news')).blog).toBe(
      'https://shop.example/blogs/news',
    );
    expect(find(links('/blogs/news', '/blogs/news/first')).blog).toBe('https://shop.example/blogs/news/first');
  });

  it('returns null for page types that the home page doesn’t link to', () => {
    expect(find('<p>Soon</p>')).toMatchObject({ product: null, blog: null, locale: null });
  });

  it('never returns a URL with a different host, a different scheme, or a path that isn’t a storefront page', () => {
    const html = links(
      ...['https://other.example/products/a', '//other.example/collections/b', 'https://shop.example.evil/products/c'],
      ...[
        'javascript:/products/d',
        'mailto:/products/e',
        '/admin/products/f',
        '/products',
        '/products/g/h',
        '#/products/i',
      ],
      ...[
        'https://shop.example@other.example/products/j',
        'https://cdn.shop.example/products/k',
        '\\\\other.example/products/l',
      ],
    );
    expect(find(html)).toEqual(find(''));
  });

  it('ignores links in comments, templates, and scripts', () => {
    const link = links('/products/mug');
    expect(find(`<!-- ${link} --><template>${link}</template><script>"${link}"</script>`).product).toBeNull();
  });

  it('chooses pages in the home page’s locale if the home page links to pages in several locales', () => {
    const html = links('/fr/products/tasse', '/en-ca/products/mug', '/products/mug', '/en-ca/collections/mugs');
    expect(find(html, 'https://shop.example/en-ca')).toMatchObject({
      product: 'https://shop.example/en-ca/products/mug',
      collection: 'https://shop.example/en-ca/collections/mugs',
      cart: 'https://shop.example/en-ca/cart',
      search: 'https://shop.example/en-ca/search?q=gift',
    });
    expect(find(links('/fr/products/tasse')).product).toBe('https://shop.example/fr/products/tasse');
  });

  it('chooses a preferred URL if the home page links to it, so that a scan can be compared with its baseline', () => {
    const html = links('/products/new', '/products/old', '/collections/new', '/collections/old');
    const preferred = ['https://shop.example/products/old', 'https://shop.example/collections/gone'];
    expect(find(html, HOME, preferred)).toMatchObject({
      product: 'https://shop.example/products/old',
      collection: 'https://shop.example/collections/new',
    });
  });
});

describe('second storefront locale', () => {
  it.each([
    ['an alternate in a subfolder', alternate('fr', 'https://shop.example/fr'), 'https://shop.example/fr'],
    ['an alternate for a market', alternate('en-CA', '/en-ca/'), 'https://shop.example/en-ca'],
    ['an alternate on a country domain', alternate('de', 'https://shop.de/'), 'https://shop.de/'],
    ['a link to another locale’s home page', links('/fr/'), 'https://shop.example/fr'],
    ['a link to a page in another locale', links('/zh-hant-hk/collections/all'), 'https://shop.example/zh-hant-hk'],
  ])('finds the second locale from %s', (_, html, expected) => {
    expect(find(html).locale).toBe(expected);
  });

  it.each([
    ['the alternate is the page itself', alternate('en', HOME) + alternate('en-US', 'https://shop.example')],
    ['the alternate is the same site with www', alternate('en', 'https://www.shop.example/')],
    ['the alternate is only the default', alternate('x-default', 'https://shop.de/')],
    ['the alternate is a feed', '<link rel="alternate" type="application/atom+xml" href="/fr">'],
    ['the alternate isn’t a home page', alternate('de', 'https://shop.de/account/logout?all=1')],
    ['a link leads to another host', links('https://shop.de/', 'https://other.example/fr/collections/all')],
    ['a path only looks like a locale', links('/tv/settings', '/apps/fr', '/a/search')],
  ])('finds no second locale if %s', (_, html) => {
    expect(find(html).locale).toBeNull();
  });

  it('chooses a second locale on the home page’s host if possible', () => {
    const html = alternate('de', 'https://shop.de/') + links('/es/products/taza') + alternate('fr', '/fr');
    expect(find(html).locale).toBe('https://shop.example/fr');
    expect(find(alternate('de', 'https://shop.de/') + links('/es/products/taza')).locale).toBe(
      'https://shop.example/es',
    );
  });
});

describe('page search on a malicious home page', () => {
  const part = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom(
      '/products/',
      '/collections/',
      '/blogs/',
      'https://',
      '//',
      '..',
      '/fr',
      'shop.example',
      '@',
      '\\',
      '"',
      '?',
      '#',
    ),
  );
  const href = fc.array(part, { maxLength: 6 }).map(parts => parts.join(''));

  it('never returns a URL on another host, except for the home page of an alternate locale', () => {
    fc.assert(
      fc.property(fc.array(href, { maxLength: 8 }), fc.array(href, { maxLength: 3 }), (targets, alternates) => {
        const html = links(...targets) + alternates.map(one => alternate('fr', one)).join('');
        const { locale, ...others } = find(html);
        for (const url of Object.values(others)) {
          if (url === null) continue;
          expect(new URL(url).host).toBe('shop.example');
        }
        if (locale !== null && URL.canParse(locale)) expect(new URL(locale).pathname).toMatch(/^\/[\w-]{0,10}$/);
        expect(find(html)).toEqual({ locale, ...others });
      }),
    );
  });

  it('finds one page of each type even if the page has 200,000 links', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => `<a href="/products/${i}">${i}</a><a href="/fr/collections/${i}">`).join(
        '',
      );
    expect(find(many(100_000))).toMatchObject({ product: 'https://shop.example/products/0' });
  });
});

describe('storefront home page URL', () => {
  it.each([
    ['https://shop.example', HOME],
    ['https://shop.example/products/mug?v=1', HOME],
    ['https://shop.example/fr-ca/products/mug#top', 'https://shop.example/fr-ca'],
  ])('returns the home page for %s in the same locale', (url, expected) => {
    expect(siteHomeUrl(url)).toBe(expected);
  });
});
