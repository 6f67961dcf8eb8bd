import { html } from 'hono/html';
import { type Html, type HtmlPage, page } from './page.ts';

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
export function publicPage({
  section,
  ...shown
}: Pick<HtmlPage, 'title' | 'body' | 'script' | 'feeds'> & { section?: PublicSection }): Html {
  const navigation = html`<nav class="tabs" aria-label="Pages">
${Object.entries(SECTIONS).map(
  ([path, label]) => html`<a href="${path}"${path === section && html` aria-current="page"`}>${label}</a>`,
)}
</nav>`;
  return page({ ...shown, navigation, home: '/' });
}
