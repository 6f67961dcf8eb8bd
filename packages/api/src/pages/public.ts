import { html } from 'hono/html';
import { type Html, page } from './page.ts';

/** The public pages, in the order of the navigation. */
const SECTIONS = {
  '/': 'Check',
  '/docs': 'API',
  '/docs/rules': 'Rules',
  '/docs/lists': 'Lists',
  '/beta': 'Get a key',
} as const;

/** A public page in the navigation, by its path. */
export type PublicSection = keyof typeof SECTIONS;

/**
 * A page that everyone may read, with the way to the others.
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
