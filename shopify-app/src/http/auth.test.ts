import { API_KEY, embeddedAppUrl, idToken } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppHarness, startAppHarness } from '../../test/harness.ts';

let harness: AppHarness;
beforeAll(async () => {
  harness = await startAppHarness({ jobsAtOnce: 0 });
});
afterAll(() => harness.close());

const HOST = Buffer.from('admin.shopify.com/store/some').toString('base64').replace(/=+$/, '');
const ROUTE = '/app?index&_data=routes%2Fapp._index';
const RETRY = 'X-Shopify-Retry-Invalid-Session-Request';
const PRELOAD = /<https:\/\/cdn\.shopify\.com\/shopifycloud\/app-bridge\.js>; ?rel="?preload"?; ?as="?script"?/;
const policyOf = (answer: Response) => answer.headers.get('Content-Security-Policy') ?? '';

describe('unauthenticated visitors', () => {
  it('shows an unauthenticated visitor how to open the app, without a form', async () => {
    const answer = await harness.ask('/app');
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/auth/login']);
    const page = await (await harness.ask('/auth/login')).text();
    expect(page).toContain('Open Portfolio Compliance from your Shopify admin');
    expect(page).not.toMatch(/<input|<form|app-bridge\.js/);
  });

  it('redirects to the Shopify admin when a visitor opens the app outside the admin', async () => {
    const domain = await harness.newShop();
    const answer = await harness.ask(`/app?shop=${domain}&host=${HOST}`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('Location')).toBe(`https://admin.shopify.com/store/some/apps/${API_KEY}`);
  });

  it('redirects an unauthenticated visitor to the page that fetches a session token', async () => {
    const domain = await harness.newShop();
    const answer = await harness.ask(await embeddedAppUrl(harness.app.url, domain, { withToken: false }));
    expect(answer.status).toBe(302);
    const location = new URL(answer.headers.get('Location')!, harness.app.url);
    expect(location.pathname).toBe('/auth/session-token');
    expect(location.searchParams.get('shopify-reload')).toMatch(/^https:\/\/app\.example\/app\?/);
    const bounce = await harness.ask(`${location.pathname}${location.search}`);
    expect(bounce.status).toBe(200);
    expect(await bounce.text()).toContain(
      `<script data-api-key="${API_KEY}" src="https://cdn.shopify.com/shopifycloud/app-bridge.js"></script>`,
    );
    expect(policyOf(bounce)).toBe(`frame-ancestors https://${domain} https://admin.shopify.com`);
    expect(bounce.headers.get('Link')).toMatch(PRELOAD);
  });

  it.each(['evil.example', 'evil.example;script-src *', 'EVIL.myshopify.com.evil.example', ''])(
    'doesn’t let the site %j frame the token page',
    async shop => {
      const answer = await harness.ask(`/auth/session-token?shop=${encodeURIComponent(shop)}`);
      expect(policyOf(answer)).toBe("frame-ancestors 'none'");
    },
  );

  it.each([
    'https://evil.example/',
    '//evil.example',
    'https://app.example@evil.example/',
    'javascript:alert(1)',
    'http://',
  ])('doesn’t send a session token to %s', async away => {
    const domain = await harness.newShop();
    for (const path of ['/auth/session-token', '/app']) {
      const address = new URL(await embeddedAppUrl(harness.app.url, domain, { path, withToken: path === '/app' }));
      address.searchParams.append('shopify-reload', 'https://app.example/app');
      expect((await harness.ask(address.href)).status).toBe(200);
      address.searchParams.append('shopify-reload', away);
      expect((await harness.ask(address.href)).status).toBe(400);
    }
  });

  it.each(['Googlebot/2.1 (+http://www.google.com/bot.html)', 'HeadlessChrome/140.0', 'curl/8.1'])(
    'responds with status 410 to the bot %s',
    async agent => {
      const answer = await harness.ask('/app', { headers: { 'User-Agent': agent } });
      expect(answer.status).toBe(410);
    },
  );

  const forgeries: [string, (domain: string) => Promise<string>][] = [
    ['expired', domain => idToken(domain, { exp: Math.floor(Date.now() / 1000) - 60 })],
    ['not valid yet', domain => idToken(domain, { nbf: Math.floor(Date.now() / 1000) + 60 })],
    ['issued for another app', domain => idToken(domain, { aud: 'another-app' })],
    [
      'signed with another secret',
      domain => idToken(domain, {}, new TextEncoder().encode('another secret of many letters')),
    ],
    ['unsigned', async domain => (await idToken(domain)).replace(/[^.]+$/, '')],
    ['nonsense', async () => 'nonsense'],
  ];
  it.each(forgeries)('rejects a token that is %s and requests another token', async (_, forge) => {
    const domain = await harness.newShop();
    const Authorization = `Bearer ${await forge(domain)}`;
    const answer = await harness.ask(ROUTE, { headers: { Authorization } });
    expect([answer.status, answer.headers.get(RETRY)]).toEqual([401, '1']);
    expect(await answer.text()).toBe('');
    const address = new URL(await embeddedAppUrl(harness.app.url, domain));
    address.searchParams.set('id_token', await forge(domain));
    const document = await harness.ask(address.href);
    expect([document.status, document.headers.get('Location')]).toEqual([
      302,
      expect.stringMatching(/^\/auth\/session-token\?(?!.*id_token)/),
    ]);
    expect(await harness.store.shop(domain).record()).toBeNull();
    expect(harness.tokensAsked(domain)).toBe(0);
  });

  it('responds to an unauthenticated data request with status 401 instead of a redirect', async () => {
    const answer = await harness.ask(ROUTE);
    expect([answer.status, answer.headers.get(RETRY)]).toEqual([401, '1']);
  });

  it('responds with status 400 to an invalid host parameter', async () => {
    const domain = await harness.newShop();
    expect((await harness.ask(`/app?embedded=1&shop=${domain}&host=AAAA`)).status).toBe(400);
  });
});

