import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../testing/run-cli.ts';

const folder = await mkdtemp(join(tmpdir(), 'lists-check-'));
async function file(name: string, content: unknown, within = folder) {
  await mkdir(within, { recursive: true });
  const path = join(within, name);
  await writeFile(
    path,
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
  );
  return path;
}
const rows = [
  { htsno: '0101.21.00.10', indent: '0', description: 'Horses', general: 'Free' },
  { htsno: '9903.82.09', indent: '0', description: 'U.S. note 16\u001b[31m', general: 'Free + 30%' },
  { htsno: '9903.82.99', indent: '0', description: 'New: U.S. note 16\u001b[31m', general: '40%' },
  { htsno: '9903.83.01', indent: '0', description: 'New: U.S. note 44', general: '40%' },
];
const check = (...options: string[]) => runCli(['lists', 'check', ...options]);

describe('compliance lists check --hts', () => {
  it('reports differences and unknown headings, strips control characters, and exits with code 1', async () => {
    const hts = await file('hts_2027_revision_1.json', rows);
    const { stdout, exitCode } = await check('--hts', hts, '--as-of', '2026-10-01');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('compared with HTS 2027 Revision 1 on 2026-10-01');
    expect(stdout).toMatch(/^9903\.82\.09 +unreadable +2026-10-01 +additional 25% +Free \+ 30%$/m);
    expect(stdout).toMatch(/^9903\.82\.02 +not_printed /m);
    expect(stdout).toMatch(/^9903\.82\.99 +steel, aluminum, copper +40% +New/m);
    expect(stdout).toMatch(/^9903\.83\.01 +unknown program +40% +New/m);
    expect(stdout).toMatch(/^44 +9903\.83\.01$/m);
    expect(stdout).not.toContain('\u001b[31m');
    const json = await check('--hts', hts, '--as-of', '2026-10-01', '--json');
    expect(json.exitCode).toBe(1);
    const { clean, unknown_headings } = JSON.parse(json.stdout);
    expect([clean, unknown_headings.length]).toEqual([false, 2]);
  });

  it('compares a new edition with the lists in force on the specified publication date, or today if none is specified', async () => {
    const hts = await file('hts_2027_revision_1.json', rows);
    expect((await check('--hts', hts)).stdout).toMatch(/compared with HTS 2027 Revision 1 on \d{4}-\d\d-\d\d:/);
    const dated = await check('--hts', hts, '--edition-date', '2027 Revision 1=2027-01-15');
    expect(dated.stdout).toContain('compared with HTS 2027 Revision 1 on 2027-01-15:');
    expect(await check('--hts', hts, '--edition-date', '2027 Revision 1')).toMatchObject({ exitCode: 2 });
  });

  it('reports codes and notes that are only in the Chapter 99 text or only on the lists', async () => {
    const hts = await file('hts_2027_revision_1.json', rows);
    const text =
      '38. (c) Buses of this list:\n   8702.10.31    8702.10.61\n   8702.99.99\u001b[31m\n   8702.99.98\n44. (b) New:\n   8101.10.00';
    const options = ['--hts', hts, '--as-of', '2026-10-01'];
    expect((await check(...options)).stdout).toContain(
      'To check these codes,\npass the Chapter 99 text with --chapter-99.',
    );
    const given = [...options, '--chapter-99', await file('chapter-99.txt', text)];
    const { stdout } = await check(...given);
    expect(stdout).toContain('0 of 1 lists or groups of lists match the U.S. note text.');
    expect(stdout).toMatch(/^Subdivisions with codes that are not on any list \(1\)\nU\.S\. note .+\n44\(b\) +1$/m);
    expect(stdout).toMatch(/^In the text, but not on the list \(1\)\nHTS .+\n8702\.99\.98 +38\(c\) +buses-38c$/m);
    expect(stdout).toMatch(/^On the list, but not in the text \(8\)$/m);
    expect(stdout).toMatch(/^trucks-38b +U\.S\. note 38\(b\)/m);
    const { notes } = JSON.parse((await check(...given, '--json')).stdout);
    expect(notes.compared[0].gained).toEqual(['8702.99.98']);
    expect(await check(...options, '--chapter-99', await file('empty.txt', 'nothing'))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("doesn't contain a U.S. note with a list of codes"),
    });
  });

  it('rejects an incomplete or invalid export and requires either --hts or --archive', async () => {
    const part = await file('part.json', rows.slice(0, 1));
    expect(await check('--hts', part)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("doesn't contain Chapter 99 headings"),
    });
    expect(await check('--hts', await file('broken.json', '[{'))).toMatchObject({ exitCode: 1 });
    const either = { exitCode: 1, stderr: expect.stringContaining('Specify either --hts or --archive, but not both.') };
    expect(await check()).toMatchObject(either);
    expect(await check('--hts', part, '--archive', folder)).toMatchObject(either);
  });
});

