import { en } from '@compliance/translations';
import { html } from 'hono/html';
import { type Html, type HtmlPage, page, pathIn } from './page.ts';

/** The public pages, in navigation order, with the IDs of their labels. */
const SECTIONS = {
  '/': 'check',
  '/docs': 'api',
  '/docs/rules': 'rules',
  '/docs/lists': 'lists',
  '/beta': 'beta',
} as const;

/** Path of a public page in the navigation. */
export type PublicSection = keyof typeof SECTIONS;

/** The section whose pages exist in several languages. */
const TRANSLATED: PublicSection = '/docs/rules';

/**
 * Renders a public page with the navigation.
 *
 * @example
 * return c.html(await publicPage({ title: 'Rules', section: '/docs/rules', body: html`<h1>Rules</h1>` }));
 */
export function publicPage({
  section,
  ...shown
}: Pick<HtmlPage, 'title' | 'body' | 'script' | 'feeds' | 'language'> & { section?: PublicSection }): Html {
  const { locale, pages: text } = shown.language?.translation ?? en;
  const navigation = html`<nav class="tabs" aria-label="${text.navigation}">
${Object.entries(SECTIONS).map(([path, id]) => {
  const href = path === TRANSLATED && shown.language ? pathIn(path, locale) : path;
  const target = path !== TRANSLATED && locale !== 'en' && html` hreflang="en"`;
  return html`<a href="${href}"${target}${path === section && html` aria-current="page"`}>${text[id]}</a>`;
})}
</nav>`;
  return page({ ...shown, navigation, home: '/' });
}
