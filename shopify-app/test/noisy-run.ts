import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { embeddedAppUrl, idToken, sampleShop, startFakeShopify, wireFetch } from '@compliance/fake-shopify';
import { pino } from 'pino';
import { BROWSER } from './harness.ts';
import { serveTestApp } from './serve-app.ts';

// Runs the app as in production, with both successful and failing requests, and logs to standard output.
// `src/http/logs.test.ts` checks the output.
const [one, two] = [sampleShop('one'), sampleShop('two')];
const fakeShopify = await startFakeShopify([one, two]);
wireFetch(fakeShopify);
const dataDir = await mkdtemp(join(tmpdir(), 'shopify-app-'));
const log = pino({ base: null, level: 'trace' });
const app = await serveTestApp(fakeShopify, { dataDir, log });
log.info({ url: app.url }, 'serving');

const ask = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(path.startsWith('/') ? `${app.url}${path}` : path, {
    redirect: 'manual',
    ...init,
    headers: { ...BROWSER, ...init.headers },
  });
  await answer.arrayBuffer();
};
const visit = async (domain: string, path: string) => await ask(await embeddedAppUrl(app.url, domain, { path }));
const askAs = async (token: string, path: string, init: RequestInit = {}) =>
  await ask(path, { ...init, headers: { Authorization: `Bearer ${token}` } });

for (const { domain } of [one, two]) {
  for (const path of ['/app', '/app/nothing', '/APP', '/app/%3Cimg%20src=x%20onerror=alert(1)%3E'])
    await visit(domain, path);
  const token = await idToken(domain);
  await askAs(token, '/app?index&_data=routes%2Fapp._index');
  await askAs(token, `/app?_data=routes%2Fnothing&id_token=${token}`);
  await askAs(token, '/app', { method: 'POST', body: `id_token=${token}` });
  await askAs(token, '/app/nothing', { method: 'DELETE' });
  await askAs(await idToken(domain, { exp: 1 }), '/app?_data=routes%2Fapp._index');
  await askAs(await idToken(domain, { aud: 'other' }), '/app');
  await ask(`/auth/login?id_token=${token}`);
  await ask(`/auth/session-token?id_token=${token}&shop=${domain}`);
  await ask(`/?id_token=${token}`);
  await ask(`/nothing?id_token=${token}`);
  await ask(`/assets/nothing?id_token=${token}`);
  await ask(`/app?id_token=${token}&shop=${domain}&host=AAAA&embedded=1`);
}

const customer = { email: 'john@example.com' };
for (const [topic, payload] of [
  ['themes/publish', {}],
  ['customers/data_request', { customer, data_request: { id: 1 } }],
  ['customers/redact', { customer }],
  // This payload doesn't have the documented shape, so the webhook fails and the app logs the failure.
  ['products/update', { id: '<img src=x onerror=alert(1)>' }],
  ['orders/create', { customer }],
] as const) {
  await fakeShopify.webhook(app.url, topic, one.domain, payload);
  await fakeShopify.webhook(app.url, topic, one.domain, payload, { forged: true });
}

fakeShopify.tokens.revoke(two.domain);
await fakeShopify.webhook(app.url, 'themes/publish', two.domain, {});
await fakeShopify.webhook(app.url, 'shop/redact', two.domain, { shop_domain: two.domain });
await visit(two.domain, '/app');
fakeShopify.tokens.expiresIn = 60;
fakeShopify.tokens.deadRefresh = true;
await visit(two.domain, '/app');
await fakeShopify.webhook(app.url, 'themes/publish', two.domain, {});
await wait(4_000);
await fakeShopify.webhook(app.url, 'app/uninstalled', one.domain, { myshopify_domain: one.domain });
await app.stop();
await fakeShopify.close();
await rm(dataDir, { recursive: true });
