import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Page, pagePaths, ROOT, readPage, targetOf } from './pages.ts';

/** Where the pages may send a reader: to those who make the law and the platforms, and to one source that a list cites. */
const OFFICIAL = [
  'content.govdelivery.com/attachments/USDHSCBP/',
  'developers.facebook.com/',
  'developers.google.com/',
  'github.com/Budget-Lab-Yale/tariff-rate-tracker',
  'hts.usitc.gov',
  'shopify.dev/',
  'support.google.com/',
  'www.federalregister.gov/',
  'www.govinfo.gov/',
  'www.whitehouse.gov/',
];

const pages = new Map(pagePaths().map(path => [path, readPage(path)]));

/** What is wrong with a link; null when it leads somewhere. */
function fault(page: Page, address: string): string | null {
  const target = targetOf(page, address);
  if (target === null) {
    if (/^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(address)) return null;
    if (OFFICIAL.some(place => `${address}/`.startsWith(`https://${place}`))) return null;
    return 'leads out, and not over https to a place that is in the list';
  }
  const { path, anchor } = target;
  if (!existsSync(join(ROOT, path))) return 'leads to nothing';
  if (anchor === '') return null;
  const file = statSync(join(ROOT, path)).isDirectory() ? join(path, 'README.md') : path;
  return pages.get(file)?.headings.some(heading => heading.anchor === anchor)
    ? null
    : 'names a heading that is not there';
}

describe('the links of every page', () => {
  it('are there to be followed', () => {
    expect(pages.size).toBeGreaterThan(150);
    expect([...pages.values()].flatMap(({ links }) => links).length).toBeGreaterThan(400);
  });

  it.each([...pages])('%s', (_, page) => {
    const faults = page.links.flatMap(({ address, line }) => {
      const found = fault(page, address);
      return found === null ? [] : `${page.path}:${line}: ${address} ${found}`;
    });
    expect(faults).toEqual([]);
  });

  it('leave no page of docs/ out: each can be reached from its index', () => {
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
