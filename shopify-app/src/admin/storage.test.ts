import { type FakeShopify, startFakeShopify, wireFetch } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchFromStorage } from './storage.ts';

const options = { signal: new AbortController().signal, timeoutMs: 5_000 };

let fakeShopify: FakeShopify;
beforeAll(async () => {
  fakeShopify = await startFakeShopify([]);
  wireFetch(fakeShopify);
});
afterAll(() => fakeShopify.close());

describe('Shopify file storage', () => {
  it.each(['http://storage.googleapis.com/x', 'file:///etc/passwd', 'data:text/plain,x', 'not a URL', ''])(
    'rejects the storage URL %j',
    async url => {
      await expect(fetchFromStorage(url, options)).rejects.toThrow('not an HTTPS URL');
    },
  );

  it('rejects a redirect from Shopify’s file storage', async () => {
    fakeShopify.faults.plan({ kind: 'status', status: 302 }, { operation: 'storage' });
    await expect(fetchFromStorage('https://cdn.shopify.com/x', options)).rejects.toThrow(TypeError);
  });

  it('stops waiting for Shopify’s file storage when the timeout expires', async () => {
    fakeShopify.faults.plan({ kind: 'slow', ms: 3_000 }, { operation: 'storage' });
    await expect(fetchFromStorage('https://cdn.shopify.com/x', { ...options, timeoutMs: 50 })).rejects.toThrow(
      /timeout/i,
    );
  });
});
