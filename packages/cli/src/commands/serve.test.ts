import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { SAMPLE_REQUEST } from '@compliance/core/entry';
import { readSignature } from '@compliance/signing';
import { createTestAuthority, PASSWORD } from '@compliance/signing/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../testing/operator.ts';
import { folderWithStore, runCli, serveForTest, startService, temporaryFolder } from '../testing/run-cli.ts';

const LOOKUP = '/api/v1/tariff/hts/lookup';

/** Sends the request in a printed curl command. */
async function runCurl(line: string): Promise<string> {
  const [, url, auth, type, body] = /^curl -s (\S+) -H '([^']+)' -H '([^']+)' -d '([^']+)'$/.exec(line.trim())!;
  const headers = Object.fromEntries([auth!, type!].map(header => header.split(': ') as [string, string]));
  return await (await fetch(url!, { method: 'POST', headers, body: body! })).text();
}

describe('the first start of compliance serve, with a signing key', () => {
  const authority = createTestAuthority();
  const data = join(authority.folder, 'data');
  let reachable = true;
  let service: Awaited<ReturnType<typeof startService>>;
  beforeAll(async () => {
    const key = join(authority.folder, 'p256.p12');
    authority.pkcs12('p256');
    const timestamp = await authority.startTimestamps(response => (reachable ? response : Buffer.from('')));
    service = await startService(['--data', data, '--sign', key, '--timestamp', timestamp], {
      COMPLIANCE_SIGNING_PASSWORD: PASSWORD,
    });
  });
  afterAll(async () => {
    await service.stop();
    authority.stop();
  });

  it('prints a demo key, a curl command, and the command’s actual response', async () => {
    const lines = service.output().stdout.split('\n');
    const curl = lines.find(line => line.includes('curl -s'))!;
    const response = lines.find(line => line.includes('"results"'))!;
    expect(await runCurl(curl)).toBe(response.trim());
    expect(JSON.parse(response).results[0]).toMatchObject({ code: '7318.15.2061', hit: true, status: 'hit' });
  });

  it('signs every certificate with a timestamp, and issues no certificates while the timestamp authority is unreachable', async () => {
    const [apiKey] = /cmpl_live_\w+/.exec(service.output().stdout)!;
    const send = async (path: string, body: object, idempotencyKey = 'first') => {
      const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
      const response = await fetch(`${service.base}/api/v1/entry/gcc/${path}`, {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: { ...headers, 'Idempotency-Key': idempotencyKey },
      });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    const fileOf = async (url = '') => new Uint8Array(await (await fetch(url)).arrayBuffer());

    const { body: issued } = await send('generate', SAMPLE_REQUEST);
    const pdf = await fileOf(issued.gcc_pdf_url);
    expect(await readSignature(pdf)).toMatchObject({
      ...{ intact: true, covers_file: true, signer: 'Dana Whitfield p256', timestamp: expect.any(String) },
    });
    const file = join(authority.folder, 'x.pdf');
    writeFileSync(file, pdf);
    const verified = await runCli(['verify', file, '--server', service.base]);
    expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringMatching(/^Unchanged\./)]);
    expect(verified.stdout).toContain('“Dana Whitfield p256”');
    expect(await (await fetch(issued.verification_url!)).text()).toContain(issued.sha256);

    reachable = false;
    const failed = await send('generate', SAMPLE_REQUEST, 'second');
    expect(failed).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    expect(failed.body.message).toContain("couldn't sign the certificate");
    const { body: repeated } = await send('generate', SAMPLE_REQUEST);
    expect([repeated.gcc_id, repeated.sha256]).toEqual([issued.gcc_id, issued.sha256]);
    const list = await fetch(`${service.base}/api/v1/entry/gcc`, { headers: { Authorization: `Bearer ${apiKey}` } });
    expect(((await list.json()) as { certificates: object[] }).certificates).toHaveLength(1);
    expect(service.output().stderr).toContain('"code":"timestamp_failed"');

    reachable = true;
    expect((await send('generate', SAMPLE_REQUEST, 'second')).status).toBe(200);
    const { body: voided } = await send(`${issued.gcc_id}/void`, { reason: 'Wrong laboratory' }, 'third');
    const marked = await fileOf(voided.gcc_pdf_url);
    expect(Buffer.from(marked.subarray(0, pdf.length)).equals(pdf)).toBe(true);
    expect(await readSignature(marked)).toMatchObject({ intact: true, covers_file: false });
  });

  it('refuses to start with an invalid or missing key file, or with a timestamp authority but no key', async () => {
    const folder = temporaryFolder();
    const key = join(folder, 'key.p12');
    writeFileSync(key, 'not a key');
    const env = { COMPLIANCE_SIGNING_PASSWORD: PASSWORD };
    const data = join(folder, 'data');
    const serve = async (...args: string[]) =>
      (await runCli(['serve', '--port', '0', '--data', data, ...args], { env })).stderr;
    expect(await serve('--sign', key)).toContain('the file isn’t a PKCS#12 file');
    expect(await serve('--sign', join(folder, 'missing.p12'))).toContain("Can't read");
    expect(await serve('--timestamp', 'https://tsa.example')).toContain('--timestamp requires --sign or --signer.');
    expect(existsSync(data)).toBe(false);
  });
});

