// Generates the rule, list, and error pages in Markdown. List pages are converted from the service's HTML pages.
import { DATASET, listHistories, listsInForce } from '@compliance/core/tariff';
import type { Element, ElementContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toMdast } from 'hast-util-to-mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { visit } from 'unist-util-visit';
import { CHANGES_PATH } from '../src/docs/changes.ts';
import { errorsMarkdown } from '../src/docs/errors.ts';
import { listPage, publicListsPage } from '../src/docs/lists.ts';
import { rulesMarkdown } from '../src/docs/rules.ts';

/**
 * Date through which the lists are known to be current. The generated pages describe the lists in force on this date.
 */
const { known_through } = listsInForce('2026-01-01');
const THAT_DAY = Date.parse(`${known_through}T12:00:00Z`);

/**
 * Renders all pages. Returns each page's Markdown, keyed by its path in `docs/`.
 *
 * @example (await markdownPages())['errors/beta.md'] // '[Errors](README.md)\n\n# `beta`\n…'
 */
export async function markdownPages(): Promise<Record<string, string>> {
  const pages: [string, unknown][] = [
    ['lists/README.md', publicListsPage(THAT_DAY, DATASET)],
    ...listHistories().map(({ id }): [string, unknown] => [`lists/${id}.md`, listPage(id, THAT_DAY, DATASET)!.body]),
  ];
  const converted = pages.map(
    async ([path, html]) => [path, markdown(String(await html), path.split('/')[0]!)] as const,
  );
  return {
    ...within('rules', rulesMarkdown()),
    ...within('errors', errorsMarkdown()),
    ...Object.fromEntries(await Promise.all(converted)),
  };
}

function within(folder: string, pages: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(pages).map(([file, text]) => [`${folder}/${file}`, text]));
}

function markdown(html: string, folder: string): string {
  const page = fromHtml(html, { fragment: true });
  visit(page, 'element', element => adapt(element, folder));
  return toMarkdown(toMdast(page), { bullet: '-', extensions: [gfmToMarkdown()] });
}

/** Prepares an element for conversion to Markdown. */
function adapt(element: Element, folder: string): void {
  const { tagName, properties, children } = element;
  if (tagName === 'a' && String(properties.href).startsWith('/')) {
    const file = fileOf(String(properties.href), folder);
    // Some pages exist only in the service, so remove links to them but keep the link text.
    if (file === null) element.tagName = 'span';
    else properties.href = file;
  }
  if ([properties.className].flat().includes('mono')) {
    element.children = [{ type: 'element', tagName: 'code', properties: {}, children }];
  }
  // The stylesheet places these elements at opposite ends of a line. In Markdown, separate them with a dot.
  if ([properties.className].flat().includes('between')) {
    element.children = children.flatMap((child, i) => (i === 0 ? [child] : [{ type: 'text', value: ' · ' }, child]));
  }
  // Convert name-value pairs to list items.
  if (tagName === 'dl') element.tagName = 'ul';
  if (tagName === 'div' && children.some(isNamed('dt'))) {
    element.tagName = 'li';
    element.children = [
      ...children.find(isNamed('dt'))!.children,
      { type: 'text', value: ': ' },
      ...children.find(isNamed('dd'))!.children,
    ];
  }
}

const isNamed =
  (name: string) =>
  (node: ElementContent): node is Element =>
    node.type === 'element' && node.tagName === name;

/**
 * Converts a page's URL path to the path of its Markdown file, relative to `folder` in `docs/`. Returns null if the
 * page has no Markdown file.
 */
function fileOf(address: string, folder: string): string | null {
  const [, there, name = 'README'] = /^\/docs[/#](rules|lists|errors)(?:\/([\w-]+))?$/.exec(address) ?? [];
  if (there === undefined || address === CHANGES_PATH) return null;
  return there === folder ? `${name}.md` : `../${there}/${name}.md`;
}
