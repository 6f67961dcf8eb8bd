import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import type { App } from '../app.ts';
import { admit } from './gate.ts';

/** The largest request: a CSV of a catalog. */
const MAX_BODY = 8 * 1024 * 1024;

/** Where the build lies: what the browser loads and what the server renders with. */
export interface Build {
  readonly clientDir: string;
  readonly server: ServerBuild;
}

/**
 * The app over HTTP: assets, health, the gate, then the routes. A path is logged without its query, which carries
 * session tokens.
 *
 * @example
 * serve({ fetch: createServer(app, await loadBuild('build')).fetch, port: 8788 });
 */
export function createServer(app: App, build: Build): Hono {
  const render = createRequestHandler(build.server, 'production');
  const server = new Hono();

  server.use(async (c, next) => {
    const started = performance.now();
    await next();
    // Without a shop of its own, a document may be framed by nobody.
    if (!c.res.headers.has('Content-Security-Policy')) c.header('Content-Security-Policy', "frame-ancestors 'none'");
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'strict-origin-when-cross-origin');
    const { method, path } = c.req;
    app.log?.info({ method, path, status: c.res.status, ms: Math.round(performance.now() - started) }, 'request');
  });
  server.use(compress());
  server.get('/healthz', c => c.text('ok'));
  server.get('/readyz', async c => {
    await app.store.ready();
    return c.text('ok');
  });
  server.use(
    '/assets/*',
    serveStatic({
      root: build.clientDir,
      onFound: (_, c) => c.header('Cache-Control', 'public, max-age=31536000, immutable'),
    }),
  );
  server.use(bodyLimit({ maxSize: MAX_BODY }));
  server.all('*', async c => {
    const request = c.req.raw;
    const admitted = await admit(app, request);
    if (admitted instanceof Response) return admitted;
    const context: AppLoadContext = {
      app,
      get merchant() {
        if (!admitted) throw new TypeError(`${c.req.path} is not behind the gate: it has no merchant.`);
        return admitted;
      },
    };
    return render(request, context);
  });
  server.onError((error, c) => {
    app.failed(error, c.req.raw);
    return c.text('The app failed. Try again in a moment.', 500);
  });
  return server;
}

/**
 * Loads what `remix vite:build` wrote.
 *
 * @example
 * const build = await loadBuild(join(import.meta.dirname, '../build'));
 */
export async function loadBuild(folder: string): Promise<Build> {
  return { clientDir: join(folder, 'client'), server: await import(join(folder, 'server/index.js')) };
}
