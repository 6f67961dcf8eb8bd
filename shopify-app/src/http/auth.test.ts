import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_KEY, idToken } from '../../stand-in/admin/tokens.ts';
import { addressOfApp } from '../../stand-in/frame/frame.ts';
import { type Beside, startBeside } from '../../test/beside.ts';

let beside: Beside;
beforeAll(async () => {
  beside = await startBeside({ jobsAtOnce: 0 });
});
afterAll(() => beside.close());

const HOST = Buffer.from('admin.shopify.com/store/some').toString('base64').replace(/=+$/, '');
const ROUTE = '/app?index&_data=routes%2Fapp._index';
const RETRY = 'X-Shopify-Retry-Invalid-Session-Request';
const PRELOAD = /<https:\/\/cdn\.shopify\.com\/shopifycloud\/app-bridge\.js>; ?rel="?preload"?; ?as="?script"?/;
const policyOf = (answer: Response) => answer.headers.get('Content-Security-Policy') ?? '';

describe('a visitor whom Shopify does not vouch for', () => {
  it('is sent to a page that says where to open the app, and asks for nothing', async () => {
    const answer = await beside.ask('/app');
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/auth/login']);
    const page = await (await beside.ask('/auth/login')).text();
    expect(page).toContain('Open Portfolio Compliance from your Shopify admin');
    expect(page).not.toMatch(/<input|<form|app-bridge\.js/);
  });

  it('is sent into Shopify’s admin when the app is opened outside of it', async () => {
    const domain = await beside.newShop();
    const answer = await beside.ask(`/app?shop=${domain}&host=${HOST}`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('Location')).toBe(`https://admin.shopify.com/store/some/apps/${API_KEY}`);
  });

  it('goes by the page that fetches a session token when there is none yet', async () => {
    const domain = await beside.newShop();
    const answer = await beside.ask(await addressOfApp(beside.app.url, domain, { withToken: false }));
    expect(answer.status).toBe(302);
    const location = new URL(answer.headers.get('Location')!, beside.app.url);
    expect(location.pathname).toBe('/auth/session-token');
    expect(location.searchParams.get('shopify-reload')).toMatch(/^https:\/\/app\.example\/app\?/);
    const bounce = await beside.ask(`${location.pathname}${location.search}`);
    expect(bounce.status).toBe(200);
    expect(await bounce.text()).toContain(
      `<script data-api-key="${API_KEY}" src="https://cdn.shopify.com/shopifycloud/app-bridge.js"></script>`,
    );
    expect(policyOf(bounce)).toBe(`frame-ancestors https://${domain} https://admin.shopify.com`);
    expect(bounce.headers.get('Link')).toMatch(PRELOAD);
  });

  it.each(['evil.example', 'evil.example;script-src *', 'EVIL.myshopify.com.evil.example', ''])(
    'may not have that page shown by %j',
    async shop => {
      const answer = await beside.ask(`/auth/session-token?shop=${encodeURIComponent(shop)}`);
      expect(policyOf(answer)).toBe("frame-ancestors 'none'");
    },
  );

  it.each([
    'https://evil.example/',
    '//evil.example',
    'https://app.example@evil.example/',
    'javascript:alert(1)',
    'http://',
  ])('has no session token brought to %s', async away => {
    const domain = await beside.newShop();
    for (const path of ['/auth/session-token', '/app']) {
      const address = new URL(await addressOfApp(beside.app.url, domain, { path, withToken: path === '/app' }));
      address.searchParams.append('shopify-reload', 'https://app.example/app');
      expect((await beside.ask(address.href)).status).toBe(200);
      address.searchParams.append('shopify-reload', away);
      expect((await beside.ask(address.href)).status).toBe(400);
    }
  });

  it.each(['Googlebot/2.1 (+http://www.google.com/bot.html)', 'HeadlessChrome/140.0', 'curl/8.1'])(
    'is gone for the robot %s',
    async agent => {
      const answer = await beside.ask('/app', { headers: { 'User-Agent': agent } });
      expect(answer.status).toBe(410);
    },
  );

  const forgeries: [string, (domain: string) => Promise<string>][] = [
    ['expired', domain => idToken(domain, { exp: Math.floor(Date.now() / 1000) - 60 })],
    ['not valid yet', domain => idToken(domain, { nbf: Math.floor(Date.now() / 1000) + 60 })],
    ['meant for another app', domain => idToken(domain, { aud: 'another-app' })],
    ['signed by another', domain => idToken(domain, {}, new TextEncoder().encode('another secret of many letters'))],
    ['unsigned', async domain => (await idToken(domain)).replace(/[^.]+$/, '')],
    ['nonsense', async () => 'nonsense'],
  ];
  it.each(forgeries)('is refused with a token that is %s, and asked for another', async (_, forge) => {
    const domain = await beside.newShop();
    const Authorization = `Bearer ${await forge(domain)}`;
    const answer = await beside.ask(ROUTE, { headers: { Authorization } });
    expect([answer.status, answer.headers.get(RETRY)]).toEqual([401, '1']);
    expect(await answer.text()).toBe('');
    const address = new URL(await addressOfApp(beside.app.url, domain));
    address.searchParams.set('id_token', await forge(domain));
    const document = await beside.ask(address.href);
    expect([document.status, document.headers.get('Location')]).toEqual([
      302,
      expect.stringMatching(/^\/auth\/session-token\?(?!.*id_token)/),
    ]);
    expect(await beside.store.shop(domain).record()).toBeNull();
    expect(beside.tokensAsked(domain)).toBe(0);
  });

  it('is told so by a status that the router understands, not by a redirect to another site', async () => {
    const answer = await beside.ask(ROUTE);
    expect([answer.status, answer.headers.get(RETRY)]).toEqual([401, '1']);
  });

  it('gets no further with an address as no address is', async () => {
    const domain = await beside.newShop();
    expect((await beside.ask(`/app?embedded=1&shop=${domain}&host=AAAA`)).status).toBe(400);
  });
});

