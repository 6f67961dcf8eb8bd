import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';
import { linked } from '../pages/prose.ts';

/**
 * A block in a section: a paragraph, a list, or preformatted code. Paragraphs and list items can contain Markdown code
 * spans and URLs. `lang` is the list's language, if it differs from the page's language.
 */
export type DocBlock =
  | { readonly text: string }
  | { readonly list: readonly string[]; readonly lang?: string }
  | { readonly code: string };

/** A section of a documentation page, rendered as HTML by the service and as Markdown in `docs/`. */
export interface DocSection {
  readonly title: string;
  readonly blocks: readonly DocBlock[];
}

/** Renders sections as HTML. */
export const sectionsHtml = (sections: readonly DocSection[]): Html =>
  html`${sections.map(({ title, blocks }) => html`<section><h2>${title}</h2>${blocks.map(blockHtml)}</section>\n`)}`;

function blockHtml(block: DocBlock): Html {
  if ('text' in block) return html`<p>${inlineHtml(block.text)}</p>`;
  if ('list' in block)
    return html`<ul${block.lang !== undefined && html` lang="${block.lang}"`}>${block.list.map(item => html`<li>${inlineHtml(item)}</li>`)}</ul>`;
  return html`<pre tabindex="0"><code>${block.code}</code></pre>`;
}

const inlineHtml = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : linked(part)))}`;

/**
 * Renders sections as Markdown.
 *
 * @example sectionsMarkdown([{ title: 'Why', blocks: [{ text: 'See `init`.' }] }]) // '## Why\n\nSee `init`.'
 */
export const sectionsMarkdown = (sections: readonly DocSection[]): string =>
  sections.map(({ title, blocks }) => [`## ${title}`, ...blocks.map(blockMarkdown)].join('\n\n')).join('\n\n');

function blockMarkdown(block: DocBlock): string {
  if ('text' in block) return inlineMarkdown(block.text);
  if ('list' in block) return block.list.map(item => `- ${inlineMarkdown(item)}`).join('\n');
  return ['```json', block.code, '```'].join('\n');
}

/** Escapes `<` outside code spans and formats URLs as links. */
const inlineMarkdown = (text: string): string =>
  text
    .split('`')
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll('<', '&lt;').replace(/https?:\/\/[^\s;,]+/g, '<$&>')))
    .join('`');
