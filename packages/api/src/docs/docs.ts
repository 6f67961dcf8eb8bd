import { ERRORS, type ErrorCode } from '@compliance/contract/errors';
import type { Dataset } from '@compliance/core/tariff';
import { type Context, Hono } from 'hono';
import { etag } from 'hono/etag';
import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';
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
  // Only the reference page has a script. The pattern also matches that page.
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
    found: { title: string; body: Html; script?: string } | null,
  ) => {
    if (!found) return c.html(await publicPage({ title: 'Page not found', body: notFound(section), section }), 404);
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
  app.get('/docs/rules', c => show(c, '/docs/rules', { title: 'Scan rules', body: rulesPage() }));
  app.get('/docs/rules/:id', c => show(c, '/docs/rules', rulePage(c.req.param('id'))));
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

function notFound(section: PublicSection): Html {
  return html`<div class="narrow"><div class="heading"><h1>Page not found</h1>
<p class="lead">Check the URL. Rule IDs, list IDs, and error codes are lowercase.</p></div>
<p><a class="button" href="${section}">Back to the overview</a></p></div>`;
}
