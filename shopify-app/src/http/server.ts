import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import type { App } from '../app.ts';
import { CannotStart } from '../config.ts';
import { frameAncestors } from './document-headers.ts';
import { admit, retried } from './gate.ts';

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
    const { headers, status } = c.res;
    if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', frameAncestors(null));
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
    headers.set('X-Content-Type-Options', 'nosniff');
    headers.set('Referrer-Policy', 'strict-origin-when-cross-origin');
    app.log?.info({ ...whereOf(c.req.raw), status, ms: Math.round(performance.now() - started) }, 'request');
  });
  server.use(compress());
  server.get('/healthz', c => c.text('ok'));
  server.get('/readyz', async c => {
    const isReady = await app.store.ready().then(
      () => true,
      () => false,
    );
    return isReady ? c.text('ok') : c.text('The database does not answer.', 503);
  });
  server.get(
    '/assets/*',
    serveStatic({
      root: build.clientDir,
      onFound: (_, c) => c.header('Cache-Control', 'public, max-age=31536000, immutable'),
    }),
  );
  server.all('/assets/*', c => c.text('Not found', 404));
  server.use(bodyLimit({ maxSize: MAX_BODY, onError: c => c.text('That is too large.', 413) }));
  server.all('*', async c => {
    const request = c.req.raw;
    const admitted = await admit(app, request);
    if (admitted instanceof Response) return admitted;
    const context: AppLoadContext = {
      app,
      shop: admitted?.domain ?? null,
      get merchant() {
        if (!admitted) throw new TypeError(`${c.req.path} is not behind the gate: it has no merchant.`);
        return admitted;
      },
    };
    return retried(await render(request, context));
  });
  server.onError((error, c) => {
    app.failed(error, whereOf(c.req.raw));
    return c.text('The app failed. Try again in a moment.', 500);
  });
  return server;
}

/** What of a request may be written down: never its query. */
const whereOf = ({ method, url }: Request) => ({ method, path: new URL(url).pathname });

/**
 * Loads what `remix vite:build` wrote.
 *
 * @throws CannotStart
 * @example
 * const build = await loadBuild(join(import.meta.dirname, '../build'));
 */
export async function loadBuild(folder: string): Promise<Build> {
  const server = join(folder, 'server/index.js');
  if (!existsSync(server)) throw new CannotStart(['there is no build: pnpm --filter shopify-app build']);
  return { clientDir: join(folder, 'client'), server: await import(server) };
}
