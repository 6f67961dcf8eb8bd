import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { addressOfApp, adminPage, answerFrame, appBridge } from './frame/frame.ts';
import { serveAppBeside } from './serve-app.ts';
import { cleanShop, hostileShop, sampleShop } from './shop/samples.ts';
import { startStandIn } from './stand-in.ts';
import { wireFetch } from './wire-fetch.ts';

// The whole app in a plain browser, with no account: Shopify's admin, its APIs and the storefronts are the stand-in's.
const ADMIN_PORT = Number(process.env.PORT ?? 8790);
const PROXY_PORT = ADMIN_PORT + 1;
const APP_BRIDGE = 'https://cdn.shopify.com/shopifycloud/app-bridge.js';

const standIn = await startStandIn([sampleShop(), cleanShop(), hostileShop()]);
wireFetch(standIn);
const adminUrl = `http://localhost:${ADMIN_PORT}`;
const appUrl = `http://localhost:${PROXY_PORT}`;
const app = await serveAppBeside(standIn, { appUrl });

// The app's pages name Shopify's CDN and let only Shopify frame them; this stands between, so that the app need not know.
const proxy = new Hono();
proxy.get('/stand-in/app-bridge.js', c => c.body(appBridge(), 200, { 'content-type': 'text/javascript' }));
proxy.all('*', async c => {
  const { pathname, search } = new URL(c.req.url);
  const { method } = c.req;
  const body = ['GET', 'HEAD'].includes(method) ? null : await c.req.arrayBuffer();
  const headers = new Headers(c.req.raw.headers);
  headers.delete('accept-encoding');
  const answer = await fetch(`${app.url}${pathname}${search}`, { method, headers, body, redirect: 'manual' });
  const rewritten = new Headers(answer.headers);
  for (const name of ['link', 'content-encoding', 'content-length']) rewritten.delete(name);
  const policy = answer.headers.get('content-security-policy');
  if (policy)
    rewritten.set('content-security-policy', policy.replace(/frame-ancestors[^;]*/, `frame-ancestors ${adminUrl}`));
  const isPage = answer.headers.get('content-type')?.startsWith('text/html');
  const text = isPage ? (await answer.text()).replaceAll(APP_BRIDGE, '/stand-in/app-bridge.js') : null;
  return new Response(text ?? answer.body, { status: answer.status, headers: rewritten });
});

const admin = new Hono();
admin.get('/', c => c.redirect('/store/sample-shop'));
admin.get('/store/:name', async c => {
  const shop = standIn.shops.get(`${c.req.param('name')}.myshopify.com`);
  if (!shop)
    return c.text('There is no such shop. Try /store/sample-shop, /store/clean-shop or /store/hostile-shop.', 404);
  const locale = c.req.query('locale') ?? 'en';
  return c.html(adminPage(shop.name, await addressOfApp(appUrl, shop.domain, { locale })));
});
admin.post('/stand-in/*', async c => c.json(await answerFrame(standIn, c.req.path, await c.req.text())));

const servers = [
  serve({ fetch: proxy.fetch, port: PROXY_PORT, hostname: '127.0.0.1' }),
  serve({ fetch: admin.fetch, port: ADMIN_PORT, hostname: '127.0.0.1' }),
];
await Promise.all(servers.map(server => once(server, 'listening')));
process.stdout.write(`The app in a stand-in for Shopify's admin: ${adminUrl}
Other shops: ${adminUrl}/store/clean-shop, ${adminUrl}/store/hostile-shop; other languages: ?locale=de
Stop with Ctrl-C.
`);
process.once('SIGINT', async () => {
  for (const server of servers) server.close();
  await app.stop();
  await standIn.close();
  process.exit(0);
});