describe('authenticated merchants', () => {
  it('serves a server-rendered page to a merchant and lets only the merchant’s own Shopify admin frame it', async () => {
    const [one, two] = [await harness.newShop(), await harness.newShop()];
    for (const domain of [one, two]) {
      const answer = await harness.visit(domain);
      expect(answer.status).toBe(200);
      expect(policyOf(answer)).toMatch(`frame-ancestors https://${domain} https://admin.shopify.com;`);
      expect(answer.headers.get('Link')).toMatch(PRELOAD);
      const html = await answer.text();
      expect(html).toContain('<main');
      expect(html.match(/<script[^>]*>/)?.[0]).toBe(
        '<script src="https://cdn.shopify.com/shopifycloud/app-bridge.js">',
      );
      expect(html.indexOf('app-bridge.js')).toBeLessThan(html.indexOf('</head>'));
    }
  });

  it('identifies a merchant only by the token, regardless of the URL', async () => {
    const [own, other] = [await harness.newShop(), await harness.newShop()];
    const address = new URL(await embeddedAppUrl(harness.app.url, own));
    address.searchParams.set('shop', other);
    const answer = await harness.ask(address.href);
    expect(policyOf(answer)).toMatch(`frame-ancestors https://${own} https://admin.shopify.com;`);
    expect(await harness.store.shop(own).record()).not.toBeNull();
    expect(await harness.store.shop(other).record()).toBeNull();
  });

  it('records the shop and enqueues its first scan only once during concurrent first visits', async () => {
    const domain = await harness.newShop();
    const answers = await Promise.all(Array.from({ length: 5 }, () => harness.askAs(domain, ROUTE)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const shop = harness.store.shop(domain);
    expect(await shop.record()).toMatchObject({ scopes: ['read_products', 'read_themes'], uninstalledAt: null });
    const jobs = await shop.jobs.list({ limit: 10 });
    expect(jobs.map(({ kind }) => kind).sort()).toEqual(['catalog', 'scan']);
    expect(await shop.sessions.list()).toHaveLength(1);
    const asked = harness.tokensAsked(domain);
    await harness.visit(domain);
    expect(harness.tokensAsked(domain)).toBe(asked);
  });

  it('requests a new token when the old token is about to expire', async () => {
    const domain = await harness.newShop();
    harness.fakeShopify.tokens.expiresIn = 200;
    await harness.visit(domain);
    harness.fakeShopify.tokens.expiresIn = 3_600;
    await harness.visit(domain);
    await harness.visit(domain);
    expect(harness.tokensAsked(domain)).toBe(2);
  });

  it('keeps a shop’s data after a reinstall and enqueues a new scan', async () => {
    const domain = await harness.newShop();
    await harness.visit(domain);
    const before = await harness.store.shop(domain).record();
    expect(await harness.webhook('app/uninstalled', domain, { myshopify_domain: domain })).toBe(200);
    expect(await harness.store.shop(domain).sessions.list()).toEqual([]);
    expect((await harness.visit(domain)).status).toBe(200);
    const shop = harness.store.shop(domain);
    expect(await shop.record()).toMatchObject({ uninstalledAt: null, installedAt: before!.installedAt });
    expect((await shop.record())!.reinstalledAt).not.toBeNull();
    expect((await shop.jobs.list({ limit: 10 })).filter(({ state }) => state === 'queued')).toHaveLength(2);
  });

  it('lets a merchant reopen the app even if the tokens are invalid and an uninstall webhook was lost', async () => {
    const domain = await harness.newShop();
    await harness.visit(domain);
    harness.fakeShopify.tokens.revoke(domain);
    expect((await harness.visit(domain)).status).toBe(200);
  });

  it('records a merchant’s shop even if the process died right after storing the token', async () => {
    const domain = await harness.newShop();
    await harness.visit(domain);
    const shop = harness.store.shop(domain);
    const [session] = await shop.sessions.list();
    await shop.erase();
    await harness.store.sessions.put(session!);
    expect((await harness.visit(domain)).status).toBe(200);
    expect(await shop.record()).toMatchObject({ uninstalledAt: null });
    expect(harness.tokensAsked(domain)).toBe(1);
  });
});

describe('authentication middleware', () => {
  it.each(['/APP', '/%61pp', '/app/', '/app/nope', '/app/../app', '/aPP/settings'])(
    'requires authentication for the path %s',
    async path => {
      expect((await harness.ask(path)).headers.get('Location')).toBe('/auth/login');
    },
  );

  it.each([
    '//app',
    '/app%2f..',
    '/auth',
    '/auth/exit-iframe?exitIframe=https://evil.example',
    '/.env',
    '/%',
    '/assets',
  ])('doesn’t grant access through the path %s', async path => {
    const answer = await harness.ask(path);
    expect([302, 404]).toContain(answer.status);
    if (answer.status === 302) expect(answer.headers.get('Location')).toBe('/auth/login');
  });

  it.each(['/', '/auth/login', '/webhooks'])('never serves page data through the public URL %s', async path => {
    for (const route of ['routes/app', 'routes/app._index']) {
      const answer = await harness.ask(`${path}?_data=${encodeURIComponent(route)}`);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await answer.text()).not.toContain('myshopify');
    }
  });
});