describe('compliance lists check --archive', () => {
  it('rejects a folder without HTS exports, a missing folder, and options that require --hts', async () => {
    const empty = join(folder, 'empty');
    await file('other.json', rows, empty);
    const error = async (...options: string[]) => {
      const { exitCode, stderr } = await check('--archive', ...options);
      expect(exitCode).toBe(1);
      return stderr;
    };
    expect(await error(empty)).toContain("doesn't contain any HTS edition");
    expect(await error(join(folder, 'missing'))).toContain("Can't read");
    expect(await error(empty, '--as-of', '2026-10-01')).toContain('Use --as-of with --hts.');
  });

  it('explains how to specify the publication date of an unknown edition and rejects two files for the same edition', async () => {
    const unknown = join(folder, 'unknown');
    await file('hts_2027_rev_1.json', rows, unknown);
    const { exitCode, stderr } = await check('--archive', unknown);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Add the date with --edition-date '2027 Revision 1=YYYY-MM-DD'.");
    const dated = ['--archive', unknown, '--edition-date', '2027 Revision 1=2027-01-15'];
    expect((await check(...dated)).stdout).toMatch(/^9903\.83\.01 +unknown program/m);
    await file('hts_2027_rev_1.json.gz', gzipSync(JSON.stringify(rows)), unknown);
    expect((await check(...dated)).stderr).toContain('contains the same edition, HTS 2027 Revision 1');
  });

  const extract = new URL('../../../../../../shared/data/chapter99-by-revision.json', import.meta.url);
  it.skipIf(!existsSync(extract))(
    'compares every edition in an extract file with the data set (skipped if ../shared/data is missing)',
    async () => {
      const { exitCode, stdout } = await check('--archive', extract.pathname);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^2025 Revision 14 +2025-06-06 to 2025-06-22 +\d+ +\d+ +0$/m);
      expect(stdout).toMatch(/^44 editions, 10\d\d\d headings compared\. 0 findings, including 0 unknown headings\.$/m);
    },
  );

  const latest = new URL('../../../../../../shared/data/hts_2026_rev_10.json.gz', import.meta.url);
  it.skipIf(!existsSync(latest))(
    'reports a U.S. note that is new in an official export (skipped if ../shared/data is missing)',
    async () => {
      const official = join(folder, 'official');
      await mkdir(official);
      await copyFile(latest, join(official, 'hts_2026_rev_10.json.gz'));
      expect(await check('--archive', official)).toMatchObject({ exitCode: 0 });
      const changed = [...JSON.parse(gunzipSync(readFileSync(latest)).toString()), rows[3]];
      await file('hts_2026_rev_10.json.gz', gzipSync(JSON.stringify(changed)), official);
      const { exitCode, stdout } = await check('--archive', official, '--json');
      const { clean, editions } = JSON.parse(stdout);
      expect([exitCode, clean, editions[0].unknown_notes]).toEqual([
        1,
        false,
        [{ note: 44, headings: ['9903.83.01'] }],
      ]);
    },
  );
});
