import { html } from 'hono/html';
import type { Html } from './page.ts';

/** A sentence with code in backticks. @example prose('Send `as_of`.') // Send <code>as_of</code>. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

const ADDRESS = /(https?:\/\/[^\s;,]+)/;

/** A text in which the web addresses are links. */
export function linked(text: string): Html {
  return html`${text.split(ADDRESS).map((part, i) => (i % 2 === 1 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : part))}`;
}