describe('a merchant', () => {
  it('sees the page that the server made, framed by their own admin alone', async () => {
    const [one, two] = [await beside.newShop(), await beside.newShop()];
    for (const domain of [one, two]) {
      const answer = await beside.visit(domain);
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

  it('is whom the token names, whatever the address says', async () => {
    const [own, other] = [await beside.newShop(), await beside.newShop()];
    const address = new URL(await addressOfApp(beside.app.url, own));
    address.searchParams.set('shop', other);
    const answer = await beside.ask(address.href);
    expect(policyOf(answer)).toMatch(`frame-ancestors https://${own} https://admin.shopify.com;`);
    expect(await beside.store.shop(own).record()).not.toBeNull();
    expect(await beside.store.shop(other).record()).toBeNull();
  });

  it('is remembered at the first visit, and the first scan is under way once', async () => {
    const domain = await beside.newShop();
    const answers = await Promise.all(Array.from({ length: 5 }, () => beside.askAs(domain, ROUTE)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const shop = beside.store.shop(domain);
    expect(await shop.record()).toMatchObject({ scopes: ['read_products', 'read_themes'], uninstalledAt: null });
    const jobs = await shop.jobs.list({ limit: 10 });
    expect(jobs.map(({ kind }) => kind).sort()).toEqual(['catalog', 'scan']);
    expect(await shop.sessions.list()).toHaveLength(1);
    const asked = beside.tokensAsked(domain);
    await beside.visit(domain);
    expect(beside.tokensAsked(domain)).toBe(asked);
  });

  it('gets a new token when the old one has minutes to live', async () => {
    const domain = await beside.newShop();
    beside.standIn.tokens.expiresIn = 200;
    await beside.visit(domain);
    beside.standIn.tokens.expiresIn = 3_600;
    await beside.visit(domain);
    await beside.visit(domain);
    expect(beside.tokensAsked(domain)).toBe(2);
  });

  it('comes back after an uninstall to what they had, and is scanned anew', async () => {
    const domain = await beside.newShop();
    await beside.visit(domain);
    const before = await beside.store.shop(domain).record();
    expect(await beside.webhook('app/uninstalled', domain, { myshopify_domain: domain })).toBe(200);
    expect(await beside.store.shop(domain).sessions.list()).toEqual([]);
    expect((await beside.visit(domain)).status).toBe(200);
    const shop = beside.store.shop(domain);
    expect(await shop.record()).toMatchObject({ uninstalledAt: null, installedAt: before!.installedAt });
    expect((await shop.record())!.reinstalledAt).not.toBeNull();
    expect((await shop.jobs.list({ limit: 10 })).filter(({ state }) => state === 'queued')).toHaveLength(2);
  });

  it('comes back to a shop whose uninstall was never told, and whose tokens are dead', async () => {
    const domain = await beside.newShop();
    await beside.visit(domain);
    beside.standIn.tokens.revoke(domain);
    expect((await beside.visit(domain)).status).toBe(200);
  });

  it('is remembered although the process died between the token and that', async () => {
    const domain = await beside.newShop();
    await beside.visit(domain);
    const shop = beside.store.shop(domain);
    const [session] = await shop.sessions.list();
    await shop.erase();
    await beside.store.sessions.put(session!);
    expect((await beside.visit(domain)).status).toBe(200);
    expect(await shop.record()).toMatchObject({ uninstalledAt: null });
    expect(beside.tokensAsked(domain)).toBe(1);
  });
});

describe('the gate', () => {
  it.each(['/APP', '/%61pp', '/app/', '/app/nope', '/app/../app', '/aPP/settings'])('stands before %s', async path => {
    expect((await beside.ask(path)).headers.get('Location')).toBe('/auth/login');
  });

  it.each([
    '//app',
    '/app%2f..',
    '/auth',
    '/auth/exit-iframe?exitIframe=https://evil.example',
    '/.env',
    '/%',
    '/assets',
  ])('knows no %s, or lets nobody in by it', async path => {
    const answer = await beside.ask(path);
    expect([302, 404]).toContain(answer.status);
    if (answer.status === 302) expect(answer.headers.get('Location')).toBe('/auth/login');
  });

  it.each(['/', '/auth/login', '/webhooks'])('gives no data of a page by the open address %s', async path => {
    for (const route of ['routes/app', 'routes/app._index']) {
      const answer = await beside.ask(`${path}?_data=${encodeURIComponent(route)}`);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await answer.text()).not.toContain('myshopify');
    }
  });
});
