import { en, SUPPORTED_LANGUAGES, type Translation } from '@compliance/translations';
import { html, raw } from 'hono/html';

/**
 * Escaped HTML from the `html` template tag, which escapes all values. Always put attribute values in quotation marks.
 */
export type Html = ReturnType<typeof html>;

/** The language of a page that exists in several languages. */
export interface PageLanguage {
  /** The language's strings. */
  readonly translation: Translation;
  /** Path of the page without `lang`, which is the canonical path of the English page. */
  readonly path: string;
}

/** Page content and settings. */
export interface HtmlPage {
  title: string;
  body: Html;
  /** Links and buttons next to the product name. */
  navigation?: Html | undefined;
  /** Link target for the product name. */
  home: string;
  /** The path of a script that enhances the page. The page must also work without the script. */
  script?: string | undefined;
  /** The page's language, if the page exists in several languages. Default: English. */
  language?: PageLanguage | undefined;
  /** Feeds that the page links to, so that feed readers can discover them. */
  feeds?: readonly { readonly type: string; readonly path: string; readonly title: string }[] | undefined;
}

/** Path of the stylesheet, which `pageAssets` serves. */
export const STYLESHEET = '/assets/style.css';

const MARK = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect x="1.5" y="1.5" width="29" height="29" rx="8"/><path d="M9 16.6l4.8 4.9L23 10.8"/></svg>`;

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#0d5f5a"/><path d="M9 16.6l4.8 4.9L23 10.8" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;

/**
 * Renders a complete page with the product's design. The page works without scripts and doesn't load content from
 * other sites.
 *
 * @example
 * return c.html(page({ title: 'Keys', home: '/operator', body: html`<h1>Keys</h1>` }));
 */
export function page({ title, body, navigation, home, script, language, feeds = [] }: HtmlPage): Html {
  const { locale, pages: text } = language?.translation ?? en;
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Portfolio Compliance</title>
<link rel="icon" href="${raw(ICON)}">
<link rel="stylesheet" href="${STYLESHEET}">${language && alternates(language)}${feeds.map(
    ({ type, path, title: name }) => html`
<link rel="alternate" type="${type}" title="${name}" href="${path}">`,
  )}${
    script &&
    html`
<script src="${script}" defer></script>`
  }
</head>
<body>
<a class="skip" href="#content">${text.skip}</a>
<header class="top">
<a class="brand" href="${home}">${raw(MARK)}<span>Portfolio Compliance</span></a>
${navigation}
</header>
<main id="content" tabindex="-1">
${body}
</main>
<footer class="bottom">${language && languageSwitch(language)}<p>${text.disclaimer}</p></footer>
</body>
</html>`;
}

/**
 * Returns the path of a page in the given language. A path without `lang` opens the English page, unless the browser
 * prefers another supported language.
 *
 * @example pathIn('/docs/rules', 'de') // '/docs/rules?lang=de'
 */
export const pathIn = (path: string, locale: string): string => `${path}?lang=${locale}`;

function alternates({ translation: { locale }, path }: PageLanguage): Html {
  return html`
<link rel="canonical" href="${locale === 'en' ? path : pathIn(path, locale)}">
<link rel="alternate" hreflang="x-default" href="${path}">${SUPPORTED_LANGUAGES.map(
    tag => html`
<link rel="alternate" hreflang="${tag}" href="${tag === 'en' ? path : pathIn(path, tag)}">`,
  )}`;
}

function languageSwitch({ translation: { locale, pages: text }, path }: PageLanguage): Html {
  return html`<nav class="languages" aria-label="${text.language}">
${SUPPORTED_LANGUAGES.map(
  tag =>
    html`<a href="${pathIn(path, tag)}" lang="${tag}" hreflang="${tag}"${tag === locale && html` aria-current="true"`}>${nameOf(tag)}</a>\n`,
)}</nav>`;
}

/** Returns the name of a language in that language. */
const nameOf = (tag: string): string => {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
};
