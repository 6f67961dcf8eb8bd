import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { STYLESHEET } from './page.ts';
import { STYLE } from './style.ts';

/** The one stylesheet of all pages. */
export function pageAssets(): Hono {
  const app = new Hono();
  app.use(STYLESHEET, etag());
  app.get(STYLESHEET, c =>
    c.body(STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'public, max-age=300' }),
  );
  return app;
}
