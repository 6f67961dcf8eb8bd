import { Hono } from 'hono';
import { appBridge } from '../app-bridge.ts';
import { HOSTS } from '../hosts.ts';

const BRIDGE = '/fake-shopify/app-bridge.js';
const REWRITTEN = /^(text\/html|text\/javascript|application\/javascript)/;

/**
 * Creates a proxy between the app and a browser whose requests aren't routed to the fake Shopify. The proxy rewrites
 * Shopify CDN and admin URLs in the app's responses, so that the app runs unchanged without Shopify.
 *
 * @example
 * serve({ fetch: createAppProxy('http://127.0.0.1:8788', 'http://localhost:8790').fetch, port: 8791 });
 */
export function createAppProxy(appUrl: string, adminUrl: string): Hono {
  const proxy = new Hono();
  const rewrite = (text: string) =>
    text
      .replaceAll(`https://${HOSTS.cdn}/shopifycloud/app-bridge.js`, BRIDGE)
      .replaceAll(`https://${HOSTS.admin}`, adminUrl);

  proxy.get(BRIDGE, c => c.body(appBridge(), 200, { 'content-type': 'text/javascript' }));
  proxy.all('*', async c => {
    const { pathname, search } = new URL(c.req.url);
    const { method } = c.req;
    const headers = new Headers(c.req.raw.headers);
    headers.delete('accept-encoding');
    const body = ['GET', 'HEAD'].includes(method) ? null : await c.req.arrayBuffer();
    const answer = await fetch(`${appUrl}${pathname}${search}`, { method, headers, body, redirect: 'manual' });
    const answered = new Headers(answer.headers);
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) answered.delete(name);
    for (const name of ['content-security-policy', 'link', 'location']) {
      const value = answered.get(name);
      if (value) answered.set(name, rewrite(value));
    }
    const isText = REWRITTEN.test(answer.headers.get('content-type') ?? '');
    // Only text responses contain URLs to rewrite.
    return new Response(isText ? rewrite(await answer.text()) : answer.body, {
      status: answer.status,
      headers: answered,
    });
  });
  return proxy;
}
