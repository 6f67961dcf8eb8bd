import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { ERRORS, type ErrorCode } from '../errors/error-codes.ts';
import type { Html } from '../pages/page.ts';
import { type PublicSection, publicPage } from '../pages/public-page.ts';
import { pageHeaders } from '../pages/security.ts';
import { errorPage } from './errors.ts';
import { listPage, publicListsPage } from './lists.ts';
import { operationSections, referencePage } from './reference/page.ts';
import { rulePage, rulesPage } from './rules.ts';

/** Documentation page dependencies. */
export interface DocsDeps {
  /** Returns milliseconds since the Unix epoch. */
  clock: () => number;
  /** The public base URL of the service (default: the request's origin). */
  baseUrl?: string | undefined;
}

/**
 * Creates the documentation pages: the API reference and a page for each error code, scan rule, and tariff list. The
 * pages work without JavaScript and are generated from the definitions that the service itself uses.
 *
 * @example
 * app.route('/', docPages({ clock: Date.now }));
 */
export function docPages({ clock, baseUrl }: DocsDeps): Hono {
  const app = new Hono();
  app.use('/docs/*', pageHeaders(baseUrl));

  const show = async (c: Context, section: PublicSection, found: { title: string; body: Html } | null) => {
    if (!found) return c.html(await publicPage({ title: 'Page not found', body: notFound(section), section }), 404);
    c.header('Cache-Control', 'public, max-age=300');
    return c.html(await publicPage({ ...found, section }));
  };
  let operations: Html | undefined;
  app.get('/docs', c => {
    operations ??= operationSections();
    const base = baseUrl?.replace(/\/$/, '') ?? new URL(c.req.url).origin;
    return show(c, '/docs', { title: 'API reference', body: referencePage(base, operations) });
  });
  app.get('/docs/errors/:code', c => {
    const code = c.req.param('code');
    return show(c, '/docs', isErrorCode(code) ? { title: code, body: errorPage(code) } : null);
  });
  app.get('/docs/rules', c => show(c, '/docs/rules', { title: 'Scan rules', body: rulesPage() }));
  app.get('/docs/rules/:id', c => show(c, '/docs/rules', rulePage(c.req.param('id'))));
  app.get('/docs/lists', c => show(c, '/docs/lists', { title: 'Section 232 lists', body: publicListsPage(clock()) }));
  app.get('/docs/lists/:id', c => show(c, '/docs/lists', listPage(c.req.param('id'), clock())));
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
