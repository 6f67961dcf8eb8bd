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

/** Absolute path to the repository root. */
export const REPOSITORY_ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));

/** Folders with generated or installed files, which aren't searched for pages. */
const NOT_OURS = ['node_modules', '.git', 'dist', 'build', 'data', 'coverage'];

const { repository } = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'package.json'), 'utf8')) as {
  repository: { url: string };
};

/** URL of the repository's home page, without a trailing slash. */
export const REPOSITORY_URL = repository.url.replace(/^git\+|\.git$/g, '');

/** A parsed Markdown page. */
export interface MarkdownPage {
  /** Path relative to the repository root, such as `docs/guides/self-host.md`. */
  path: string;
  /** Text of the first heading. */
  title: string;
  tree: Root;
  /** Headings with their anchors, in order. */
  headings: { heading: Heading; text: string; anchor: string }[];
  /** Link and image targets, as written on the page. */
  links: { address: string; text: string; line: number }[];
  /** Code blocks, including those in lists and quotes. */
  blocks: Code[];
}

/** Returns the sorted paths to all Markdown pages in the repository. */
export function pagePaths(): string[] {
  return globSync('**/*.md', {
    cwd: REPOSITORY_ROOT,
    exclude: name => NOT_OURS.includes(name.split('/').at(-1)!),
  }).sort();
}

/**
 * Reads and parses a page. Anchors are the same as on GitHub.
 *
 * @example readMarkdownPage('README.md').title // 'Portfolio Compliance'
 */
export function readMarkdownPage(path: string): MarkdownPage {
  const text = readFileSync(join(REPOSITORY_ROOT, path), 'utf8');
  const known = parsed.get(path);
  if (known?.text === text) return known.page;
  const page = parseMarkdownPage(path, text);
  parsed.set(path, { text, page });
  return page;
}

/** Parsed pages by path. A page whose text has changed is parsed again. */
const parsed = new Map<string, { readonly text: string; readonly page: MarkdownPage }>();

function parseMarkdownPage(path: string, text: string): MarkdownPage {
  const tree = fromMarkdown(text, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const page: MarkdownPage = { path, title: path, tree, headings: [], links: [], blocks: [] };
  const slugger = new GithubSlugger();
  visit(tree, node => {
    if (node.type === 'heading')
      page.headings.push({ heading: node, text: textOf(node), anchor: slugger.slug(textOf(node)) });
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') {
      page.links.push({ address: node.url, text: textOf(node), line: node.position!.start.line });
      node.url = withoutRepository(node.url);
    }
    if (node.type === 'code') page.blocks.push(node);
  });
  const [first] = page.headings;
  if (first) page.title = first.text;
  return page;
}

/** Resolves a page's link to a path relative to the repository root. Returns null for an external link. */
export function targetOf(page: MarkdownPage, address: string): { path: string; anchor: string } | null {
  const local = withoutRepository(address);
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(local)) return null;
  const { pathname, hash } = new URL(local, `file:///${page.path}`);
  return { path: decodeURIComponent(pathname.slice(1)).replace(/\/$/, ''), anchor: decodeURIComponent(hash.slice(1)) };
}

/** Converts an absolute link to this repository's main branch into a link relative to the site root. */
function withoutRepository(address: string): string {
  if (!address.startsWith(`${REPOSITORY_URL}/`)) return address;
  return address.slice(REPOSITORY_URL.length).replace(/^\/(blob|tree)\/main(?=\/)/, '');
}
