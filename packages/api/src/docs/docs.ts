import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { ERRORS, type ErrorCode } from '../error-codes.ts';
import { pageHeaders } from '../pages/guard.ts';
import type { Html } from '../pages/page.ts';
import { type PublicSection, publicPage } from '../pages/public.ts';
import { errorPage } from './errors.ts';
import { listPage, listsPage } from './lists.ts';
import { operationSections, referencePage } from './reference/page.ts';
import { rulePage, rulesPage } from './rules.ts';

/** What the documentation works with. */
export interface DocsDeps {
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Where the service is reached from outside; the request's own address when left out. */
  baseUrl?: string | undefined;
}

/**
 * The documentation: the reference of the API, a page for each error code, each rule of the scan and each list. All of it is
 * written from what the code itself works with, and read without a script.
 *
 * @example
 * app.route('/', docPages({ clock: Date.now }));
 */
export function docPages({ clock, baseUrl }: DocsDeps): Hono {
  const app = new Hono();
  app.use('/docs/*', pageHeaders(baseUrl));

  const show = async (c: Context, section: PublicSection, found: { title: string; body: Html } | null) => {
    if (!found) return c.html(await publicPage({ title: 'No such page', body: missing(section), section }), 404);
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
  app.get('/docs/rules', c => show(c, '/docs/rules', { title: 'Rules of the scan', body: rulesPage() }));
  app.get('/docs/rules/:id', c => show(c, '/docs/rules', rulePage(c.req.param('id'))));
  app.get('/docs/lists', c => show(c, '/docs/lists', { title: 'Section 232 lists', body: listsPage(clock()) }));
  app.get('/docs/lists/:id', c => show(c, '/docs/lists', listPage(c.req.param('id'), clock())));
  return app;
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

function missing(section: PublicSection): Html {
  return html`<div class="narrow"><div class="heading"><h1>There is no such page</h1>
<p class="lead">Nothing here has this name. Names of rules, lists and error codes are written in small letters.</p></div>
<p><a class="button" href="${section}">To the overview</a></p></div>`;
}
