// The pages of rules, lists and error codes as Markdown, made from the very pages that the service serves: one wording for both.
import { contextMetas, driftRules, pageRules } from '@compliance/core/pixel';
import { listHistories, listsInForce } from '@compliance/core/tariff';
import type { Element, ElementContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toMdast } from 'hast-util-to-mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { visit } from 'unist-util-visit';
import { errorPage } from '../src/docs/errors.ts';
import { listPage, listsPage } from '../src/docs/lists.ts';
import { sections } from '../src/docs/reference/sections.ts';
import { rulePage, rulesPage } from '../src/docs/rules.ts';
import { ERRORS, type ErrorCode } from '../src/error-codes.ts';

/** The day on which the pages of lists are true as they are written: the last one through which the lists are known. */
const { known_through } = listsInForce('2026-01-01');
const THAT_DAY = Date.parse(`${known_through}T12:00:00Z`);

/**
 * Every page by its path in `docs/`.
 *
 * @example (await markdownPages())['errors/beta.md'] // '[Errors](README.md)\n\n# `beta`\n…'
 */
export async function markdownPages(): Promise<Record<string, string>> {
  const errors = sections('').after.find(({ id }) => id === 'errors')!;
  const pages: [string, unknown][] = [
    ['rules/README.md', rulesPage()],
    ...[...pageRules, ...driftRules].map(({ meta: { id } }): [string, unknown] => [
      `rules/${id}.md`,
      rulePage(id)!.body,
    ]),
    ...contextMetas.map(({ id }): [string, unknown] => [`rules/${id}.md`, rulePage(id)!.body]),
    ['lists/README.md', listsPage(THAT_DAY)],
    ...listHistories().map(({ id }): [string, unknown] => [`lists/${id}.md`, listPage(id, THAT_DAY)!.body]),
    ['errors/README.md', `<h1>${errors.title}</h1>${await errors.body}`],
    ...Object.keys(ERRORS).map((code): [string, unknown] => [`errors/${code}.md`, errorPage(code as ErrorCode)]),
  ];
  return Object.fromEntries(
    await Promise.all(pages.map(async ([path, html]) => [path, markdown(String(await html), path.split('/')[0]!)])),
  );
}

function markdown(html: string, folder: string): string {
  const page = fromHtml(html, { fragment: true });
  visit(page, 'element', element => adapt(element, folder));
  return toMarkdown(toMdast(page), { bullet: '-', extensions: [gfmToMarkdown()] });
}

/** Turns what only HTML can say into what Markdown can. */
function adapt(element: Element, folder: string): void {
  const { tagName, properties, children } = element;
  if (tagName === 'a' && String(properties.href).startsWith('/')) {
    const file = fileOf(String(properties.href), folder);
    // What only the service has is named, without a link.
    if (file === null) element.tagName = 'span';
    else properties.href = file;
  }
  if ([properties.className].flat().includes('mono')) {
    element.children = [{ type: 'element', tagName: 'code', properties: {}, children }];
  }
  // What stands at the two ends of a line.
  if ([properties.className].flat().includes('between')) {
    element.children = children.flatMap((child, i) => (i === 0 ? [child] : [{ type: 'text', value: ' · ' }, child]));
  }
  // Pairs of a name and a value become the lines of a list.
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

/** The file of a page by its address, seen from a folder of `docs/`; null when it has none. */
function fileOf(address: string, folder: string): string | null {
  const [, there, name = 'README'] = /^\/docs[/#](rules|lists|errors)(?:\/([\w-]+))?$/.exec(address) ?? [];
  if (there === undefined) return null;
  return there === folder ? `${name}.md` : `../${there}/${name}.md`;
}
