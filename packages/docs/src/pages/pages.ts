import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import type { Code, Heading, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString as textOf } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { visit } from 'unist-util-visit';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** What is made or installed, and not written. */
const NOT_OURS = ['node_modules', '.git', 'dist', 'build', 'data', 'coverage'];

/** A page of Markdown, read. */
export interface Page {
  /** From the root, as in `docs/guides/self-host.md`. */
  path: string;
  /** Its first heading. */
  title: string;
  tree: Root;
  /** Each heading with its anchor, in order. */
  headings: { heading: Heading; text: string; anchor: string }[];
  /** Where its links and pictures lead, as written. */
  links: { address: string; text: string; line: number }[];
  /** Its blocks of code, those in lists and quotes too. */
  blocks: Code[];
}

/** The path of every page of the repository, in order. */
export function pagePaths(): string[] {
  return globSync('**/*.md', { cwd: ROOT, exclude: name => NOT_OURS.includes(name.split('/').at(-1)!) }).sort();
}

/**
 * Reads a page. Its anchors are those that GitHub gives.
 *
 * @example readPage('README.md').title // 'Portfolio Compliance'
 */
export function readPage(path: string): Page {
  const tree = fromMarkdown(readFileSync(join(ROOT, path), 'utf8'), {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const page: Page = { path, title: path, tree, headings: [], links: [], blocks: [] };
  const slugger = new GithubSlugger();
  visit(tree, node => {
    if (node.type === 'heading')
      page.headings.push({ heading: node, text: textOf(node), anchor: slugger.slug(textOf(node)) });
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') {
      page.links.push({ address: node.url, text: textOf(node), line: node.position!.start.line });
    }
    if (node.type === 'code') page.blocks.push(node);
  });
  const [first] = page.headings;
  if (first) page.title = first.text;
  return page;
}

/** Where an address that stands on a page leads within the repository, from its root; null when it leads out of it. */
export function targetOf(page: Page, address: string): { path: string; anchor: string } | null {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(address)) return null;
  const { pathname, hash } = new URL(address, `file:///${page.path}`);
  return { path: decodeURIComponent(pathname.slice(1)).replace(/\/$/, ''), anchor: decodeURIComponent(hash.slice(1)) };
}
