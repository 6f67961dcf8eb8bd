import '../src/set-node-env.ts';
import { once } from 'node:events';
import {
  adminPages,
  bigShop,
  cleanShop,
  createAppProxy,
  hostileShop,
  passwordShop,
  sampleShop,
  startFakeShopify,
  wireFetch,
} from '@compliance/fake-shopify';
import { serve } from '@hono/node-server';
import { serveTestApp } from './serve-app.ts';

// Runs the whole app in a plain browser without a Shopify account. The admin, the APIs, and the storefronts are fake.
const ADMIN_PORT = Number(process.env.PORT ?? 8790);
const PROXY_PORT = ADMIN_PORT + 1;
const adminUrl = `http://localhost:${ADMIN_PORT}`;
const appUrl = `http://localhost:${PROXY_PORT}`;

const shops = [sampleShop(), cleanShop(), hostileShop(), passwordShop(), bigShop()];
const fakeShopify = await startFakeShopify(shops);
wireFetch(fakeShopify);
const app = await serveTestApp(fakeShopify, { appUrl });
const servers = [
  serve({ fetch: createAppProxy(app.url, adminUrl).fetch, port: PROXY_PORT, hostname: 'localhost' }),
  serve({ fetch: adminPages(fakeShopify, { appUrl }).fetch, port: ADMIN_PORT, hostname: 'localhost' }),
];
await Promise.all(servers.map(server => once(server, 'listening', { signal: AbortSignal.timeout(10_000) })));

process.stdout.write(`Open the app in the fake Shopify admin: ${adminUrl}
Shops: ${shops.map(({ domain }) => `${adminUrl}/store/${domain.replace('.myshopify.com', '')}`).join('\n       ')}
To change the language, add ?locale=de to the URL. Press Ctrl+C to stop.
`);
process.once('SIGINT', async () => {
  for (const server of servers) server.close();
  await app.stop();
  await fakeShopify.close();
  process.exit(0);
});
