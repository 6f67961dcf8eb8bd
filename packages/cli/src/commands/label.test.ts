import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../testing/run-cli.ts';

async function certificateFile(...args: string[]) {
  const folder = temporaryFolder();
  const file = join(folder, 'x.pdf');
  const input = (await runCli(['certify', '--template'])).stdout;
  const record = JSON.parse((await runCli(['certify', '-', '-o', file, '--json', ...args], { input })).stdout);
  return { folder, file, record };
}

describe('compliance label', () => {
  it.each([
    ['svg', /^<svg[\s\S]+viewBox="0 0 600 300"[\s\S]+<path/],
    ['zpl', /^\^XA[\s\S]+\^PW600\n\^LL300[\s\S]+\^GFA[\s\S]+\^XZ\n$/],
    ['pdf', /^%PDF-/],
  ])('writes a certificate label in %s format', async (extension, content) => {
    const { folder, file, record } = await certificateFile('--verification-url', 'https://shop.example/gcc/1');
    const out = join(folder, `label.${extension}`);
    const { exitCode, stdout } = await runCli(['label', file, '-o', out, '--size', 'product', '--dpi', '300']);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('dots wide')]);
    const written = readFileSync(out, 'latin1');
    expect(written).toMatch(content);
    if (extension !== 'pdf') expect(written).toContain(record.id.slice(19));
  });

  it('reports that the label for an unpublished certificate has no QR code', async () => {
    const { folder, file } = await certificateFile();
    const { stdout } = await runCli(['label', file, '-o', join(folder, 'label.svg')]);
    expect(stdout).toContain('no QR code');
  });

  it('rejects a PDF that isn’t a certificate, and an unsupported label format', async () => {
    const { folder, file } = await certificateFile();
    writeFileSync(join(folder, 'letter.pdf'), '%PDF-1.7');
    const other = await runCli(['label', join(folder, 'letter.pdf'), '-o', join(folder, 'x.svg')]);
    expect([other.exitCode, other.stderr]).toEqual([1, expect.stringContaining("isn't a certificate")]);
    const format = await runCli(['label', file, '-o', join(folder, 'x.png')]);
    expect([format.exitCode, format.stderr]).toEqual([2, expect.stringContaining('.svg, .zpl, or .pdf')]);
  });
});
