import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeShopify, startFakeShopify } from './fake-shopify.ts';
import { sampleShop } from './shop/samples.ts';

let fakeShopify: FakeShopify;
beforeAll(async () => {
  fakeShopify = await startFakeShopify([sampleShop()]);
});
afterAll(() => fakeShopify.close());

/** Runs code in a separate process that loads the preload script. */
const run = async (line: string) => {
  const preload = ['--conditions=@compliance/source', '--import', join(import.meta.dirname, 'preload.ts')];
  const env = { ...process.env, FAKE_SHOPIFY_URL: fakeShopify.url };
  const child = promisify(execFile)(process.execPath, [...preload, '--input-type=module', '-e', line], {
    env,
    timeout: 50_000,
    killSignal: 'SIGKILL',
  });
  return (await child).stdout.trim();
};

describe('a process that loads the preload script', () => {
  it('routes Shopify URLs to the fake Shopify', async () => {
    const address = 'https://sample-shop.myshopify.com/admin/api/2026-10/graphql.json';
    const status = await run(
      `const { status } = await fetch('${address}', { method: 'POST', body: '{}' }); console.log(status);`,
    );
    expect(status).toBe('401');
    expect(fakeShopify.calls.at(-1)).toMatchObject({ host: 'sample-shop.myshopify.com', status: 401 });
  });

  it('allows requests to loopback but not to other hosts', async () => {
    const tried =
      await run(`for (const url of ['${fakeShopify.url}/', 'https://example.com/', 'https://myshopify.com.evil.example/'])
      console.log(await fetch(url).then(() => 'reached', error => error.message));`);
    expect(tried.split('\n')).toEqual([
      'reached',
      'The fake Shopify blocks requests to example.com.',
      'The fake Shopify blocks requests to myshopify.com.evil.example.',
    ]);
  });
});
