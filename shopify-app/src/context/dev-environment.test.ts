import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { devEnvironment } from './dev-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'shopify-app-dev-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Environment variables that `shopify app dev` sets. */
const cli = {
  ...{ SHOPIFY_API_KEY: '0123456789abcdef', SHOPIFY_API_SECRET: 'shpss_0123456789abcdef', SCOPES: 'read_products' },
  ...{ HOST: 'https://some-words.trycloudflare.com', PORT: '54321', DATA_DIR: join(folder, 'data') },
};

it('adds the settings that Shopify CLI doesn’t provide', () => {
  const config = readConfig(devEnvironment(cli));
  expect(config).toMatchObject({ appUrl: cli.HOST, host: '127.0.0.1', port: 54321 });
});

it('keeps the token key in a private file, so that tokens survive a restart', () => {
  const [first, second] = [devEnvironment(cli), devEnvironment(cli)];
  expect(first.TOKEN_KEYS).toBe(second.TOKEN_KEYS);
  expect(statSync(join(cli.DATA_DIR, 'dev-token-key')).mode & 0o077).toBe(0);
});

it('doesn’t change settings that are already set', () => {
  const own = { SHOPIFY_APP_URL: 'https://app.example.com', HOST: '0.0.0.0', TOKEN_KEYS: 'x', COMPLIANCE_CONTACT: 'y' };
  expect(devEnvironment({ ...cli, ...own })).toMatchObject(own);
});
