import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compliance, temporaryFolder } from '../testing/compliance.ts';

describe('compliance certify', () => {
  it('prints a template that makes a certificate as it stands', async () => {
    const folder = temporaryFolder();
    const template = (await compliance(['certify', '--template'])).stdout;
    writeFileSync(join(folder, 'helmet.json'), template);
    const out = ['-o', join(folder, 'helmet.pdf'), '--registry-csv', join(folder, 'helmet.csv')];
    const { exitCode, stdout } = await compliance(['certify', join(folder, 'helmet.json'), ...out]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Wrote ')]);
    expect(stdout).toContain('attest');
    expect(readFileSync(join(folder, 'helmet.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    const [header, row, end] = readFileSync(join(folder, 'helmet.csv'), 'utf8').split('\r\n');
    expect([header!.split(',').length, row!.includes('Road Bicycle Helmet'), end]).toEqual([83, true, '']);
  });

  it('prints the record with --json', async () => {
    const folder = temporaryFolder();
    const template = (await compliance(['certify', '--template'])).stdout;
    const url = 'https://shop.example/gcc/1';
    const args = ['certify', '-', '-o', join(folder, 'x.pdf'), '--json', '--verification-url', url];
    const record = JSON.parse((await compliance(args, { input: template })).stdout);
    expect(record).toMatchObject({ format: 'gcc-1', verification_url: url, completeness: { status: 'incomplete' } });
  });

  it('draws on the paper that the request names, unless --paper names another', async () => {
    const folder = temporaryFolder();
    const template = (await compliance(['certify', '--template'])).stdout;
    const request = template.replace('{', '{ "paper": "a4",');
    const drawn = async (...args: string[]) => {
      const out = join(folder, 'x.pdf');
      const { stdout } = await compliance(['certify', '-', '-o', out, '--json', ...args], { input: request });
      return JSON.parse(stdout).request.paper;
    };
    expect([await drawn(), await drawn('--paper', 'letter')]).toEqual(['a4', 'letter']);
  });

  it('names every fault of the request, and exits with 2', async () => {
    const { exitCode, stderr } = await compliance(['certify', '-'], {
      input: '{"product_info":{"name":""},"colour":1}',
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('product_info.date_of_manufacture');
    expect(stderr).toContain('colour is not a field of this request (UNKNOWN_FIELD)');
  });

  it('exits with 1 on a file that cannot be read or written', async () => {
    expect(await compliance(['certify', '/no/such.json'])).toMatchObject({ exitCode: 1 });
    const template = (await compliance(['certify', '--template'])).stdout;
    const refused = await compliance(['certify', '-', '-o', '/no/such/x.pdf'], { input: template });
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('cannot be written')]);
  });
});
