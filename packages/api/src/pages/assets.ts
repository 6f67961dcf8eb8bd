import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { STYLESHEET } from './page.ts';
import { PAGE_STYLE } from './style.ts';

/** Creates the route for the stylesheet that all pages share. */
export function pageAssets(): Hono {
  const app = new Hono();
  app.use(STYLESHEET, etag());
  app.get(STYLESHEET, c =>
    c.body(PAGE_STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'public, max-age=300' }),
  );
  return app;
}
