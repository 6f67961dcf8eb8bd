import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createReadiness } from '@compliance/server/readiness';
import { serveStatic } from '@hono/node-server/serve-static';
import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import type { App } from '../context/app.ts';
import { ConfigError } from '../context/config.ts';
import { authenticateRequest, withRetryHeader } from './auth-middleware.ts';
import { frameAncestors } from './document-headers.ts';

/** Maximum request body size in bytes. The largest request uploads a catalog CSV file. */
const MAX_BODY = 8 * 1024 * 1024;

/** Build output with the browser assets and the server bundle. */
export interface Build {
  readonly clientDir: string;
  readonly server: ServerBuild;
}

/**
 * Creates the HTTP server, which serves assets and health checks, authenticates all other requests, and then runs the
 * routes. The server logs paths without their query strings, which contain session tokens.
 *
 * @example
 * serve({ fetch: createServer(app, await loadBuild('build')).fetch, port: 8788 });
 */
export function createServer(
  app: App,
  build: Build,
  readiness = createReadiness({ store: app.store, clock: Date.now }),
): Hono {
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
    app.log?.info({ ...logFieldsOf(c.req.raw), status, ms: Math.round(performance.now() - started) }, 'request');
  });
  server.use(compress());
  server.get('/healthz', c => c.text('ok'));
  server.get('/readyz', async c => {
    const { failure, ...report } = await readiness();
    if (failure) app.logFailure(failure, logFieldsOf(c.req.raw));
    return c.json(report, report.status === 'ready' ? 200 : 503);
  });
  server.get(
    '/assets/*',
    serveStatic({
      root: build.clientDir,
      onFound: (_, c) => c.header('Cache-Control', 'public, max-age=31536000, immutable'),
    }),
  );
  server.all('/assets/*', c => c.text('Not found', 404));
  server.use(bodyLimit({ maxSize: MAX_BODY, onError: c => c.text('The request is too large.', 413) }));
  server.all('*', async c => {
    const request = c.req.raw;
    const admitted = await authenticateRequest(app, request);
    if (admitted instanceof Response) return admitted;
    const context: AppLoadContext = {
      app,
      shop: admitted?.domain ?? null,
      get merchant() {
        if (!admitted) throw new TypeError(`${c.req.path} is a public page, so there is no authenticated merchant.`);
        return admitted;
      },
    };
    return withRetryHeader(await render(request, context));
  });
  server.onError((error, c) => {
    app.logFailure(error, logFieldsOf(c.req.raw));
    return c.text('Something went wrong. Try again in a moment.', 500);
  });
  return server;
}

/** Returns the request fields that are safe to log. The path doesn't include the query string. */
const logFieldsOf = ({ method, url }: Request) => ({ method, path: new URL(url).pathname });

/**
 * Loads the output of `remix vite:build`.
 *
 * @throws ConfigError if the app isn't built
 * @example
 * const build = await loadBuild(join(import.meta.dirname, '../build'));
 */
export async function loadBuild(folder: string): Promise<Build> {
  const server = join(folder, 'server/index.js');
  if (!existsSync(server)) throw new ConfigError(['the app isn’t built: run pnpm --filter shopify-app build']);
  return { clientDir: join(folder, 'client'), server: await import(server) };
}
