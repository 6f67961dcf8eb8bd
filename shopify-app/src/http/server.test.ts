import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { embeddedAppUrl, idToken } from '@compliance/fake-shopify';
import type { LoaderFunction, LoaderFunctionArgs } from '@remix-run/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppHarness, BROWSER, createLog, startAppHarness } from '../../test/harness.ts';
import { shopContext } from '../admin/operations/shop-context.ts';
import { createApp } from '../context/app.ts';
import { type Build, createServer, loadBuild } from './server.ts';

const BUILD = join(import.meta.dirname, '../../build');
const asset = readdirSync(join(BUILD, 'client/assets')).find(name => /^entry\.client-.*\.js$/.test(name))!;

let harness: AppHarness;
beforeAll(async () => {
  harness = await startAppHarness({ jobsAtOnce: 0 });
});
afterAll(() => harness.close());

/** Sends raw bytes, which might be malformed HTTP, and returns the server's raw response. */
const raw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(harness.app.url);
    let answer = '';
    connect(Number(port), hostname)
      .on('data', chunk => {
        answer += chunk;
      })
      .on('close', () => resolve(answer))
      .on('error', reject)
      .end(bytes);
  });

describe('browser assets', () => {
  it('serves compressed assets with the correct content type and a long cache lifetime', async () => {
    const answer = await harness.ask(`/assets/${asset}`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toMatch(/javascript/);
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(answer.headers.get('Content-Encoding')).toBe('gzip');
    expect((await answer.text()).length).toBeGreaterThan(500);
  });

  it('returns only headers for a HEAD request for an asset, and rejects other methods', async () => {
    const head = await harness.ask(`/assets/${asset}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await harness.ask(`/assets/${asset}`, { method: 'POST' })).status).toBe(404);
  });

  it.each([
    '/assets/../server/index.js',
    '/assets/..%2f..%2fserver%2findex.js',
    '/assets/%2e%2e/%2e%2e/server/index.js',
    '/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fpackage.json',
    '/assets//etc/passwd',
    '/assets/..\\..\\package.json',
    '/assets/%00',
    '/assets/%',
    '/assets/nothing.js',
    '/assets/',
    '/.vite/manifest.json',
    '/server/index.js',
  ])('never exposes a file through the asset path %s', async path => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: app.example\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toMatch(/root:|"scripts"|createRequestHandler|isDynamicEntry/);
  });
});

describe('malformed requests', () => {
  it('rejects a request that is too large, with or without a `content-length` header', async () => {
    const domain = await harness.newShop();
    await harness.visit(domain);
    const init = { method: 'POST', body: Buffer.alloc(9 * 1024 * 1024, 'a') };
    expect((await harness.askAs(domain, '/app', init)).status).toBe(413);
    expect((await harness.ask('/webhooks', init)).status).toBe(413);
    // A request that attaches files to a draft can be larger.
    const path = '/app/certificates-attachments/8?_data=routes%2Fapp.certificates-attachments.%24product';
    expect((await harness.askAs(domain, path, init)).status).not.toBe(413);
    const larger = { method: 'POST', body: Buffer.alloc(12 * 1024 * 1024, 'a') };
    expect((await harness.askAs(domain, path, larger)).status).toBe(413);
    const chunk = `${(256 * 1024).toString(16)}\r\n${'a'.repeat(256 * 1024)}\r\n`;
    const head =
      'POST /webhooks HTTP/1.1\r\nHost: app.example\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
    expect(await raw(`${head}${chunk.repeat(36)}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
    expect((await harness.ask('/healthz')).status).toBe(200);
  });

  it.each([
    ['don’t have a Host header', 'GET / HTTP/1.1\r\n\r\n'],
    ['have an invalid Host header', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['aren’t HTTP', 'NONSENSE\r\n\r\n'],
    ['have very long headers', `GET / HTTP/1.1\r\nHost: app.example\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
    [
      'have both Content-Length and Transfer-Encoding headers',
      'POST /webhooks HTTP/1.1\r\nHost: app.example\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('rejects requests that %s', async (_, bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])(
    'responds to the method %s without a server error',
    async method => {
      for (const path of ['/', '/auth/login', '/app']) {
        const { status } = await harness.ask(path, { method });
        expect(status, `${method} ${path}`).not.toBe(500);
      }
    },
  );
});

describe('HTTP server', () => {
  it('reports whether the server is running and whether the database responds', async () => {
    expect((await harness.ask('/healthz')).status).toBe(200);
    expect((await harness.ask('/readyz')).status).toBe(200);
    const away = { ...harness.store, health: async () => Promise.reject(new Error('secret of the database')) };
    const app = createApp({ config: harness.config, store: away, clock: Date.now });
    const server = createServer(app, await loadBuild(BUILD));
    const answer = await server.request('/readyz');
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([
      503,
      { status: 'not_ready', checks: { database: { status: 'failed' } } },
    ]);
    expect(text).not.toContain('secret');
    expect((await server.request('/healthz')).status).toBe(200);
  });

  it('disables page caching, and lets only a merchant’s own admin frame a page', async () => {
    const domain = await harness.newShop();
    const answers = [await harness.visit(domain), await harness.ask('/auth/login'), await harness.ask('/nothing')];
    for (const answer of answers) expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const policies = answers.map(answer => answer.headers.get('Content-Security-Policy'));
    expect(policies[0]).toContain(`frame-ancestors https://${domain} https://admin.shopify.com;`);
    expect(policies[1]).toMatch(/^frame-ancestors 'none';/);
    expect(policies[2]).toBe("frame-ancestors 'none'");
  });

  it('lets a page load images only from the app and from Shopify’s CDN', async () => {
    const answer = await harness.visit(await harness.newShop());
    expect(answer.headers.get('Content-Security-Policy')).toContain("; img-src 'self' data: https://cdn.shopify.com;");
  });

  it('lets a page run only its own scripts', async () => {
    const domain = await harness.newShop();
    const [one, two] = [await harness.visit(domain), await harness.visit(domain)];
    const nonceOf = (answer: Response) =>
      /script-src 'self' 'nonce-([\w+/=]{24})' https:\/\/cdn\.shopify\.com;/.exec(
        answer.headers.get('Content-Security-Policy')!,
      )![1]!;
    expect(nonceOf(one)).not.toBe(nonceOf(two));
    const inline = [...(await one.text()).matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map(
      ([, attributes]) => attributes!,
    );
    expect(inline.length).toBeGreaterThan(0);
    for (const attributes of inline) expect(attributes).toContain(`nonce="${nonceOf(one)}"`);
  });

  it('shows the not-found page inside the app', async () => {
    const domain = await harness.newShop();
    const answer = await harness.visit(domain, '/app/nothing');
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('Page not found');
  });

  it('shows the app’s own message for a route error and never shows the thrown content', async () => {
    const evil = '<img src=x onerror="window.hacked=1">';
    const build = await loadBuild(BUILD);
    const lines: string[] = [];
    const app = createApp({ ...harness, clock: Date.now, log: createLog(lines) });
    for (const [thrown, status] of [
      [() => new Response(evil, { status: 404, statusText: evil.slice(0, 4) }), 404],
      [() => new Response(evil, { status: 409, headers: { 'Content-Type': 'text/html' } }), 409],
      [() => Response.json({ title: evil }, { status: 500 }), 500],
      [() => new Error(evil), 500],
    ] as const) {
      const server = createServer(
        app,
        withLoader(build, () => {
          throw thrown();
        }),
      );
      const address = await embeddedAppUrl('https://app.example', await harness.newShop());
      const answer = await server.request(address, { headers: BROWSER });
      expect(answer.status).toBe(status);
      const html = await answer.text();
      expect(html).toContain(status === 404 ? 'Page not found' : 'This page couldn’t load');
      expect(html).not.toContain('<img');
    }
    expect(lines.join('')).not.toContain('onerror');
  });

  it('requests a new token when Shopify rejects the merchant’s token while a route runs', async () => {
    const app = createApp({ ...harness, clock: Date.now });
    const ask = ({ context }: LoaderFunctionArgs) => context.merchant.admin.run(shopContext, {});
    const server = createServer(app, withLoader(await loadBuild(BUILD), ask));
    const domain = await harness.newShop();
    const data = async () =>
      await server.request('https://app.example/app?index&_data=routes%2Fapp._index', {
        headers: { ...BROWSER, Authorization: `Bearer ${await idToken(domain)}` },
      });
    const document = async () =>
      await server.request(await embeddedAppUrl('https://app.example', domain), { headers: BROWSER });
    expect((await data()).status).toBe(200);
    harness.fakeShopify.tokens.revoke(domain);
    const refused = await data();
    expect([refused.status, refused.headers.get('X-Shopify-Retry-Invalid-Session-Request')]).toEqual([401, '1']);
    expect((await data()).status).toBe(200);
    harness.fakeShopify.tokens.revoke(domain);
    const bounced = await document();
    expect([bounced.status, bounced.headers.get('Location')]).toEqual([
      302,
      expect.stringMatching(/^\/auth\/session-token\?/),
    ]);
    expect((await document()).status).toBe(200);
  });

  it('responds to requests until the app closes, and then refuses connections', async () => {
    const own = await startAppHarness({ jobsAtOnce: 1 });
    const slow = own.ask('/auth/login');
    const { status } = await slow;
    await own.close();
    expect(status).toBe(200);
    await expect(fetch(`${own.app.url}/healthz`)).rejects.toThrow();
  });
});

/** Returns a copy of the build whose index route has the given loader and an empty component. */
function withLoader(build: Build, loader: LoaderFunction): Build {
  const route = build.server.routes['routes/app._index']!;
  const routes = {
    ...build.server.routes,
    [route.id]: { ...route, module: { ...route.module, loader, default: () => null } },
  };
  return { ...build, server: { ...build.server, routes } };
}
