import { ERRORS, type ErrorCode } from '@compliance/contract/errors';
import type { Dataset } from '@compliance/core/tariff';
import { en, SUPPORTED_LANGUAGES, type Translation, translationOf } from '@compliance/translations';
import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { etag } from 'hono/etag';
import { html } from 'hono/html';
import { type Html, type PageLanguage, pathIn } from '../pages/page.ts';
import { type PublicSection, publicPage } from '../pages/public-page.ts';
import { pageHeaders } from '../pages/security.ts';
import { CHANGES_PATH, changesPage, FEEDS } from './changes.ts';
import { errorPage } from './errors.ts';
import { listPage, publicListsPage } from './lists.ts';
import { operationSections, referencePage } from './reference/page.ts';
import { REFERENCE_SCRIPT } from './reference/script.ts';
import { rulePage, rulesPage } from './rules.ts';

/** Path of the API reference's script. */
const SCRIPT_PATH = '/assets/reference.js';

/** Documentation page dependencies. */
export interface DocsDeps {
  /** Returns milliseconds since the Unix epoch. */
  clock: () => number;
  /** Returns the data set for a request. */
  dataset: () => Dataset;
  /** The public base URL of the service (default: the request's origin). */
  baseUrl?: string | undefined;
}

/**
 * Creates the documentation pages: the API reference and a page for each error code, scan rule, and tariff list. The
 * pages work without JavaScript and are generated from the definitions that the service itself uses.
 *
 * @example
 * app.route('/', docPages({ clock: Date.now, dataset: () => DATASET }));
 */
export function docPages({ clock, baseUrl, dataset }: DocsDeps): Hono {
  const app = new Hono();
  const [withoutScripts, withScript] = [pageHeaders(baseUrl), pageHeaders(baseUrl, { scripted: true })];
  // The pattern also matches the API reference (`/docs`), which is the only page with a script.
  app.use('/docs/*', async (c, next) => await (c.req.path === '/docs' ? withScript : withoutScripts)(c, next));
  app.use(SCRIPT_PATH, etag());
  app.get(SCRIPT_PATH, c =>
    c.body(REFERENCE_SCRIPT, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
    }),
  );

  const show = async (
    c: Context,
    section: PublicSection,
    found: { title: string; body: Html; script?: string; language?: PageLanguage } | null,
    translation = en,
  ) => {
    if (!found) {
      const language = { translation, path: section };
      const missing = { title: translation.pages.missing ?? '', body: notFound(section, translation), section };
      return c.html(await publicPage({ ...missing, ...(section === '/docs/rules' && { language }) }), 404);
    }
    c.header('Cache-Control', 'public, max-age=300');
    return c.html(await publicPage({ ...found, section, feeds: section === '/docs/lists' ? FEEDS : [] }));
  };
  let operations: Html | undefined;
  app.get('/docs', c => {
    operations ??= operationSections();
    const base = baseUrl?.replace(/\/$/, '') ?? new URL(c.req.url).origin;
    return show(c, '/docs', { title: 'API reference', body: referencePage(base, operations), script: SCRIPT_PATH });
  });
  app.get('/docs/errors/:code', c => {
    const code = c.req.param('code');
    return show(c, '/docs', isErrorCode(code) ? { title: code, body: errorPage(code) } : null);
  });
  const showRules = async (c: Context, find: (translation: Translation) => ReturnType<typeof rulePage>) => {
    const translation = languageOf(c);
    if (translation === null) {
      const body = unknownLanguage(c.req.path);
      return c.html(await publicPage({ title: 'Unsupported language', body, section: '/docs/rules' }), 400);
    }
    c.header('Content-Language', translation.locale);
    c.header('Vary', 'Accept-Language');
    return await show(c, '/docs/rules', find(translation), translation);
  };
  app.get('/docs/rules', c => showRules(c, rulesPage));
  app.get('/docs/rules/:id', c => showRules(c, translation => rulePage(c.req.param('id'), translation)));
  app.get('/docs/lists', c =>
    show(c, '/docs/lists', { title: 'Section 232 lists', body: publicListsPage(clock(), dataset()) }),
  );
  app.get(CHANGES_PATH, c =>
    show(c, '/docs/lists', { title: 'Changes to the Section 232 lists', body: changesPage(dataset()) }),
  );
  app.get('/docs/lists/:id', c => show(c, '/docs/lists', listPage(c.req.param('id'), clock(), dataset())));
  return app;
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

/**
 * Returns a page's language: the language in the URL, if any, or else the supported language that the browser prefers.
 * Returns null if the language in the URL isn't supported.
 */
function languageOf(c: Context): Translation | null {
  const requested = c.req.query('lang');
  if (requested !== undefined) return translationOf(requested);
  const lang = accepts(c, {
    header: 'Accept-Language',
    supports: [...SUPPORTED_LANGUAGES],
    default: 'en',
    match: firstSupported,
  });
  return translationOf(lang) ?? en;
}

/**
 * Returns the supported language that a browser prefers, or English. A regional variant, such as `de-AT`, is treated as
 * its base language.
 */
const firstSupported: NonNullable<Parameters<typeof accepts>[1]['match']> = accepted =>
  accepted
    .toSorted((a, b) => b.q - a.q)
    .map(({ type }) => translationOf(type)?.locale)
    .find(locale => locale !== undefined) ?? 'en';

function unknownLanguage(path: string): Html {
  return html`<div class="narrow"><div class="heading"><h1>Unsupported language</h1>
<p class="lead">This page is available in these languages:</p></div>
<ul>${SUPPORTED_LANGUAGES.map(tag => html`<li><a href="${pathIn(path, tag)}" hreflang="${tag}">${tag}</a></li>`)}</ul></div>`;
}

function notFound(section: PublicSection, { pages: text, locale }: Translation): Html {
  const overview = locale === 'en' ? section : pathIn(section, locale);
  return html`<div class="narrow"><div class="heading"><h1>${text.missing}</h1>
<p class="lead">${text.missing_hint}</p></div>
<p><a class="button" href="${overview}">${text.overview}</a></p></div>`;
}
