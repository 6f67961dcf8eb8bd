import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compliance, serving, temporaryFolder } from '../testing/compliance.ts';
import { signIn } from '../testing/operator.ts';

const LOOKUP = '/api/v1/tariff/hts/lookup';

/** The request that a printed curl line makes. */
async function runCurl(line: string): Promise<string> {
  const [, url, auth, type, body] = /^curl -s (\S+) -H '([^']+)' -H '([^']+)' -d '([^']+)'$/.exec(line.trim())!;
  const headers = Object.fromEntries([auth!, type!].map(header => header.split(': ') as [string, string]));
  return await (await fetch(url!, { method: 'POST', headers, body: body! })).text();
}

describe('compliance serve', () => {
  it('prints on the first start a key and a curl line, which returns the printed answer', async () => {
    const service = await serving(['--data', temporaryFolder()]);
    const lines = service.output().stdout.split('\n');
    const curl = lines.find(line => line.includes('curl -s'))!;
    const answer = lines.find(line => line.includes('"results"'))!;
    expect(await runCurl(curl)).toBe(answer.trim());
    expect(JSON.parse(answer).results[0]).toMatchObject({ code: '7318.15.2061', hit: true, status: 'hit' });
  });

  it('stops on Ctrl-C, keeps its data, and shows no key on the second start but says how to issue one', async () => {
    const data = ['--data', temporaryFolder()];
    const first = await serving(data);
    const [key] = /cmpl_live_\w+/.exec(first.output().stdout)!;
    first.child.kill('SIGINT');
    expect(await first.closed).toEqual([0, null]);
    expect(first.output()).toMatchObject({ stdout: expect.stringContaining('Stopped.'), stderr: '' });

    const second = await serving(data);
    expect(second.output().stdout).not.toContain('cmpl_live_');
    expect(second.output().stdout).toContain('compliance keys issue');
    const response = await fetch(second.base + LOOKUP, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: '{"codes":["7318"]}',
    });
    expect(response.status).toBe(200);
  });

  it('ends while a client keeps its connection open', async () => {
    const service = await serving(['--data', temporaryFolder()]);
    await fetch(`${service.base}/healthz`, { headers: { Connection: 'keep-alive' } });
    service.child.kill('SIGTERM');
    expect(await service.closed).toEqual([0, null]);
  });

  it('says that a port is in use, and issues no key then', async () => {
    const taken = new URL((await serving(['--data', temporaryFolder()])).base).port;
    const data = temporaryFolder();
    const { exitCode, stderr, stdout } = await compliance(['serve', '--port', taken, '--data', data]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `compliance: Port ${taken} is in use. Stop what listens there, or give another: --port ${Number(taken) + 1}\n`,
    );
    expect(JSON.parse((await compliance(['keys', 'list', '--all', '--data', data, '--json'])).stdout)).toEqual([]);
  });

  it('refuses a port that is none', async () => {
    expect(await compliance(['serve', '--port', '99999'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('from 0 to 65535'),
    });
  });

  it('tells existing codes by the export that was imported', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'hts_2026_rev_10.json');
    writeFileSync(file, JSON.stringify([{ htsno: '7318.15.20.61', indent: '0', description: 'Bolts' }]));
    const imported = await compliance(['hts', 'import', file, '--data', folder]);
    expect(imported.stdout).toContain('Imported HTS 2026 Revision 10: 1 numbers');
    const again = await compliance(['hts', 'import', file, '--data', folder, '--edition', 'Mine']);
    expect(again.stdout).toContain('Against HTS 2026 Revision 10: 0 numbers added, 0 deleted.');
    const service = await serving(['--data', folder]);
    const curl = service
      .output()
      .stdout.split('\n')
      .find(line => line.includes('curl -s'))!;
    expect(JSON.parse(await runCurl(curl))).toMatchObject({
      list: { nomenclature: 'Mine' },
      results: [{ exists: true }],
    });
  });
});

const keysPage = async (base: string, cookie: string) =>
  (await fetch(`${base}/operator/keys`, { headers: { Cookie: cookie }, redirect: 'manual' })).status;

