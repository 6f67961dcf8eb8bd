import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHED } from '@compliance/workspace/published';
import { describe, expect, it } from 'vitest';
import { type MarkdownPage, pagePaths, REPOSITORY_ROOT, REPOSITORY_URL, readMarkdownPage, targetOf } from './pages.ts';

/** External sites that pages can link to, such as government sites, standards, and vendors' developer documentation. */
const OFFICIAL = [
  'ads.tiktok.com/help/',
  'community.klaviyo.com/product-updates-announcements-51/',
  'content.govdelivery.com/attachments/USDHSCBP/',
  'developer.x.com/',
  'developers.facebook.com/',
  'developers.google.com/',
  'developers.klaviyo.com/',
  'developers.pinterest.com/',
  'developers.snap.com/',
  'github.com/Budget-Lab-Yale/tariff-rate-tracker',
  'github.com/duckduckgo/autoconsent',
  'github.com/linkedin/linkedin-gtm-community-template',
  'github.com/pinterest/api-description',
  'github.com/reddit/reddit-gtm-template',
  'github.com/standard-webhooks/standard-webhooks',
  'github.com/tiktok/gtm-template-pixel',
  'help.pinterest.com/',
  'help.shopify.com/',
  'hts.usitc.gov',
  'learn.microsoft.com/',
  'shopify.dev/',
  'support.google.com/',
  'tc39.es/ecma262/',
  'www.federalregister.gov/',
  'www.govinfo.gov/',
  'www.standardwebhooks.com/',
  'www.whitehouse.gov/',
];

/** Third-party documentation for API calls that the vendors themselves don't document publicly. */
const THIRD_PARTY = [
  'c15t.com/docs/integrations/pinterest-tag',
  'docs.tealium.com/client-side-tags/snap-pixel-tag',
  'github.com/combindma/laravel-linkedin-insight-tag',
  'github.com/nuxt/scripts/issues/166',
  'help.consentmanager.net/books/cmp/page/working-with-microsoft-advertising-uet-consent-mode',
  'opsblu.com/documentation/ad-platforms/x-ads',
];

const pages = new Map(pagePaths().map(path => [path, readMarkdownPage(path)]));

/** Returns a description of the problem with a link, or null if the link works. */
function fault(page: MarkdownPage, address: string): string | null {
  const target = targetOf(page, address);
  if (target === null) {
    if (/^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(address)) return null;
    if ([...OFFICIAL, ...THIRD_PARTY].some(place => `${address}/`.startsWith(`https://${place}`))) return null;
    return 'is an external link that is not in the list of allowed sites';
  }
  const { path, anchor } = target;
  if (!existsSync(join(REPOSITORY_ROOT, path))) return 'does not exist';
  if (anchor === '') return null;
  const file = statSync(join(REPOSITORY_ROOT, path)).isDirectory() ? join(path, 'README.md') : path;
  return pages.get(file)?.headings.some(heading => heading.anchor === anchor)
    ? null
    : 'names a heading that does not exist';
}

describe('documentation links', () => {
  it('finds links and pages throughout the repository', () => {
    expect(pages.size).toBeGreaterThan(150);
    expect([...pages.values()].flatMap(({ links }) => links).length).toBeGreaterThan(400);
  });

  it.each([...pages])('finds no broken links on %s', (_, page) => {
    const faults = page.links.flatMap(({ address, line }) => {
      const found = fault(page, address);
      return found === null ? [] : `${page.path}:${line}: ${address} ${found}`;
    });
    expect(faults).toEqual([]);
  });

  // Registries show a README without the rest of the repository.
  it.each([...PUBLISHED, 'tariff-data', 'clients/node', 'clients/python', 'clients/go'])(
    'uses only absolute links in the published README of %s',
    place => {
      const page = pages.get(`packages/${place}/README.md`)!;
      const relative = page.links.flatMap(({ address, line }) => {
        const target = address.startsWith('#') || address.includes(':') ? null : targetOf(page, address);
        return target ? [`line ${line}: replace ${address} with ${REPOSITORY_URL}/blob/main/${target.path}`] : [];
      });
      expect(relative).toEqual([]);
    },
  );

  it('treats absolute links to this repository like relative links', () => {
    const page = pages.get('packages/cli/README.md')!;
    const target = { path: 'docs/guides/self-host.md', anchor: 'traces' };
    expect(targetOf(page, `${REPOSITORY_URL}/blob/main/docs/guides/self-host.md#traces`)).toEqual(target);
    expect(fault(page, `${REPOSITORY_URL}/blob/main/docs/guides/none.md`)).toBe('does not exist');
    expect(fault(page, `${REPOSITORY_URL}/issues`)).toBe('does not exist');
  });

  it('reaches every page in docs/ by following links from the index', () => {
    const reached = new Set<string>();
    const open = ['docs/README.md'];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const page = pages.get(path) ?? pages.get(`${path}/README.md`);
      if (!page || reached.has(page.path)) continue;
      reached.add(page.path);
      open.push(...page.links.flatMap(({ address }) => targetOf(page, address)?.path ?? []));
    }
    expect([...pages.keys()].filter(path => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
  });
});
