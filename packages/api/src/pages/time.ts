import { html } from 'hono/html';
import type { Html } from './page.ts';

/** Renders a time (milliseconds since the Unix epoch) in UTC, to the minute. */
export function dateTime(time: number): Html {
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}

/** Renders the UTC date of a timestamp (milliseconds since the Unix epoch), or `never` for null. */
export function dayElement(time: number | null): Html {
  if (time === null) return html`<span class="quiet">never</span>`;
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)}</time>`;
}
