import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compliance } from '../testing/compliance.ts';

const folder = await mkdtemp(join(tmpdir(), 'lists-check-'));
async function file(name: string, content: unknown) {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const rows = [
  { htsno: '0101.21.00.10', indent: '0', description: 'Horses', general: 'Free' },
  { htsno: '9903.82.09', indent: '0', description: 'U.S. note 16\u001b[31m', general: 'Free + 30%' },
  { htsno: '9903.82.99', indent: '0', description: 'New: U.S. note 16\u001b[31m', general: '40%' },
];

describe('compliance lists check', () => {
  it('says what an export says otherwise, and lets nothing of it steer the terminal', async () => {
    const hts = await file('hts_2027_revision_1.json', rows);
    const { stdout, exitCode } = await compliance(['lists', 'check', '--hts', hts, '--as-of', '2026-10-01']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('held against HTS 2027 Revision 1 as of 2026-10-01');
    expect(stdout).toMatch(/^9903\.82\.09 +25 % additional +Free \+ 30%$/m);
    expect(stdout).toMatch(/^9903\.82\.99 +40% +New/m);
    expect(stdout).not.toContain('\u001b[31m');
    const json = await compliance(['lists', 'check', '--hts', hts, '--as-of', '2026-10-01', '--json']);
    expect(JSON.parse(json.stdout).unknown_headings).toHaveLength(1);
  });

  it('refuses a file that is no whole export', async () => {
    const part = await file('part.json', rows.slice(0, 1));
    expect(await compliance(['lists', 'check', '--hts', part])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no heading of Chapter 99'),
    });
    const broken = await file('broken.json', '[{');
    expect(await compliance(['lists', 'check', '--hts', broken])).toMatchObject({ exitCode: 1 });
  });
});