describe('compliance serve', () => {
  it('keeps its data after Ctrl-C and, on the next start, explains how to issue a key instead of printing a demo key', async () => {
    const data = ['--data', temporaryFolder()];
    const first = await serveForTest(data);
    const [key] = /cmpl_live_\w+/.exec(first.output().stdout)!;
    first.child.kill('SIGINT');
    expect(await first.closed).toEqual([0, null]);
    expect(first.output()).toMatchObject({ stdout: expect.stringContaining('Stopped.'), stderr: '' });

    const flags = join(data[1]!, 'flags.json');
    const groups = [{ name: 'Bicycle Helmets', codes: ['6506103045'] }];
    writeFileSync(flags, JSON.stringify({ as_of: '2026-09-14', source: 'CPSC', groups }));
    const labs = join(data[1]!, 'labs.json');
    writeFileSync(labs, JSON.stringify({ as_of: '2026-11-20', source: 'cpsc.gov', labs: [{ cpsc_lab_id: '9999' }] }));
    const second = await serveForTest([...data, '--flags', flags, '--labs', labs]);
    expect(second.output().stdout).not.toContain('cmpl_live_');
    expect(second.output().stdout).toContain('compliance keys issue');
    const response = await fetch(second.base + LOOKUP, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: '{"codes":["6506.10.3045"],"efiling":true}',
    });
    expect(await response.json()).toMatchObject({ results: [{ efiling: { status: 'flagged' } }] });
    const certificate = await fetch(`${second.base}/api/v1/entry/cpc/generate`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: (await runCli(['certify', '--template', 'cpc'])).stdout.replace(/^\s*\/\/.*$/gm, ''),
    });
    expect(await certificate.json()).toMatchObject({
      childrens_product: { lab_list: { as_of: '2026-11-20' }, labs: [{ status: 'not_listed' }] },
    });
  });

  it('stops even if a client keeps its connection open', async () => {
    const service = await serveForTest(['--data', temporaryFolder()], { COMPLIANCE_DRAIN_DELAY: '0' });
    await fetch(`${service.base}/healthz`, { headers: { Connection: 'keep-alive' } });
    service.child.kill('SIGTERM');
    expect(await service.closed).toEqual([0, null]);
  });

  it('reports a port that is already in use and does not issue a key', async () => {
    const taken = new URL((await serveForTest(['--data', temporaryFolder()])).base).port;
    const data = temporaryFolder();
    const { exitCode, stderr, stdout } = await runCli(['serve', '--port', taken, '--data', data]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `compliance: Port ${taken} is in use. Stop the other process, or choose another port: --port ${Number(taken) + 1}\n`,
    );
    expect(JSON.parse((await runCli(['keys', 'list', '--all', '--data', data, '--json'])).stdout)).toEqual([]);
  });

  it('rejects an invalid port', async () => {
    expect(await runCli(['serve', '--port', '99999'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('from 0 to 65535'),
    });
  });

  it('uses the imported HTS export to check whether codes exist', async () => {
    const folder = await folderWithStore();
    const file = join(folder, 'hts_2026_rev_10.json');
    writeFileSync(file, JSON.stringify([{ htsno: '7318.15.20.61', indent: '0', description: 'Bolts' }]));
    const imported = await runCli(['hts', 'import', file, '--data', folder]);
    expect(imported.stdout).toContain('Imported HTS 2026 Revision 10: 1 HTS numbers with 8 or 10 digits.');
    const again = await runCli(['hts', 'import', file, '--data', folder, '--edition', 'Mine']);
    expect(again.stdout).toContain('HTS numbers compared with HTS 2026 Revision 10: 0 added, 0 deleted.');
    const service = await serveForTest(['--data', folder]);
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

describe('compliance serve operator pages', () => {
  const SECRET = 'Kq8vX2mZ4tR7yB1nC5wE9uH3jL6pD0sF';
  const LINK_KEYS = `k1:${Buffer.from(Array.from({ length: 32 }, (_, i) => (i * 89) % 251)).toString('base64url')}`;

  it('creates an operator secret in a file that only the owner can read, accepts the secret at sign-in, and never prints it', async () => {
    const folder = temporaryFolder();
    const first = await serveForTest(['--data', folder]);
    const file = join(folder, 'operator-secret');
    expect(first.output().stdout).toContain(`${first.base}/operator (the secret is in ${file})`);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const secret = readFileSync(file, 'utf8').trim();
    expect(secret).toMatch(/^[\w-]{43}$/);
    const { status, cookie } = await signIn(first.base, secret);
    expect([status, await keysPage(first.base, cookie)]).toEqual([303, 200]);
    expect((await signIn(first.base, `${secret}x`)).status).toBe(401);
    const form = { company: 'Acme', use_case: 'Check', expected_volume: '1', email: 'buyer@acme.test' };
    const request = { method: 'POST', headers: { Origin: first.base }, body: new URLSearchParams(form) };
    expect((await fetch(`${first.base}/beta`, request)).url).toBe(`${first.base}/beta/received`);
    first.child.kill('SIGINT');
    await first.closed;
    for (const output of Object.values(first.output())) {
      for (const sensitive of [secret, cookie.split('=')[1]!, form.email]) expect(output).not.toContain(sensitive);
    }

    const second = await serveForTest(['--data', folder]);
    expect(readFileSync(file, 'utf8').trim()).toBe(secret);
    expect(await keysPage(second.base, cookie)).toBe(200);
  });

  it('shares operator sessions between processes until the secret changes', async () => {
    const data = ['--data', temporaryFolder()];
    const env = { OPERATOR_SECRET: SECRET };
    const [one, two] = await Promise.all([serveForTest(data, env), serveForTest(data, env)]);
    const { cookie } = await signIn(one.base, SECRET);
    expect([await keysPage(one.base, cookie), await keysPage(two.base, cookie)]).toEqual([200, 200]);
    const changed = await serveForTest(data, { OPERATOR_SECRET: `${SECRET}-new` });
    expect(await keysPage(changed.base, cookie)).toBe(303);
    expect((await signIn(changed.base, SECRET)).status).toBe(401);
  });

  it.each([
    ['OPERATOR_SECRET', 'is missing', '', 'is not set'],
    ['OPERATOR_SECRET', 'is short', 'Kq8vX2mZ4tR7yB1nC5w', 'is too short'],
    ['OPERATOR_SECRET', 'is a sample value', 'change-me-to-something-long-and-random', 'looks like a sample value'],
    ['OPERATOR_SECRET', 'repeats one letter', 'x'.repeat(64), 'looks like a sample value'],
    ['LINK_KEYS', 'is missing', '', 'is not set'],
    ['LINK_KEYS', 'is missing the ID', LINK_KEYS.slice(3), 'is malformed'],
    ['LINK_KEYS', 'is short', LINK_KEYS.slice(0, 40), 'is malformed'],
    ['LINK_KEYS', 'contains a valid key and a short one', `${LINK_KEYS} k2:${LINK_KEYS.slice(3, 30)}`, 'is malformed'],
    ['LINK_KEYS', 'contains an ID twice', `${LINK_KEYS} k1:${LINK_KEYS.slice(4)}x`, 'contains the ID k1 twice'],
    ['LINK_KEYS', 'repeats one letter', `k1:${'A'.repeat(43)}`, 'looks like a sample value'],
    ['LINK_KEYS', 'is a sample value', `k1:change-me-${'x1y2z3w4'.repeat(5)}`, 'looks like a sample value'],
    [
      'LINK_KEYS',
      'contains a sample value for an old key',
      `${LINK_KEYS} k0:${'Zm9v'.repeat(11)}`,
      'looks like a sample value',
    ],
  ])('refuses to start in production when %s %s', async (name, _, value, problem) => {
    const folder = temporaryFolder();
    const env = { NODE_ENV: 'production', OPERATOR_SECRET: SECRET, LINK_KEYS, [name]: value };
    const { exitCode, stderr, stdout } = await runCli(['serve', '--port', '0', '--data', folder], { env });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^compliance: ${name} ${problem}\\. Set ${name} to `));
    if (value) expect(stderr).not.toContain(value.slice(-12));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('runs in production with a strong secret and settings from the environment', async () => {
    const env = {
      NODE_ENV: 'production',
      OPERATOR_SECRET: SECRET,
      LINK_KEYS,
      COMPLIANCE_BASE_URL: 'https://compliance.example/',
    };
    const service = await serveForTest(['--data', temporaryFolder()], env);
    const { setCookie } = await signIn(service.base, SECRET, 'https://compliance.example');
    expect(setCookie).toMatch(/^__Host-operator=.*; Secure/);
    expect(service.output().stdout).not.toContain('cmpl_live_');
    expect(await runCli(['serve', '--base-url', 'ftp://x'])).toMatchObject({ exitCode: 2 });
    expect(await runCli(['serve'], { env: { COMPLIANCE_TRUSTED_PROXIES: 'all' } })).toMatchObject({ exitCode: 2 });
  });
});

/** Returns a port that is currently free. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

describe('compliance serve logs and metrics', () => {
  it('logs each request as a JSON line without the API key when --log is info', async () => {
    const service = await serveForTest(['--data', temporaryFolder(), '--log', 'info']);
    const curl = service
      .output()
      .stdout.split('\n')
      .find(line => line.includes('curl -s'))!;
    const [key] = /cmpl_live_\w+/.exec(curl)!;
    await runCurl(curl);
    await fetch(`${service.base}/nothing/${key}?mail=someone@example.com`);
    service.child.kill('SIGINT');
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

  it('serves Prometheus metrics only on the metrics port', async () => {
    const port = await freePort();
    const service = await serveForTest(['--data', temporaryFolder(), '--metrics-port', `${port}`]);
    await fetch(`${service.base}/healthz`);
    expect((await fetch(`${service.base}/metrics`)).status).toBe(404);
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(metrics.headers.get('Content-Type')).toContain('text/plain');
    expect(await metrics.text()).toContain('compliance_requests_total{operation="/healthz",status="200"} 1');
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(404);
  });
});

describe('compliance serve with API v0', () => {
  it('limits v0 requests per client IP address, as reported by trusted proxies, and announces the v0 deprecation and sunset dates', async () => {
    const service = await serveForTest([
      ...['--data', temporaryFolder(), '--trusted-proxies', '1'],
      ...['--v0-deprecated', '2027-01-01', '--v0-sunset', '2027-07-01'],
    ]);
    const request = (forwarded: string) =>
      fetch(`${service.base}/api/v0/hts/7318.15.2061`, { headers: { 'X-Forwarded-For': forwarded } });
    const first = await request('10.0.0.1, 203.0.113.7');
    expect(first.status).toBe(200);
    expect(first.headers.get('Deprecation')).toBe('@1798761600');
    expect(first.headers.get('Sunset')).toBe('Thu, 01 Jul 2027 00:00:00 GMT');
    expect((await request('10.0.0.2, 203.0.113.7')).headers.get('RateLimit')).toContain('"minute";r=28;');
    expect((await request('203.0.113.7, 203.0.113.8')).headers.get('RateLimit')).toContain('"minute";r=29;');
  });

  it.each([
    ['only one of the two dates', ['--v0-sunset', '2027-07-01']],
    ['a date that does not exist', ['--v0-deprecated', '2027-02-30', '--v0-sunset', '2027-07-01']],
    ['a sunset earlier than the deprecation', ['--v0-deprecated', '2027-07-02', '--v0-sunset', '2027-07-01']],
  ])('refuses to start with %s', async (_, args) => {
    expect(await runCli(['serve', ...args])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--v0-deprecated and --v0-sunset together'),
    });
  });
});
