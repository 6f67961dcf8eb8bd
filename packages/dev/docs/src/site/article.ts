import type { Html } from '@compliance/api/pages';
import type { Element } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { raw } from 'hono/html';
import { toHast } from 'mdast-util-to-hast';
import { visit } from 'unist-util-visit';
import type { MarkdownPage } from '../pages/pages.ts';

/** Renders a page as HTML. Raw HTML in the Markdown is dropped, and wide tables scroll in their own container. */
export function articleOf({ tree, headings }: MarkdownPage): Html {
  for (const { heading, anchor } of headings) heading.data = { hProperties: { id: anchor } };
  const article = toHast(tree);
  visit(article, 'element', (element, index, parent) => {
    if (element.tagName === 'pre') element.properties.tabIndex = 0;
    if (element.tagName !== 'table' || !parent || index === undefined) return;
    const frame: Element = {
      type: 'element',
      tagName: 'div',
      properties: { className: ['wide'], tabIndex: 0 },
      children: [element],
    };
    parent.children[index] = frame;
    return index + 2;
  });
  return raw(toHtml(article));
}
