import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, compareForCodes, listsInForce } from '@compliance/core/tariff';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../../testing/run-cli.ts';

describe('compliance tariff diff', () => {
  it('shows and counts changes to the lists between two dates', async () => {
    const { stdout, exitCode } = await runCli(['tariff', 'diff', '2026-12-31', '2027-01-01']);
    expect(exitCode).toBe(0);
    const { version } = listsInForce('2027-01-01');
    expect(stdout.replace(`version ${version}`, 'version VERSION')).toMatchInlineSnapshot(`
      "Duty changed (7)
      HTS             Program                 Listing
      9401.61.40.11   upholstered_furniture   25% additional duty on the full customs value → 30% additional duty on
                                              the full customs value
      9401.61.40.31   upholstered_furniture   25% additional duty on the full customs value → 30% additional duty on
                                              the full customs value
      9401.61.60.11   upholstered_furniture   25% additional duty on the full customs value → 30% additional duty on
                                              the full customs value
      9401.61.60.31   upholstered_furniture   25% additional duty on the full customs value → 30% additional duty on
                                              the full customs value
      9403.40.90.60   kitchen_cabinets        25% additional duty on the full customs value → 50% additional duty on
                                              the full customs value
      9403.60.80.93   kitchen_cabinets        25% additional duty on the full customs value → 50% additional duty on
                                              the full customs value
      9403.91.00.80   kitchen_cabinets        25% additional duty on the full customs value → 50% additional duty on
                                              the full customs value

      2026-12-31 to 2027-01-01: 0 added, 0 removed, 0 moved, 7 with a changed duty. Section 232 lists, version VERSION.
      "
    `);
  });

  it('prints the library’s result with --json', async () => {
    const { stdout } = await runCli(['tariff', 'diff', '2026-06-07', '2026-06-08', '--programs', 'steel', '--json']);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(compare('2026-06-07', '2026-06-08', ['steel']))));
  });

  const DAY = ['tariff', 'diff', '2026-06-07', '2026-06-08'];

  it('prints only the changes that affect the specified codes, and reports values that aren’t HTS codes', async () => {
    const codes = ['9403.20.0075', '8708.29', 'bolts'];
    const { stdout } = await runCli([...DAY, '--codes', ...codes]);
    expect(stdout).toMatch(/^9403\.20\.00\.75 +steel/m);
    expect(stdout).toContain('Affects: 9403.20.0075');
    expect(stdout).toContain('bolts: Not an HTS code');
    expect(stdout).toContain(
      '2026-06-07 to 2026-06-08, changes that affect 3 codes: 3 added, 2 removed, 0 moved, 0 with a changed duty.',
    );
    const json = await runCli([...DAY, '--json', '--codes', ...codes]);
    expect(JSON.parse(json.stdout)).toEqual(
      JSON.parse(JSON.stringify(compareForCodes(codes, '2026-06-07', '2026-06-08'))),
    );
  });

  it('reads the codes from a CSV file, a text file, or standard input', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'catalog.csv'), 'sku,HTS\nA,9403.20.0075\nB,0101.21.00\n');
    writeFileSync(join(folder, 'codes.txt'), '9403.20.0075\n\n0101.21.00\n');
    const sources = [
      await runCli([...DAY, '--codes', join(folder, 'catalog.csv')]),
      await runCli([...DAY, '--codes', join(folder, 'catalog.csv'), '--column', 'hts']),
      await runCli([...DAY, '--codes', join(folder, 'codes.txt')]),
      await runCli([...DAY, '--codes', '-'], { input: '9403.20.0075\n0101.21.00\n' }),
    ];
    for (const { stdout } of sources) expect(stdout).toContain('changes that affect 2 codes: 1 added, 0 removed');
    expect(await runCli([...DAY, '--codes', '/no/such.txt'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("Can't read the codes from /no/such.txt"),
    });
  });

  it('prints CSV with one row for each change and affected code if --csv is set', async () => {
    const { stdout, stderr } = await runCli([...DAY, '--csv', '--codes', '8708.29.2199', '8708.29', 'bolts']);
    expect(stderr).toContain('bolts: Not an HTS code');
    const rows = parse<Record<string, string>>(stdout, { columns: true });
    expect(rows.map(row => [row.code, row.change, row.program, row.hts])).toEqual([
      ['8708.29', 'added', 'steel', '8708.29.21.20'],
      ['8708.29', 'added', 'aluminum', '8708.29.21.30'],
      ['8708.29.2199', 'removed', 'aluminum', '8708.29.21'],
      ['8708.29', 'removed', 'aluminum', '8708.29.21'],
      ['8708.29.2199', 'removed', 'steel', '8708.29.21'],
      ['8708.29', 'removed', 'steel', '8708.29.21'],
    ]);
    expect(rows[0]).toMatchObject({
      ...{ list_before: '', list_after: 'steel-16c-x', headings_after: '9903.82.10', rate_pct_after: '15' },
      ...{ citation_after: expect.stringContaining('Proclamation 11032') },
    });
    const whole = parse<Record<string, string>>((await runCli([...DAY, '--csv'])).stdout, { columns: true });
    const all = compare('2026-06-07', '2026-06-08');
    expect(whole).toHaveLength(all.added.length + all.removed.length + all.moved.length + all.rate_changed.length);
    expect(whole[0]!.code).toBe('');
  });

  it('rejects an invalid date', async () => {
    const { exitCode, stderr } = await runCli(['tariff', 'diff', 'yesterday', '2026-06-08']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('yesterday is not a calendar date')]);
  });
});
