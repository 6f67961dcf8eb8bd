import '../src/as-production.ts';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { adminPages } from './frame/admin-pages.ts';
import { proxyOf } from './frame/proxy.ts';
import { serveAppBeside } from './serve-app.ts';
import { bigShop, cleanShop, hostileShop, passwordShop, sampleShop } from './shop/samples.ts';
import { startStandIn } from './stand-in.ts';
import { wireFetch } from './wire-fetch.ts';

// The whole app in a plain browser, with no account: Shopify's admin, its APIs and the storefronts are the stand-in's.
const ADMIN_PORT = Number(process.env.PORT ?? 8790);
const PROXY_PORT = ADMIN_PORT + 1;
const adminUrl = `http://localhost:${ADMIN_PORT}`;
const appUrl = `http://localhost:${PROXY_PORT}`;

const shops = [sampleShop(), cleanShop(), hostileShop(), passwordShop(), bigShop()];
const standIn = await startStandIn(shops);
wireFetch(standIn);
const app = await serveAppBeside(standIn, { appUrl });
const servers = [
  serve({ fetch: proxyOf(app.url, adminUrl).fetch, port: PROXY_PORT, hostname: 'localhost' }),
  serve({ fetch: adminPages(standIn, { appUrl }).fetch, port: ADMIN_PORT, hostname: 'localhost' }),
];
await Promise.all(servers.map(server => once(server, 'listening')));

process.stdout.write(`The app in a stand-in for Shopify's admin: ${adminUrl}
Shops: ${shops.map(({ domain }) => `${adminUrl}/store/${domain.replace('.myshopify.com', '')}`).join('\n       ')}
Other languages: ?locale=de. Stop with Ctrl-C.
`);
process.once('SIGINT', async () => {
  for (const server of servers) server.close();
  await app.stop();
  await standIn.close();
  process.exit(0);
});
