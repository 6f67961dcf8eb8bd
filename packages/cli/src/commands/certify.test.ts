import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../testing/run-cli.ts';

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
