import { describe, expect, it } from 'vitest';
import type { PausedRequest } from '../browser/tab.ts';
import { livePage } from './page-source.ts';

const SHOP_URL = 'https://shop.example/';
const asked: string[] = [];
const page = livePage(SHOP_URL, async ({ href, pathname }) => {
  asked.push(href);
  return !pathname.startsWith('/private');
});

const respond = (url: string, changes: Partial<PausedRequest> = {}, step: 'page' | 'add_to_cart' = 'page') => {
  const { type = 'Document', navigatesTab = type === 'Document' } = changes;
  const request = { method: 'GET', body: null, headers: {}, networkId: null, ...changes };
  return page.respond({ ...request, url: new URL(url, SHOP_URL).href, type, navigatesTab }, step);
};

describe('a live page', () => {
  it.each([
    ...['/checkouts/cn/1', '/checkout', '/en-us/checkouts/cn/1', '/CHECKOUTS/cn/1', '/account', '/account/login'],
    ...['/fr/account/orders/1', '/orders/0123456789abcdef', '/payments/1'],
  ])('doesn’t open %s in the tab or in a frame', async path => {
    expect([await respond(path), await respond(path, { navigatesTab: false })]).toEqual(['fail', 'fail']);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'can’t send %s requests from its scripts to a checkout, an account, or an order',
    async method => {
      const urls = ['https://shop.app/pay/session', 'https://pay.shopify.com/', 'https://checkout.shopify.com/1'];
      for (const path of ['/checkouts/cn/1', '/account/login', '/orders/1/cancel', '/payments/1', ...urls])
        for (const type of ['Fetch', 'XHR', 'Ping'] as const)
          expect(await respond(path, { method, type, body: 'email=visitor%40example.com' })).toBe('fail');
    },
  );

  it('prevents the tab from navigating to another site, such as Shop Pay or an order page on shop.app', async () => {
    for (const url of [
      'https://shop.app/checkout/1',
      'https://shop.app/orders/1',
      'https://pay.shopify.com/',
      'http://other.example/',
    ])
      expect(await respond(url)).toBe('fail');
  });

  it('can’t submit POST forms in the tab, except the form that adds a product to the cart', async () => {
    const form = { method: 'POST', body: 'email=visitor%40example.com' };
    for (const path of ['/contact', '/cart', '/cart/add', '/account/login'])
      expect(await respond(path, form)).toBe('fail');
    expect(await respond('/cart/add', form, 'add_to_cart')).toBe('continue');
    for (const path of ['/contact', '/cart', '/checkout', 'https://shop.app/cart/add'])
      expect(await respond(path, form, 'add_to_cart')).toBe('fail');
  });

  it('opens a page in the tab only if robots.txt allows it, and checks the target of a redirect separately', async () => {
    asked.length = 0;
    expect(await respond('/products/mug')).toBe('continue');
    // The browser pauses each request in a redirect chain.
    expect(await respond('/private/mug')).toBe('fail');
    expect(asked).toEqual(['https://shop.example/products/mug', 'https://shop.example/private/mug']);
  });

  it('loads the files and frames of its pages', async () => {
    for (const [url, type] of [
      ['/app.js', 'Script'],
      ['https://cdn.example/theme.css', 'Stylesheet'],
      ['/cart.js', 'Fetch'],
    ] as const)
      expect(await respond(url, { type })).toBe('continue');
    expect(await respond('https://video.example/', { navigatesTab: false })).toBe('continue');
    expect(await respond('https://shop.app/pay.js', { type: 'Script' })).toBe('continue');
    expect(await respond('https://notshop.app/', { navigatesTab: false })).toBe('continue');
    expect(await respond('/cart/add.js', { type: 'Fetch', method: 'POST' })).toBe('continue');
  });
});
