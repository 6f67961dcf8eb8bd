import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledDataset, hashOf } from '@compliance/core/tariff/dataset';
import { startFakeShopify } from '@compliance/fake-shopify';
import { createSigningKey, publishDataset, publishRoot, readSigningKey, updateLists } from '@compliance/lists';
import { expect, it, onTestFinished } from 'vitest';
import { serveTestApp } from './serve-app.ts';

it('uses the data set that `compliance lists update` installed in the data folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shopify-app-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [repository, dataDir] = [join(folder, 'repository'), join(folder, 'data')];
  const signer = readSigningKey(createSigningKey().privateKey);
  const role = { keys: [signer.key], threshold: 1 };
  const roles = { root: role, targets: role, snapshot: role, timestamp: role };
  const signed = { signers: [signer], now: new Date() };
  const { file } = publishRoot(repository, { ...signed, roles, days: 1 });
  const content = { ...bundledDataset(), version: '2099.1.1' };
  const dataset = JSON.stringify({ ...content, sha256: hashOf(content) });
  publishDataset(repository, { ...signed, dataset, days: { targets: 1, snapshot: 1, timestamp: 1 } });
  const trustedRoot = readFileSync(file);
  await updateLists({ folder: join(dataDir, 'lists'), from: repository, trustedRoot, now: new Date() });

  const fakeShopify = await startFakeShopify([]);
  onTestFinished(() => fakeShopify.close());
  const app = await serveTestApp(fakeShopify, { dataDir, jobsAtOnce: 0 });
  onTestFinished(() => app.stop());
  const ready = await (await fetch(`${app.url}/readyz`)).json();
  expect(ready).toMatchObject({ status: 'ready', checks: { lists: { version: '2099.1.1' } } });
});