describe('the operator pages of compliance serve', () => {
  const SECRET = 'Kq8vX2mZ4tR7yB1nC5wE9uH3jL6pD0sF';
  const LINK_KEYS = `k1:${Buffer.from(Array.from({ length: 32 }, (_, i) => (i * 89) % 251)).toString('base64url')}`;

  it('are opened by a secret that is made on the first start, kept to its owner, and never printed', async () => {
    const folder = temporaryFolder();
    const first = await serving(['--data', folder]);
    const file = join(folder, 'operator-secret');
    expect(first.output().stdout).toContain(`${first.base}/operator (the secret is in ${file})`);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const secret = readFileSync(file, 'utf8').trim();
    expect(secret).toMatch(/^[\w-]{43}$/);
    const { status, cookie } = await signIn(first.base, secret);
    expect([status, await keysPage(first.base, cookie)]).toEqual([303, 200]);
    expect((await signIn(first.base, `${secret}x`)).status).toBe(401);
    const form = { company: 'Acme', use_case: 'Check', expected_volume: '1', email: 'buyer@acme.test' };
    const asked = { method: 'POST', headers: { Origin: first.base }, body: new URLSearchParams(form) };
    expect((await fetch(`${first.base}/beta`, asked)).url).toBe(`${first.base}/beta/received`);
    first.child.kill('SIGINT');
    await first.closed;
    for (const said of Object.values(first.output())) {
      for (const kept of [secret, cookie.split('=')[1]!, form.email]) expect(said).not.toContain(kept);
    }

    const second = await serving(['--data', folder]);
    expect(readFileSync(file, 'utf8').trim()).toBe(secret);
    expect(await keysPage(second.base, cookie)).toBe(200);
  });

  it('share a session between processes, and a new secret ends it', async () => {
    const data = ['--data', temporaryFolder()];
    const env = { OPERATOR_SECRET: SECRET };
    const [one, two] = await Promise.all([serving(data, env), serving(data, env)]);
    const { cookie } = await signIn(one.base, SECRET);
    expect([await keysPage(one.base, cookie), await keysPage(two.base, cookie)]).toEqual([200, 200]);
    const changed = await serving(data, { OPERATOR_SECRET: `${SECRET}-new` });
    expect(await keysPage(changed.base, cookie)).toBe(303);
    expect((await signIn(changed.base, SECRET)).status).toBe(401);
  });

  it.each([
    ['OPERATOR_SECRET', 'is missing', '', 'is not set'],
    ['OPERATOR_SECRET', 'is short', 'Kq8vX2mZ4tR7yB1nC5w', 'is too short'],
    ['OPERATOR_SECRET', 'is a sample', 'change-me-to-something-long-and-random', 'looks like a sample'],
    ['OPERATOR_SECRET', 'is one letter', 'x'.repeat(64), 'looks like a sample'],
    ['LINK_KEYS', 'is missing', '', 'is not set'],
    ['LINK_KEYS', 'has no id', LINK_KEYS.slice(3), 'is malformed'],
    ['LINK_KEYS', 'is short', LINK_KEYS.slice(0, 40), 'is malformed'],
    ['LINK_KEYS', 'has a good and a short one', `${LINK_KEYS} k2:${LINK_KEYS.slice(3, 30)}`, 'is malformed'],
    ['LINK_KEYS', 'has an id twice', `${LINK_KEYS} k1:${LINK_KEYS.slice(4)}x`, 'has the id k1 twice'],
    ['LINK_KEYS', 'is one letter', `k1:${'A'.repeat(43)}`, 'looks like a sample'],
    ['LINK_KEYS', 'is a sample', `k1:change-me-${'x1y2z3w4'.repeat(5)}`, 'looks like a sample'],
    ['LINK_KEYS', 'has a sample for an old one', `${LINK_KEYS} k0:${'Zm9v'.repeat(11)}`, 'looks like a sample'],
  ])('keep the service from starting in production when %s %s', async (name, _, value, sentence) => {
    const folder = temporaryFolder();
    const env = { NODE_ENV: 'production', OPERATOR_SECRET: SECRET, LINK_KEYS, [name]: value };
    const { exitCode, stderr, stdout } = await compliance(['serve', '--port', '0', '--data', folder], { env });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^compliance: ${name} ${sentence}\\. Set it to `));
    if (value) expect(stderr).not.toContain(value.slice(-12));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('start in production with a good secret, and take their settings from the environment', async () => {
    const env = {
      NODE_ENV: 'production',
      OPERATOR_SECRET: SECRET,
      LINK_KEYS,
      COMPLIANCE_BASE_URL: 'https://compliance.example/',
    };
    const service = await serving(['--data', temporaryFolder()], env);
    const { setCookie } = await signIn(service.base, SECRET, 'https://compliance.example');
    expect(setCookie).toMatch(/^__Host-operator=.*; Secure/);
    expect(service.output().stdout).not.toContain('cmpl_live_');
    expect(await compliance(['serve', '--base-url', 'ftp://x'])).toMatchObject({ exitCode: 2 });
    expect(await compliance(['serve'], { env: { COMPLIANCE_TRUSTED_PROXIES: 'all' } })).toMatchObject({ exitCode: 2 });
  });
});

/** A free port, as far as one can know. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

describe('what the service tells of its work', () => {
  it('is a line of JSON for each request, without the key, when asked', async () => {
    const service = await serving(['--data', temporaryFolder(), '--log', 'info']);
    const curl = service
      .output()
      .stdout.split('\n')
      .find(line => line.includes('curl -s'))!;
    const [key] = /cmpl_live_\w+/.exec(curl)!;
    await runCurl(curl);
    await fetch(`${service.base}/nothing/${key}?mail=someone@example.com`);
    service.child.kill('SIGTERM');
    await service.closed;
    const { stderr } = service.output();
    const lines = stderr
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines).toMatchObject([
      { msg: 'request', method: 'POST', route: LOOKUP, status: 200, key_id: expect.stringMatching(/^key_/) },
      { msg: 'request', method: 'GET', route: null, status: 404, key_id: null, error: 'not_found' },
    ]);
    expect(stderr).not.toMatch(/cmpl_live_|example\.com/);
  });

  it('is counted for Prometheus on a port of its own, and only there', async () => {
    const port = await freePort();
    const service = await serving(['--data', temporaryFolder(), '--metrics-port', `${port}`]);
    await fetch(`${service.base}/healthz`);
    expect((await fetch(`${service.base}/metrics`)).status).toBe(404);
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(metrics.headers.get('Content-Type')).toContain('text/plain');
    expect(await metrics.text()).toContain('compliance_requests_total{operation="/healthz",status="200"} 1');
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(404);
  });
});

describe('v0', () => {
  it('counts by the address that the proxies of ours saw, and says when it ends', async () => {
    const service = await serving([
      ...['--data', temporaryFolder(), '--trusted-proxies', '1'],
      ...['--v0-deprecated', '2027-01-01', '--v0-sunset', '2027-07-01'],
    ]);
    const ask = (forwarded: string) =>
      fetch(`${service.base}/api/v0/hts/7318.15.2061`, { headers: { 'X-Forwarded-For': forwarded } });
    const first = await ask('10.0.0.1, 203.0.113.7');
    expect(first.status).toBe(200);
    expect(first.headers.get('Deprecation')).toBe('@1798761600');
    expect(first.headers.get('Sunset')).toBe('Thu, 01 Jul 2027 00:00:00 GMT');
    expect((await ask('10.0.0.2, 203.0.113.7')).headers.get('RateLimit')).toContain('"minute";r=28;');
    expect((await ask('203.0.113.7, 203.0.113.8')).headers.get('RateLimit')).toContain('"minute";r=29;');
  });

  it.each([
    ['one date without the other', ['--v0-sunset', '2027-07-01']],
    ['a day that does not exist', ['--v0-deprecated', '2027-02-30', '--v0-sunset', '2027-07-01']],
    ['an end before its announcement', ['--v0-deprecated', '2027-07-02', '--v0-sunset', '2027-07-01']],
  ])('does not start with %s', async (_, args) => {
    expect(await compliance(['serve', ...args])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--v0-deprecated and --v0-sunset together'),
    });
  });
});
