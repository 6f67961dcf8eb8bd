import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, serveForTest, temporaryFolder } from '../testing/run-cli.ts';

describe('compliance certify', () => {
  it('prints a template that is already a valid request', async () => {
    const folder = temporaryFolder();
    const template = (await runCli(['certify', '--template'])).stdout;
    writeFileSync(join(folder, 'helmet.json'), template);
    const out = ['-o', join(folder, 'helmet.pdf'), '--registry-csv', join(folder, 'helmet.csv')];
    const { exitCode, stdout } = await runCli(['certify', join(folder, 'helmet.json'), ...out]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Wrote ')]);
    expect(stdout).toContain('attest');
    expect(readFileSync(join(folder, 'helmet.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    const [header, row, end] = readFileSync(join(folder, 'helmet.csv'), 'utf8').split('\r\n');
    expect([header!.split(',').length, row!.includes('Road Bicycle Helmet'), end]).toEqual([83, true, '']);
  });

  it('prints a template that is complete except for the attestation', async () => {
    const template = (await runCli(['certify', '--template'])).stdout;
    const args = ['certify', '-', '-o', join(temporaryFolder(), 'x.pdf'), '--json'];
    const record = JSON.parse((await runCli(args, { input: template })).stdout);
    expect(record.completeness.missing.map(({ path }: { path: string }) => path)).toEqual(['attestation']);
    const attested = template
      .replace('// , "attestation"', ', "attestation"')
      .replace('NAME', 'Dana Whitfield')
      .replace('TITLE', 'Director')
      .replace('YYYY-MM-DD', record.issued_at.slice(0, 10));
    const complete = JSON.parse((await runCli(args, { input: attested })).stdout);
    expect(complete.completeness).toEqual({ status: 'complete', missing: [], contradictions: [] });
  });

  it('reports that a certificate without a verification URL isn’t published', async () => {
    const template = (await runCli(['certify', '--template'])).stdout;
    const out = join(temporaryFolder(), 'x.pdf');
    const { stdout } = await runCli(['certify', '-', '-o', out], { input: template });
    expect(stdout).toContain('isn’t published');
    expect(readFileSync(out).toString('latin1')).not.toContain('not-published.invalid');
    const record = JSON.parse((await runCli(['certify', '-', '-o', out, '--json'], { input: template })).stdout);
    expect(record.verification_url).toBeNull();
  });

  it('issues a certificate through a service with --server', async () => {
    const { base, output } = await serveForTest(['--data', temporaryFolder()]);
    const [key = ''] = /cmpl_live_\w+/.exec(output().stdout) ?? [];
    const template = (await runCli(['certify', '--template'])).stdout;
    const out = join(temporaryFolder(), 'x.pdf');
    const env = { COMPLIANCE_API_KEY: key };
    const { exitCode, stdout, stderr } = await runCli(['certify', '-', '-o', out, '--server', base], {
      input: template,
      env,
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    const [, page] = /^Issued certificate \S+: (\S+)$/m.exec(stdout)!;
    expect((await fetch(page!)).status).toBe(200);
    expect(readFileSync(out).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('asks for a key if --server is used without one', async () => {
    const template = (await runCli(['certify', '--template'])).stdout;
    const args = ['certify', '-', '--server', 'http://127.0.0.1:9'];
    const keyless = await runCli(args, { input: template, env: { COMPLIANCE_API_KEY: '' } });
    expect([keyless.exitCode, keyless.stderr]).toEqual([2, expect.stringContaining('COMPLIANCE_API_KEY')]);
  });

  it('prints the certificate record with --json', async () => {
    const folder = temporaryFolder();
    const template = (await runCli(['certify', '--template'])).stdout;
    const url = 'https://shop.example/gcc/1';
    const args = ['certify', '-', '-o', join(folder, 'x.pdf'), '--json', '--verification-url', url];
    const record = JSON.parse((await runCli(args, { input: template })).stdout);
    expect(record).toMatchObject({ format: 'gcc-1', verification_url: url, completeness: { status: 'incomplete' } });
  });

  it('uses the paper size in the request unless --paper overrides it', async () => {
    const folder = temporaryFolder();
    const template = (await runCli(['certify', '--template'])).stdout;
    const request = template.replace('{', '{ "paper": "a4",');
    const paperOf = async (...args: string[]) => {
      const out = join(folder, 'x.pdf');
      const { stdout } = await runCli(['certify', '-', '-o', out, '--json', ...args], { input: request });
      return JSON.parse(stdout).request.paper;
    };
    expect([await paperOf(), await paperOf('--paper', 'letter')]).toEqual(['a4', 'letter']);
  });

  it('lists every error in the request and exits with 2', async () => {
    const { exitCode, stderr } = await runCli(['certify', '-'], {
      input: '{"product_info":{"name":""},"color":1}',
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('product_info.date_of_manufacture');
    expect(stderr).toContain('color is not a known field (UNKNOWN_FIELD)');
  });

  it('exits with 1 if a file cannot be read or written', async () => {
    expect(await runCli(['certify', '/no/such.json'])).toMatchObject({ exitCode: 1 });
    const template = (await runCli(['certify', '--template'])).stdout;
    const refused = await runCli(['certify', '-', '-o', '/no/such/x.pdf'], { input: template });
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("Can't write /no/such/x.pdf")]);
  });
});
