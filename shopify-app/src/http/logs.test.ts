import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const APP = join(import.meta.dirname, '../..');

/** What has the form of a secret: a session token, a token of Shopify, the app's secret, a signature. */
const SECRETS = /eyJ[\w-]+\.|id_token|shp(at|rt|ua|ss)_|[A-Za-z0-9+/]{43}=|Bearer/;

it('nothing secret is written anywhere, whatever happens: neither to the log nor beside it', async () => {
  const args = ['--conditions=@compliance/source', join(APP, 'test/noisy-run.ts')];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: APP, maxBuffer: 2 ** 26 });
  const written = `${stdout}\n${stderr}`;
  const lines = stdout.split('\n').filter(line => line.startsWith('{'));
  expect(lines.length).toBeGreaterThan(20);
  for (const message of ['request', 'webhook', 'job', 'failed', 'serving'])
    expect(written).toContain(`"msg":"${message}"`);
  expect(written.split('\n').filter(line => SECRETS.test(line))).toEqual([]);
  expect(written).not.toMatch(/<img|john@example/);
  // All that is written is the log: no package writes beside it.
  expect(stderr).toBe('');
  expect(stdout.split('\n').filter(line => line !== '' && !line.startsWith('{'))).toEqual([]);
});
