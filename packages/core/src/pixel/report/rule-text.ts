import { html, type Markup } from './markup.ts';

/**
 * Returns rule text as plain text, without the backticks around code spans.
 *
 * @example plainRuleText('Call `init` first.') // 'Call init first.'
 */
export const plainRuleText = (text: string): string => text.replaceAll('`', '');

/** Returns rule text as HTML, with code spans as `<code>` elements. */
export const ruleTextMarkup = (text: string): Markup =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;

/** Escapes text from the page for Markdown, so that the text is never interpreted as markup. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]()<>#+\-.!|~]/g, '\\$&');
