import '../src/set-node-env.ts';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
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
import { openShopStore } from '@compliance/store/shop';
import { serve } from '@hono/node-server';
import { serveTestApp } from './serve-app.ts';

// Runs the whole app in a browser, without a Shopify account. The admin, the APIs, and the storefronts are fake.
const ADMIN_PORT = Number(process.env.PORT ?? 8790);
const PROXY_PORT = ADMIN_PORT + 1;
const adminUrl = `http://localhost:${ADMIN_PORT}`;
const appUrl = `http://localhost:${PROXY_PORT}`;

const shops = [sampleShop(), cleanShop(), hostileShop(), passwordShop(), bigShop()];
const fakeShopify = await startFakeShopify(shops);
wireFetch(fakeShopify);
const dataDir = mkdtempSync(join(tmpdir(), 'shopify-app-demo-'));
// The official HTS export is a USITC publication, so the repository doesn't contain it.
const officialExport = join(import.meta.dirname, '../../../shared/data/hts_2026_rev_10.json.gz');
const hasExport = existsSync(officialExport);
if (hasExport) {
  const body = gunzipSync(readFileSync(officialExport)).toString();
  const sha256 = createHash('sha256').update(body).digest('hex');
  const store = await openShopStore({ dataDir, clock: Date.now });
  await store.nomenclatures.put({ edition: 'HTS 2026 Revision 10', sha256, body });
  await store.close();
}
const app = await serveTestApp(fakeShopify, { dataDir, appUrl });
const servers = [
  serve({ fetch: createAppProxy(app.url, adminUrl).fetch, port: PROXY_PORT, hostname: 'localhost' }),
  serve({
    fetch: adminPages(fakeShopify, { appUrl, adminUrl, extensionsUrl: adminUrl }).fetch,
    port: ADMIN_PORT,
    hostname: 'localhost',
  }),
];
await Promise.all(servers.map(server => once(server, 'listening', { signal: AbortSignal.timeout(10_000) })));

process.stdout.write(`Open the app in the fake Shopify admin: ${adminUrl}
Shops: ${shops.map(({ domain }) => `${adminUrl}/store/${domain.replace('.myshopify.com', '')}`).join('\n       ')}
Product page with the app’s extensions: ${adminUrl}/store/sample-shop/products/1
${hasExport ? '' : `HTS descriptions aren’t loaded, because ${officialExport} doesn’t exist.\n`}To change the language, add ?locale=de to the URL. Press Ctrl+C to stop.
`);
process.once('SIGINT', async () => {
  for (const server of servers) server.close();
  await app.stop();
  await fakeShopify.close();
  process.exit(0);
});
