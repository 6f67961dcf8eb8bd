import { html } from 'hono/html';
import type { Html } from './page.ts';

/**
 * Renders text and converts code in backticks to `<code>` elements.
 *
 * @example prose('Send `as_of`.') // Send <code>as_of</code>.
 */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

const URL_PATTERN = /(https?:\/\/[^\s;,]+)/;

/** Renders text and converts its URLs to links. */
export function linked(text: string): Html {
  return html`${text.split(URL_PATTERN).map((part, i) => (i % 2 === 1 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : part))}`;
}
