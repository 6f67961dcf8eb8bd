import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';

/**
 * Returns a page's elements with their attribute names, in document order. User input must never change a page's
 * elements or attributes.
 */
export function skeleton(page: string): string {
  const lines: string[] = [];
  const visit = (node: Tree.Node, depth: number) => {
    if ('tagName' in node) {
      lines.push(`${' '.repeat(depth)}${node.tagName} ${node.attrs.map(({ name }) => name).join(' ')}`);
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child, depth + 1);
  };
  visit(parse(page), 0);
  return lines.join('\n');
}

/** Returns the visible text of a page, including the values of its form fields. */
export function visibleText(page: string): string {
  const found: string[] = [];
  const visit = (node: Tree.Node) => {
    if (node.nodeName === '#text') found.push((node as Tree.TextNode).value);
    if ('attrs' in node) found.push(...node.attrs.filter(({ name }) => name === 'value').map(({ value }) => value));
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(page));
  return found.join('\n');
}
