import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareWatchedCodes, DATASET, type Dataset } from '@compliance/core/tariff';
import { bundledDataset, hashOf, loadDataset } from '@compliance/core/tariff/dataset';
import { describe, expect, it } from 'vitest';
import { expectRefusal, runCli, temporaryFolder } from '../testing/run-cli.ts';

const CATALOG = `SKU,Country of origin,HTS code
SOFA,VN,9401.61.4011
BOLT,CN,7318.15.2061
=HYPERLINK,XX1,7318.15.2061
WORD,CN,bolts
HORSE,,0101.21.00
`;

/**
 * Writes a data set in which the rate for steel derivative articles changes on a future date, and returns its file and
 * contents.
 */
function nextDataset(folder: string): { file: string; dataset: Dataset } {
  const dataset = structuredClone(DATASET);
  dataset.version = '2099.1.1';
  const { terms } = dataset.lists.find(({ id }) => id === 'steel-16c-iv')!;
  const last = terms.at(-1)!;
  last.effective_to = '2027-02-28';
  const dated_by = { legal: 'Proclamation 12345' };
  terms.push({
    ...last,
    effective_from: '2027-03-01',
    effective_to: null,
    rate_pct: 60,
    dated_by,
    citation: 'Proclamation 12345',
  });
  const text = JSON.stringify({ ...dataset, sha256: hashOf(dataset) });
  const file = join(folder, 'next.json');
  writeFileSync(file, text);
  return { file, dataset: loadDataset(text) };
}

function catalogIn(folder: string): string {
  const file = join(folder, 'catalog.csv');
  writeFileSync(file, CATALOG);
  return file;
}

describe('compliance watch', () => {
  it('shows how a new data set changes the duties on each product, with the date and the citation', async () => {
    const folder = temporaryFolder();
    const current = join(folder, 'current.json');
    writeFileSync(current, JSON.stringify(bundledDataset()));
    const { file } = nextDataset(folder);
    const args = ['watch', '--csv', catalogIn(folder), '--from', current, '--to', file, '--as-of', '2026-11-23'];
    const { stdout, stderr, exitCode } = await runCli(args);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout.replaceAll(DATASET.version, 'VERSION')).toMatchInlineSnapshot(`
      "Reference           Code              Date        Change
      BOLT                7318.15.20.61 CN  2027-03-01  steel: 50% additional duty on the full customs value
                                                        (9903.82.02) → steel: 60% additional duty on the full
                                                        customs value (9903.82.02)
                                                        Proclamation 11021 (91 FR 18201), Proclamation 12345, Annex
                                                        I-A; U.S. note 16(c)(iv), subchapter III, chapter 99, HTS

      Row 4 (origin XX1): Not a country of origin: enter an ISO 3166-1 alpha-2 country code, such as DE.
      Row 5 (code bolts): Not an HTS code: use only digits and separators, as in 7318.15.2061.

      Section 232 lists, version VERSION compared with 2099.1.1 for 2026-11-23 and later dates: the duties on 1 of 3 products change.
      "
    `);
  });

  it('shows future changes to duties within a single data set', async () => {
    const { stdout } = await runCli(['watch', '--csv', '-', '--as-of', '2026-11-23'], { input: CATALOG });
    expect(stdout).toMatch(/^SOFA +9401\.61\.40\.11 VN +2027-01-01/m);
    expect(stdout).toContain('the duties on 1 of 3 products change after 2026-11-23.');
  });

  it('prints the library’s result with --json, including the row of each invalid value', async () => {
    const folder = temporaryFolder();
    const current = join(folder, 'current.json');
    writeFileSync(current, JSON.stringify(bundledDataset()));
    const { file, dataset } = nextDataset(folder);
    const args = ['watch', '--csv', catalogIn(folder), '--from', current, '--to', file, '--as-of', '2026-11-23'];
    const { changes, before, after, invalid, ...rest } = JSON.parse((await runCli([...args, '--json'])).stdout);
    const codes = [{ reference: 'BOLT', code: '7318.15.2061', origin: 'CN' }];
    const expected = compareWatchedCodes(codes, { before: DATASET, after: dataset, asOf: '2026-11-23' });
    expect({ changes, before, after, issues: [] }).toEqual(JSON.parse(JSON.stringify(expected)));
    expect(rest).toEqual({ as_of: '2026-11-23', evaluated: 3 });
    expect(invalid).toMatchObject([
      { row: 4, reference: '=HYPERLINK', field: 'origin' },
      { row: 5, reference: 'WORD', field: 'code', code: 'bolts' },
    ]);
  });

  it('exits with code 1 if a result matches --fail-on', async () => {
    const args = ['watch', '--csv', '-', '--as-of', '2026-11-23', '--fail-on'];
    const changed = await runCli([...args, 'changed,invalid'], { input: CATALOG });
    expect(changed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('1 of 5 rows changed') });
    const clean = await runCli([...args, 'changed'], { input: 'hts\n0101.21.00\n' });
    expect(clean).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('rejects an unknown column, an invalid date, an unreadable data set, and a missing catalog', async () => {
    const csv = catalogIn(temporaryFolder());
    await expectRefusal(
      ['watch', '--csv', csv, '--reference-column', 'part'],
      /--reference-column: the file doesn't have a column named part/,
    );
    await expectRefusal(['watch', '--csv', csv, '--as-of', '2026-02-30'], /2026-02-30/);
    await expectRefusal(['watch', '--csv', csv, '--from', '/nowhere.json'], /Can't read \/nowhere\.json/);
    await expectRefusal(['watch', '--csv', csv, '--to', csv], /isn't valid JSON/);
    await expectRefusal(['watch'], /--csv/);
  });
});
