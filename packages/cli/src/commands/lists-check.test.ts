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

  it('says which codes the text of Chapter 99 has and the lists have not, and the other way round', async () => {
    const hts = await file('hts_2027_revision_1.json', rows);
    const text = '38. (c) Buses of this list:\n   8702.10.31    8702.10.61\n   8702.99.99\u001b[31m\n   8702.99.98';
    const arguments_ = ['lists', 'check', '--hts', hts, '--as-of', '2026-10-01'];
    expect((await compliance(arguments_)).stdout).toContain('Give the text of\nChapter 99 with --chapter-99.');
    const given = [...arguments_, '--chapter-99', await file('chapter-99.txt', text)];
    const { stdout } = await compliance(given);
    expect(stdout).toContain('0 of 1 lists or groups of them say what the text of the U.S. notes says.');
    expect(stdout).toMatch(/^In the text, but not on the list \(1\)\nHTS .+\n8702\.99\.98 +38\(c\) +buses-38c$/m);
    expect(stdout).toMatch(/^On the list, but not in the text \(8\)$/m);
    expect(stdout).toMatch(/^trucks-38b +U\.S\. note 38\(b\)/m);
    const { notes } = JSON.parse((await compliance([...given, '--json'])).stdout);
    expect(notes.compared[0].gained).toEqual(['8702.99.98']);
    const none = [...arguments_, '--chapter-99', await file('empty.txt', 'nothing')];
    expect(await compliance(none)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('it is not Chapter 99'),
    });
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
