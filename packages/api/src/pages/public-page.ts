import { html } from 'hono/html';
import { type Html, page } from './page.ts';

/** The public pages, in navigation order. */
const SECTIONS = {
  '/': 'Check',
  '/docs': 'API',
  '/docs/rules': 'Rules',
  '/docs/lists': 'Lists',
  '/beta': 'Request a key',
} as const;

/** Path of a public page in the navigation. */
export type PublicSection = keyof typeof SECTIONS;

/**
 * Renders a public page with the navigation.
 *
 * @example
 * return c.html(await publicPage({ title: 'Rules', section: '/docs/rules', body: html`<h1>Rules</h1>` }));
 */
export function publicPage(shown: { title: string; body: Html; section?: PublicSection; script?: string }): Html {
  const navigation = html`<nav class="tabs" aria-label="Pages">
${Object.entries(SECTIONS).map(
  ([path, label]) => html`<a href="${path}"${path === shown.section && html` aria-current="page"`}>${label}</a>`,
)}
</nav>`;
  return page({ title: shown.title, body: shown.body, script: shown.script, navigation, home: '/' });
}
