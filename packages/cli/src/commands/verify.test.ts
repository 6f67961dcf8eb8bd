import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCli, serveForTest, temporaryFolder } from '../testing/run-cli.ts';

/** Creates a certificate file, either through a service or locally. */
async function certificateFile(...args: string[]) {
  const file = join(temporaryFolder(), 'x.pdf');
  const input = (await runCli(['certify', '--template'])).stdout;
  const env = { COMPLIANCE_API_KEY: args[2] ?? '' };
  const { stdout } = await runCli(['certify', '-', '-o', file, ...args.slice(0, 2)], { input, env });
  return { file, stdout };
}

function changeByte(file: string, at: number): string {
  const bytes = readFileSync(file);
  bytes[at]! ^= 1;
  const changed = file.replace('.pdf', '-changed.pdf');
  writeFileSync(changed, bytes);
  return changed;
}

describe('compliance verify', () => {
  it('confirms a certificate from a service, and reports a changed byte, a voided certificate, and an unknown one', async () => {
    const folder = temporaryFolder();
    const { base, output } = await serveForTest(['--data', folder]);
    const [key = ''] = /cmpl_live_\w+/.exec(output().stdout) ?? [];
    const { file, stdout } = await certificateFile('--server', base, key);
    const [, id] = /Issued certificate (\S+):/.exec(stdout)!;
    const verify = (path: string, ...args: string[]) => runCli(['verify', path, '--server', base, ...args]);

    const unchanged = await verify(file);
    expect([unchanged.exitCode, unchanged.stderr]).toEqual([0, '']);
    expect(unchanged.stdout).toContain(`Unchanged. The file is GCC ${id} as issued by the service at ${base}.`);
    expect(unchanged.stdout).toContain('draft, so the file isn’t a complete certificate');

    for (const at of [200, 20_000]) {
      const changed = await verify(changeByte(file, at));
      expect([changed.exitCode, changed.stdout]).toEqual([1, expect.stringMatching(/^Changed\. /)]);
    }
    await runCli(['certificates', 'void', id!, '--reason', 'Wrong lab', '--data', folder]);
    const voided = await verify(file, '--json');
    expect(voided.exitCode).toBe(1);
    expect(JSON.parse(voided.stdout)).toMatchObject({ ok: false, comparison: 'unchanged', status: 'voided' });

    const unknown = await verify((await certificateFile()).file);
    expect([unknown.exitCode, unknown.stdout]).toEqual([1, expect.stringContaining('Not issued.')]);
  });

  it('compares a file with its attached data if no service is specified, and lists what wasn’t checked', async () => {
    const { file } = await certificateFile();
    const { exitCode, stdout } = await runCli(['verify', file]);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^Consistent\. /)]);
    expect(stdout).toContain('The command didn’t check whether a service issued this certificate');
    for (const at of [0, 200, 20_000]) {
      const changed = await runCli(['verify', changeByte(file, at)]);
      expect([changed.exitCode, changed.stdout]).toEqual([1, expect.stringMatching(/^Not /)]);
    }
  });

  it('reports a file that isn’t a certificate', async () => {
    const file = join(temporaryFolder(), 'letter.pdf');
    writeFileSync(file, '%PDF-1.7\n');
    for (const args of [[], ['--server', 'http://127.0.0.1:9']]) {
      const { exitCode, stdout } = await runCli(['verify', file, ...args]);
      expect([exitCode, stdout]).toEqual([1, expect.stringContaining('Not a certificate.')]);
    }
  });

  it.each([
    ['isn’t a verification service', '<html>', 'valid JSON'],
    ['sends too much', ' '.repeat(100_000), 'too large'],
    ['describes another certificate', '{}', 'gcc_id'],
  ])('fails if the server %s', async (_, body, message) => {
    const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise(resolve => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { exitCode, stderr } = await runCli(['verify', (await certificateFile()).file, '--server', url]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  it('checks the signature of a bilingual Children’s Product Certificate with an attached report, and reports a changed byte', async () => {
    const folder = temporaryFolder();
    const key = join(folder, 'key.p12');
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'key.pem',
      '-out',
      'crt.pem',
      '-subj',
      '/CN=Dana',
    );
    openssl('pkcs12', '-export', '-inkey', 'key.pem', '-in', 'crt.pem', '-out', key, '-passout', 'pass:secret');
    const file = join(folder, 'x.pdf');
    const template = (await runCli(['certify', '--template', 'cpc'])).stdout.replace(/^\s*\/\/.*$/gm, '');
    const input = JSON.stringify({ ...JSON.parse(template), language: 'ja' });
    const report = join(folder, 'report.pdf');
    writeFileSync(report, '%PDF-1.7\n%%EOF\n');
    const sign = (password: string, ...args: string[]) =>
      runCli(['certify', '-', '-o', file, '--attach', report, ...args], {
        ...{ input, env: { COMPLIANCE_SIGNING_PASSWORD: password } },
      });
    expect(await sign('fence', '--sign', key)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('password is wrong'),
    });
    expect(await sign('secret', '--timestamp', 'https://tsa.example')).toMatchObject({ exitCode: 2 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2200, 0, 1) });
    const late = await sign('secret', '--sign', key);
    vi.useRealTimers();
    expect([late.exitCode, late.stderr]).toEqual([1, expect.stringContaining('its certificate expired on')]);
    expect((await sign('secret', '--sign', key)).exitCode).toBe(0);

    const signed = await runCli(['verify', file]);
    expect([signed.exitCode, signed.stdout]).toEqual([0, expect.stringMatching(/^Unchanged since it was signed\./)]);
    expect(signed.stdout).toContain('“Dana”');
    expect(signed.stdout).toContain('This command doesn’t check whether the signing certificate is trusted');
    const { length } = readFileSync(file);
    for (const at of [200, 20_000, Math.floor(length / 2), length - 40]) {
      const changed = await runCli(['verify', changeByte(file, at)]);
      expect([changed.exitCode, changed.stdout]).toEqual([1, expect.not.stringMatching(/^Unchanged/)]);
    }
  });
});
