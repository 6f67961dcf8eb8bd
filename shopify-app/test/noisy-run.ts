import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { idToken } from '../stand-in/admin/tokens.ts';
import { addressOfApp } from '../stand-in/frame/frame.ts';
import { serveAppBeside } from '../stand-in/serve-app.ts';
import { sampleShop } from '../stand-in/shop/samples.ts';
import { startStandIn } from '../stand-in/stand-in.ts';
import { wireFetch } from '../stand-in/wire-fetch.ts';
import { BROWSER } from './beside.ts';

// The app as it is started for merchants, its log on standard output, through all that may go right or wrong. What it writes
// is read by `src/http/logs.test.ts`.
const [one, two] = [sampleShop('one'), sampleShop('two')];
const standIn = await startStandIn([one, two]);
wireFetch(standIn);
const dataDir = await mkdtemp(join(tmpdir(), 'shopify-app-'));
const log = pino({ base: null, level: 'trace' });
const app = await serveAppBeside(standIn, { dataDir, log });
log.info({ url: app.url }, 'serving');

const ask = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(path.startsWith('/') ? `${app.url}${path}` : path, {
    redirect: 'manual',
    ...init,
    headers: { ...BROWSER, ...init.headers },
  });
  await answer.arrayBuffer();
};
const visit = async (domain: string, path: string) => await ask(await addressOfApp(app.url, domain, { path }));
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
  // Not in the shape that Shopify promises: it fails, and is seen to.
  ['products/update', { id: '<img src=x onerror=alert(1)>' }],
  ['orders/create', { customer }],
] as const) {
  await standIn.webhook(app.url, topic, one.domain, payload);
  await standIn.webhook(app.url, topic, one.domain, payload, { forged: true });
}

standIn.tokens.revoke(two.domain);
await standIn.webhook(app.url, 'themes/publish', two.domain, {});
await standIn.webhook(app.url, 'shop/redact', two.domain, { shop_domain: two.domain });
await visit(two.domain, '/app');
standIn.tokens.expiresIn = 60;
standIn.tokens.deadRefresh = true;
await visit(two.domain, '/app');
await standIn.webhook(app.url, 'themes/publish', two.domain, {});
await wait(4_000);
await standIn.webhook(app.url, 'app/uninstalled', one.domain, { myshopify_domain: one.domain });
await app.stop();
await standIn.close();
await rm(dataDir, { recursive: true });
