import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createReadiness } from '@compliance/server/readiness';
import { serveStatic } from '@hono/node-server/serve-static';
import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { UNSUBSCRIBE_PATH } from '../alerts/unsubscribe-link.ts';
import { unsubscribePage } from '../alerts/unsubscribe-page.ts';
import { MAX_DRAFT_BYTES } from '../certificates/draft-files.ts';
import type { App } from '../context/app.ts';
import { ConfigError } from '../context/config.ts';
import { authenticateRequest, isExtensionPath, refuseInsteadOfRedirect, withRetryHeader } from './auth-middleware.ts';
import { frameAncestors } from './document-headers.ts';
import { limitExtensionRequest } from './extension-rate-limit.ts';

/**
 * Maximum body size of a request that doesn't attach files, in bytes. The largest such request uploads a catalog CSV
 * file.
 */
const MAX_BODY = 8 * 1024 * 1024;

/**
 * Maximum body size of a request that attaches files, in bytes: the files' maximum total size plus 1 MB for the form.
 */
const MAX_ATTACHMENTS_BODY = MAX_DRAFT_BYTES + 1_000_000;
const ATTACHMENTS_PATH = '/app/certificates-attachments/';

/** Build output with the browser assets and the server bundle. */
export interface Build {
  readonly clientDir: string;
  readonly server: ServerBuild;
}

/**
 * Creates the HTTP server, which serves assets, health checks, and the unsubscribe page. For all other requests, the
 * server runs the authentication middleware and then the routes. The server logs paths without their query strings,
 * which can contain session tokens.
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
  const [limitBody, limitAttachments] = [MAX_BODY, MAX_ATTACHMENTS_BODY].map(maxSize =>
    bodyLimit({ maxSize, onError: c => c.text('The request is too large.', 413) }),
  ) as [MiddlewareHandler, MiddlewareHandler];
  server.use((c, next) => (c.req.path.startsWith(ATTACHMENTS_PATH) ? limitAttachments : limitBody)(c, next));
  server.all(UNSUBSCRIBE_PATH, c =>
    unsubscribePage(c.req.raw, { store: app.store, links: app.unsubscribeLinks, clock: Date.now }),
  );
  server.use((c, next) => (isExtensionPath(c.req.path) ? extensionCors(c, next) : next()));
  server.all('*', async c => {
    const request = c.req.raw;
    const admitted = await authenticateRequest(app, request);
    if (admitted instanceof Response) return admitted;
    const isExtension = isExtensionPath(c.req.path);
    const refused =
      isExtension && admitted && (await limitExtensionRequest(admitted.shop, app.store.limits, Date.now()));
    if (refused) return refused;
    const context: AppLoadContext = {
      app,
      shop: admitted?.domain ?? null,
      get merchant() {
        if (!admitted) throw new TypeError(`${c.req.path} is a public page, so there is no authenticated merchant.`);
        return admitted;
      },
    };
    const answer = await render(request, context);
    return withRetryHeader(isExtension ? refuseInsteadOfRedirect(answer) : answer);
  });
  server.onError((error, c) => {
    app.logFailure(error, logFieldsOf(c.req.raw));
    return c.text('Something went wrong. Try again in a moment.', 500);
  });
  return server;
}

/**
 * Allows requests from admin UI extensions, which run on another origin. Every origin is allowed, because a request is
 * authenticated only by its session token, which other sites don't have.
 */
const extensionCors = cors({
  origin: '*',
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['Authorization', 'Content-Type'],
  exposeHeaders: ['Retry-After'],
  maxAge: 7200,
});

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
