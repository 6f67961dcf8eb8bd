import { html } from 'hono/html';
import type { Html } from './page.ts';

/** A moment (ms since epoch) to the minute, in UTC. */
export function moment(time: number): Html {
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}

/** The UTC day of a moment (ms since epoch), or a dash for none. */
export function day(time: number | null): Html {
  if (time === null) return html`<span class="quiet">never</span>`;
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)}</time>`;
}
