import { SAXParser } from 'parse5-sax-parser';

/**
 * A page's script URLs as written, in page order, with the page's first `base` URL and its Google tag IDs. `more` is
 * the number of scripts and tags beyond the first 1,000 of each.
 */
export type ScriptList = { base: string | null; sources: string[]; googleTags: string[]; more: number };

const mostListed = 1_000;

const googleTagId = /\b(?:GTM-[A-Z0-9]{4,10}|G-[A-Z0-9]{6,12}|GT-[A-Z0-9]{6,12}|AW-\d{8,12})\b/g;

/**
 * Lists the scripts that a page loads with `src` (or `data-src`, which optimizers use to delay loading), and the Google
 * tags in its inline scripts.
 *
 * Runs in the pool, because a malicious page can make parsing slow.
 *
 * @example listScripts('<script src="/a.js"></script>') // { base: null, sources: ['/a.js'], googleTags: [], more: 0 }
 */
export function listScripts(html: string): ScriptList {
  const listing: ScriptList = { base: null, sources: [], googleTags: [], more: 0 };
  const tags = new Set<string>();
  let inScript = false;
  const parser = new SAXParser();
  parser.on('startTag', ({ tagName, attrs }) => {
    const value = (name: string) => attrs.find(attr => attr.name === name)?.value;
    if (tagName === 'base') listing.base ??= value('href') ?? null;
    if (tagName !== 'script') return;
    inScript = true;
    const source = value('src') ?? value('data-src');
    if (!source) return;
    if (listing.sources.length < mostListed) listing.sources.push(source);
    else listing.more += 1;
  });
  parser.on('endTag', ({ tagName }) => {
    if (tagName === 'script') inScript = false;
  });
  parser.on('text', ({ text }) => {
    if (inScript) for (const [id] of text.matchAll(googleTagId)) tags.add(id);
  });
  parser.end(html);
  listing.googleTags = [...tags].slice(0, mostListed);
  listing.more += tags.size - listing.googleTags.length;
  return listing;
}
