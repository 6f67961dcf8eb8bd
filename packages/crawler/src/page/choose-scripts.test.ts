import { describe, expect, it } from 'vitest';
import { chooseScripts } from './choose-scripts.ts';
import type { ScriptList } from './list-scripts.ts';

const page = new URL('https://www.shop.example/collections/all');

function choose(
  sources: string[],
  { base = null, ids = [] as string[], googleTags = false, most = 20, more = 0 } = {},
) {
  const listing: ScriptList = { base, sources, googleTags: ids, more };
  const { wanted, notes } = chooseScripts(listing, page, { googleTags, most });
  return { wanted: wanted.map(url => url.href), notes };
}

describe('chooseScripts', () => {
  it("includes scripts from the same site and its subdomains, and the shop's scripts on Shopify's CDN", () => {
    const own = [
      'https://www.shop.example/cdn/shop/t/3/assets/theme.js?v=1',
      'https://assets.shop.example/bundle.js',
      'https://cdn.shopify.com/s/files/1/0001/0002/t/3/assets/theme.js',
      'https://cdn.shopify.com/extensions/0190-uuid/app-1/assets/embed.js',
    ];
    expect(choose(own)).toEqual({ wanted: own, notes: [] });
  });

  it('resolves script URLs against the page’s base URL', () => {
    expect(choose(['a.js'], { base: 'https://cdn.shop.example/x/' as never }).wanted).toEqual([
      'https://cdn.shop.example/x/a.js',
    ]);
    expect(choose(['a.js'], { base: 'http://[' as never }).wanted).toEqual([
      'https://www.shop.example/collections/a.js',
    ]);
  });

  it('includes each Google tag once, whether a URL or an inline script loads the tag', () => {
    const sources = ['https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234'];
    const asked = choose(sources, { ids: ['G-ABCDEF1234', 'GTM-ABC123'], googleTags: true });
    expect(asked.wanted).toEqual(['https://www.googletagmanager.com/gtm.js?id=GTM-ABC123', ...sources]);
    expect(choose(sources).notes).toMatchObject([{ reason: 'tag', count: 1 }]);
  });

  it('puts containers before other Google tags and before the shop’s own scripts', () => {
    const own = ['https://www.shop.example/a.js', 'https://www.shop.example/b.js'];
    const { wanted, notes } = choose(own, { ids: ['G-ABCDEF1234', 'GTM-ABC123'], googleTags: true, most: 3 });
    expect(wanted).toEqual([
      'https://www.googletagmanager.com/gtm.js?id=GTM-ABC123',
      'https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234',
      own[0],
    ]);
    expect(notes).toMatchObject([{ reason: 'over_limit', urls: [own[1]] }]);
  });

  it('includes at most eight Google tags, so that the shop’s own scripts are fetched too', () => {
    const ids = Array.from({ length: 30 }, (_, index) => `GTM-A${String(index).padStart(4, '0')}`);
    const { wanted, notes } = choose(['https://www.shop.example/a.js'], { ids, googleTags: true });
    expect(wanted).toHaveLength(9);
    expect(wanted).toContain('https://www.shop.example/a.js');
    expect(notes).toMatchObject([{ reason: 'over_limit', count: 22 }]);
  });
});

describe('chooseScripts with scripts to skip', () => {
  it('skips scripts from other shops on a shared host', () => {
    const { wanted, notes } = chooseScripts(
      { base: null, sources: ['https://b.myshopify.com/x.js'], googleTags: [], more: 0 },
      new URL('https://a.myshopify.com/'),
      { googleTags: false, most: 20 },
    );
    expect(wanted).toEqual([]);
    expect(notes).toMatchObject([{ reason: 'third_party' }]);
  });

  it('counts scripts whose URLs the crawler never fetches, but doesn’t list those URLs', () => {
    const none = [
      'https://shop.example:8443/x.js',
      'blob:https://x/1',
      'javascript:1',
      'http://[',
      'file:///x',
      'https://a:b@c.d/',
    ];
    expect(choose(none)).toEqual({
      wanted: [],
      notes: [{ code: 'scripts_left_out', reason: 'invalid_url', count: none.length, urls: [] }],
    });
    expect(choose(['data:text/javascript,1'])).toEqual({ wanted: [], notes: [] });
  });

  it('counts a page’s scripts beyond the first 1,000 as skipped', () => {
    expect(choose([], { more: 7 }).notes).toEqual([
      { code: 'scripts_left_out', reason: 'over_limit', count: 7, urls: [] },
    ]);
  });

  it('adds a note that lists the first ten skipped scripts and counts all of them', () => {
    const many = Array.from({ length: 500 }, (_, index) => `https://other.example/${index}.js`);
    const [note] = choose(many).notes;
    expect(note).toMatchObject({ reason: 'third_party', count: 500, urls: many.slice(0, 10) });
  });
});
