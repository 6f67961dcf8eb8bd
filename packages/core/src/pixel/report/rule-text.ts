import { html, type Markup } from './markup.ts';

/**
 * Returns a rule text without the backticks around its code spans, for output without markup.
 *
 * @example plainRuleText('Call `init` first.') // 'Call init first.'
 */
export const plainRuleText = (text: string): string => text.replaceAll('`', '');

/** Returns a rule text as HTML, with its code spans as `<code>`. */
export const ruleTextMarkup = (text: string): Markup =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;

/** Escapes page text for Markdown, so that the text never becomes markup. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]()<>#+\-.!|~]/g, '\\$&');
