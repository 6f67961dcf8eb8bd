import type { Nodes, Parents } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { Collected, type SourceFile, type TextPool, type Unit, type UnitKind } from './unit.ts';

/** Extracts headings, paragraphs, list items, and table cells from a Markdown file. Keeps inline code in backticks. */
export function extractMarkdown(source: SourceFile, pool: TextPool): Unit[] {
  const frontMatter = /^---\n.*?\n---\n/s.exec(source.text)?.[0] ?? '';
  const markdown = frontMatter.replace(/[^\n]/g, ' ') + source.text.slice(frontMatter.length);
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const units: Unit[] = [];
  const visit = (node: Nodes, parent: Parents | undefined) => {
    const kind = kindOf(node, parent);
    if (kind) {
      const collected = new Collected();
      collect(node, markdown, collected);
      const unit = collected.unit(source, kind, pool);
      if (unit) units.push(unit);
    } else if ('children' in node) {
      for (const child of node.children) visit(child, node);
    }
  };
  visit(tree, undefined);
  return units;
}

function kindOf(node: Nodes, parent: Parents | undefined): UnitKind | undefined {
  if (node.type === 'heading') return 'heading';
  if (node.type === 'tableCell') return 'cell';
  if (node.type === 'paragraph') return parent?.type === 'listItem' ? 'item' : 'paragraph';
  return undefined;
}

/** Adds the source text of a node, so that stray escapes remain visible. */
function collect(node: Nodes, markdown: string, into: Collected): void {
  if (node.type === 'html') return;
  const start = node.position!.start.offset!;
  const end = node.position!.end.offset!;
  if (node.type === 'text' || node.type === 'inlineCode') {
    let offset = start;
    for (const [index, line] of markdown.slice(start, end).split('\n').entries()) {
      const indent = index === 0 ? 0 : /^[\s>]*/.exec(line)![0].length;
      if (index > 0) into.add(' ', offset - 1);
      into.add(line.slice(indent), offset + indent);
      offset += line.length + 1;
    }
  } else if (node.type === 'image') {
    into.add(node.alt ?? '', start + 2);
  } else if (node.type === 'break') {
    into.add(' ', start);
  } else if ('children' in node) {
    for (const child of node.children) collect(child, markdown, into);
  }
}
