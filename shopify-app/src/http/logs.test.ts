import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const APP = join(import.meta.dirname, '../..');

/** Pattern for anything that looks like a session token, Shopify token, app secret, or signature. */
const SECRETS = /eyJ[\w-]+\.|id_token|shp(at|rt|ua|ss)_|[A-Za-z0-9+/]{43}=|Bearer/;

it('never writes secrets to the log or to standard error', async () => {
  const args = ['--conditions=@compliance/source', join(APP, 'test/noisy-run.ts')];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    cwd: APP,
    maxBuffer: 2 ** 26,
    timeout: 50_000,
    killSignal: 'SIGKILL',
  });
  const written = `${stdout}\n${stderr}`;
  const lines = stdout.split('\n').filter(line => line.startsWith('{'));
  expect(lines.length).toBeGreaterThan(20);
  for (const message of ['request', 'webhook', 'job', 'failed', 'serving'])
    expect(written).toContain(`"msg":"${message}"`);
  expect(written.split('\n').filter(line => SECRETS.test(line))).toEqual([]);
  expect(written).not.toMatch(/<img|john@example/);
  // The log is the only output: no dependency writes to standard output or standard error.
  expect(stderr).toBe('');
  expect(stdout.split('\n').filter(line => line !== '' && !line.startsWith('{'))).toEqual([]);
});
