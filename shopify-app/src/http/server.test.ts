import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { LoaderFunction, LoaderFunctionArgs } from '@remix-run/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idToken } from '../../stand-in/admin/tokens.ts';
import { addressOfApp } from '../../stand-in/frame/frame.ts';
import { type Beside, BROWSER, createLog, startBeside } from '../../test/beside.ts';
import { shopContext } from '../admin/operations/shop-context.ts';
import { createApp } from '../app.ts';
import { type Build, createServer, loadBuild } from './server.ts';

const BUILD = join(import.meta.dirname, '../../build');
const asset = readdirSync(join(BUILD, 'client/assets')).find(name => /^entry\.client-.*\.js$/.test(name))!;

let beside: Beside;
beforeAll(async () => {
  beside = await startBeside({ jobsAtOnce: 0 });
});
afterAll(() => beside.close());

/** What a server answers to these bytes, as no browser would send them. */
const raw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(beside.app.url);
    let answer = '';
    connect(Number(port), hostname)
      .on('data', chunk => {
        answer += chunk;
      })
      .on('close', () => resolve(answer))
      .on('error', reject)
      .end(bytes);
  });

describe('assets', () => {
  it('are compressed, kept for ever, and never mistaken for another type', async () => {
    const answer = await beside.ask(`/assets/${asset}`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toMatch(/javascript/);
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(answer.headers.get('Content-Encoding')).toBe('gzip');
    expect((await answer.text()).length).toBeGreaterThan(500);
  });

  it('are given by HEAD without a body, and by no other method', async () => {
    const head = await beside.ask(`/assets/${asset}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await beside.ask(`/assets/${asset}`, { method: 'POST' })).status).toBe(404);
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
  ])('are no way to %s', async path => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: app.example\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toMatch(/root:|"scripts"|createRequestHandler|isDynamicEntry/);
  });
});

describe('requests as no browser sends them', () => {
  it('that are too large are refused, whether they say so or not', async () => {
    const domain = await beside.newShop();
    await beside.visit(domain);
    const init = { method: 'POST', body: Buffer.alloc(9 * 1024 * 1024, 'a') };
    expect((await beside.askAs(domain, '/app', init)).status).toBe(413);
    expect((await beside.ask('/webhooks', init)).status).toBe(413);
    const chunk = `${(256 * 1024).toString(16)}\r\n${'a'.repeat(256 * 1024)}\r\n`;
    const head =
      'POST /webhooks HTTP/1.1\r\nHost: app.example\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
    expect(await raw(`${head}${chunk.repeat(36)}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
    expect((await beside.ask('/healthz')).status).toBe(200);
  });

  it.each([
    ['name no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['name what is no host', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['are no HTTP', 'NONSENSE\r\n\r\n'],
    ['have endless headers', `GET / HTTP/1.1\r\nHost: app.example\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
    [
      'have two lengths',
      'POST /webhooks HTTP/1.1\r\nHost: app.example\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('are refused when they %s', async (_, bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])('by %s change nothing', async method => {
    for (const path of ['/', '/auth/login', '/app']) {
      const { status } = await beside.ask(path, { method });
      expect(status, `${method} ${path}`).not.toBe(500);
    }
  });
});

describe('the server', () => {
  it('says that it lives, and whether its database answers', async () => {
    expect((await beside.ask('/healthz')).status).toBe(200);
    expect((await beside.ask('/readyz')).status).toBe(200);
    const away = { ...beside.store, ready: async () => Promise.reject(new Error('secret of the database')) };
    const app = createApp({ config: beside.config, store: away, clock: Date.now });
    const server = createServer(app, await loadBuild(BUILD));
    const answer = await server.request('/readyz');
    expect([answer.status, await answer.text()]).toEqual([503, 'The database does not answer.']);
    expect((await server.request('/healthz')).status).toBe(200);
  });

  it('lets nobody keep a page, and lets no page be framed that is not a merchant’s', async () => {
    const domain = await beside.newShop();
    const answers = [await beside.visit(domain), await beside.ask('/auth/login'), await beside.ask('/nothing')];
    for (const answer of answers) expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const policies = answers.map(answer => answer.headers.get('Content-Security-Policy'));
    expect(policies[0]).toContain(`frame-ancestors https://${domain} https://admin.shopify.com;`);
    expect(policies[1]).toMatch(/^frame-ancestors 'none';/);
    expect(policies[2]).toBe("frame-ancestors 'none'");
  });

  it('lets no script run but those that it wrote itself', async () => {
    const domain = await beside.newShop();
    const [one, two] = [await beside.visit(domain), await beside.visit(domain)];
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

  it('shows a missing page as one, within the app', async () => {
    const domain = await beside.newShop();
    const answer = await beside.visit(domain, '/app/nothing');
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('There is no such page');
  });

  it('shows what a route throws as text of our own, never as what was thrown', async () => {
    const evil = '<img src=x onerror="window.hacked=1">';
    const build = await loadBuild(BUILD);
    const lines: string[] = [];
    const app = createApp({ ...beside, clock: Date.now, log: createLog(lines) });
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
      const address = await addressOfApp('https://app.example', await beside.newShop());
      const answer = await server.request(address, { headers: BROWSER });
      expect(answer.status).toBe(status);
      const html = await answer.text();
      expect(html).toContain(status === 404 ? 'There is no such page' : 'This page could not be shown');
      expect(html).not.toContain('<img');
    }
    expect(lines.join('')).not.toContain('onerror');
  });

  it('brings a merchant back whose token Shopify refuses in the middle of a route', async () => {
    const app = createApp({ ...beside, clock: Date.now });
    const ask = ({ context }: LoaderFunctionArgs) => context.merchant.admin.run(shopContext, {});
    const server = createServer(app, withLoader(await loadBuild(BUILD), ask));
    const domain = await beside.newShop();
    const data = async () =>
      await server.request('https://app.example/app?index&_data=routes%2Fapp._index', {
        headers: { ...BROWSER, Authorization: `Bearer ${await idToken(domain)}` },
      });
    const document = async () =>
      await server.request(await addressOfApp('https://app.example', domain), { headers: BROWSER });
    expect((await data()).status).toBe(200);
    beside.standIn.tokens.revoke(domain);
    const refused = await data();
    expect([refused.status, refused.headers.get('X-Shopify-Retry-Invalid-Session-Request')]).toEqual([401, '1']);
    expect((await data()).status).toBe(200);
    beside.standIn.tokens.revoke(domain);
    const bounced = await document();
    expect([bounced.status, bounced.headers.get('Location')]).toEqual([
      302,
      expect.stringMatching(/^\/auth\/session-token\?/),
    ]);
    expect((await document()).status).toBe(200);
  });

  it('ends what is under way before it stops, and takes nothing new', async () => {
    const own = await startBeside({ jobsAtOnce: 1 });
    const slow = own.ask('/auth/login');
    const { status } = await slow;
    await own.close();
    expect(status).toBe(200);
    await expect(fetch(`${own.app.url}/healthz`)).rejects.toThrow();
  });
});

/** The build, its first page with another loader, and nothing to show. */
function withLoader(build: Build, loader: LoaderFunction): Build {
  const route = build.server.routes['routes/app._index']!;
  const routes = {
    ...build.server.routes,
    [route.id]: { ...route, module: { ...route.module, loader, default: () => null } },
  };
  return { ...build, server: { ...build.server, routes } };
}
