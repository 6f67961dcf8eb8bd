import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, 'main.ts');
const settings = {
  SHOPIFY_API_KEY: '0123456789abcdef',
  SHOPIFY_API_SECRET: 'shpss_0123456789abcdef',
  SHOPIFY_APP_URL: 'https://app.example.com',
  TOKEN_KEYS: Buffer.alloc(32, 1).toString('base64'),
  COMPLIANCE_CONTACT: 'mailto:ops@example.com',
  PORT: '0',
};

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

function start(env: Record<string, string>, cwd: string) {
  const started = spawn(process.execPath, ['--conditions=@compliance/source', MAIN], {
    cwd,
    env: { ...env, NODE_ENV: 'production' },
    timeout: 50_000,
    killSignal: 'SIGKILL',
  });
  child = started;
  const written = { out: '', err: '' };
  started.stdout.on('data', chunk => (written.out += chunk));
  started.stderr.on('data', chunk => (written.err += chunk));
  const ended = new Promise<number | null>(resolve => started.once('exit', code => resolve(code)));
  return { written, ended };
}

describe('app process', () => {
  it('sets NODE_ENV before any import loads React', () => {
    expect(readFileSync(MAIN, 'utf8')).toMatch(/^import '\.\/set-node-env\.ts';\n/);
  });

  it('prints the names of missing settings, and then exits', async () => {
    const { written, ended } = start({}, tmpdir());
    expect(await ended).toBe(1);
    expect(written.err).toMatch(/^Invalid configuration:\n {2}SHOPIFY_API_KEY is not set\n/);
    expect(written.err).not.toMatch(/ at /);
    expect(written.out).toBe('');
  });

  it('exits without printing the database URL when the database isn’t responding', async () => {
    const DATABASE_URL = 'postgres://user:hunter2@127.0.0.1:1/none';
    const { written, ended } = start({ ...settings, DATABASE_URL }, tmpdir());
    expect(await ended).toBe(1);
    expect(written.err).toMatch(/doesn't respond/);
    expect(written.err).not.toContain('hunter2');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('serves requests and shuts down cleanly on %s', async signal => {
    const folder = await mkdtemp(join(tmpdir(), 'shopify-app-'));
    const { written, ended } = start(settings, folder);
    await expect.poll(() => written.out, { timeout: 20_000 }).toContain('"msg":"serving"');
    const url = /"url":"([^"]+)"/.exec(written.out)![1]!;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    child!.kill(signal);
    expect(await ended).toBe(0);
    expect(written.out).toContain('"msg":"stopping"');
    expect(written.err).toBe('');
    await rm(folder, { recursive: true });
  });
});
