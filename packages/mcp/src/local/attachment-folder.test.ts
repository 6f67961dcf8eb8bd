import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attachmentFolder } from './attachment-folder.ts';

const parent = mkdtempSync(join(tmpdir(), 'attachments-'));
const folder = join(parent, 'reports');
mkdirSync(join(folder, 'nested.pdf'), { recursive: true });
for (const path of ['secret.pdf', 'reports/report.pdf', 'reports/large.pdf'])
  writeFileSync(join(parent, path), '%PDF-1.7 report');
truncateSync(join(folder, 'large.pdf'), 20_000_001);
symlinkSync(join(parent, 'secret.pdf'), join(folder, 'link.pdf'));

describe('attachmentFolder', () => {
  it('reads a file in the folder', async () => {
    const read = await attachmentFolder(folder)('report.pdf');
    expect('bytes' in read && Buffer.from(read.bytes).toString()).toBe('%PDF-1.7 report');
  });

  it.each([
    ...['../secret.pdf', join(parent, 'secret.pdf'), '..\\secret.pdf', 'nested.pdf/../../secret.pdf'],
    ...['link.pdf', 'nested.pdf', 'missing.pdf', '', '.', '..', 'report.pdf\0'],
  ])('never reads a file outside the folder: %j', async filename => {
    expect(await attachmentFolder(folder)(filename)).toEqual({
      problem: 'must be the name of a file in the attachments folder (for any other file, send its content)',
    });
  });

  it('doesn’t read a file that’s too large to attach, or any file if no folder is set', async () => {
    expect(await attachmentFolder(folder)('large.pdf')).toEqual({ problem: 'must not exceed 20 MB' });
    expect(await attachmentFolder(null)('report.pdf')).toEqual({
      problem: expect.stringContaining('no attachments folder'),
    });
  });
});
