import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lookup } from '@compliance/core/tariff';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../testing/run-cli.ts';

const DAY = ['--as-of', '2026-10-01'];
const recordsOf = (text: string, delimiter = ','): Record<string, string>[] =>
  parse(text, { columns: true, bom: true, delimiter });
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

/** Looks up the codes in CSV text on standard input and writes the results to standard output. */
const runBulk = (input: string, args: string[] = []) =>
  runCli(['lookup', '--csv', '-', '--out', '-', ...DAY, ...args], { input });

describe('compliance lookup --out', () => {
  it('keeps the CSV file’s columns in order and adds the result columns', async () => {
    const input = 'sku,name,HTS Code\nA,"Bolt, ""M8""",7318.15.2061\nB,"two\nlines",0101.21.00\nC,"a\rb",302.11\n';
    const { stdout, exitCode } = await runBulk(input);
    expect(exitCode).toBe(0);
    const [header] = stdout.split('\n');
    expect(header).toBe(
      'sku,name,HTS Code,row,normalized,status,coverage,programs,lists,provisions,headings,rate_pct,duty,undecided,as_of,origin,message,citation,did_you_mean',
    );
    const [bolt, horse, fish] = recordsOf(stdout);
    const [expected] = lookup(['7318.15.2061'], { asOf: '2026-10-01' }).results;
    expect(bolt).toMatchObject({
      ...{ sku: 'A', name: 'Bolt, "M8"', 'HTS Code': '7318.15.2061', row: '2', normalized: '7318.15.20.61' },
      ...{ status: 'hit', coverage: 'full', programs: 'steel', headings: '9903.82.02', rate_pct: '50' },
      ...{ as_of: '2026-10-01', origin: '', message: expected!.message, citation: expected!.matches[0]!.citation },
    });
    expect(horse).toMatchObject({ name: 'two\nlines', row: '3', status: 'clear', programs: '' });
    expect(fish).toMatchObject({ name: 'a\rb', row: '4', status: 'invalid', normalized: '', did_you_mean: '0302.11' });
  });

  it('writes the same columns to NDJSON as to CSV, and writes lists as arrays', async () => {
    const input = 'hts,hts,\n7318.15.2061,x,y\n';
    const { stdout } = await runBulk(input, ['--format', 'ndjson']);
    expect(linesOf(stdout)).toEqual([
      expect.objectContaining({
        ...{ hts: '7318.15.2061', hts_2: 'x', column_3: 'y', row: 2, status: 'hit', programs: ['steel'] },
        ...{ rate_pct: [50], origin: null, did_you_mean: [] },
      }),
    ]);
  });

  it('looks up each row with its own origin and date', async () => {
    const input =
      'code,origin,day\n8703.23.01,JP,2025-08-01\n8703.23.01,jp,2025-12-15\n8703.23.01,,2025-12-15\n8703.23.01,Japan,\n8703.23.01,JP,12/15/2025\n';
    const { stdout } = await runBulk(input, ['--origin-column', 'Origin', '--date-column', 'day', '--origin', 'DE']);
    const rows = recordsOf(stdout);
    expect(rows.map(row => [row.status, row.headings, row.as_of, row.tariff_origin])).toEqual([
      ['in_scope', '9903.94.01', '2025-08-01', 'JP'],
      ['in_scope', '9903.94.41', '2025-12-15', 'JP'],
      ['in_scope', expect.any(String), '2025-12-15', 'DE'],
      ['invalid', '', '2026-10-01', 'DE'],
      ['invalid', '', '2026-10-01', 'DE'],
    ]);
    expect(rows[3]!.message).toContain('the origin must be an ISO 3166-1 alpha-2 country code');
    expect(rows[4]!.message).toContain('the date must be in YYYY-MM-DD format');
  });

  it('adds the duty to a row only if exactly one result is possible', async () => {
    const input =
      'hts,from,value\n0101.21.00,CN,100\n7318.15.2061,CN,100\n7318.15.2061,,100\n0101.21.00,CN,1.234.5\nx,CN,100\n';
    const { stdout } = await runBulk(input, ['--origin-column', 'from', '--value-column', 'value']);
    const rows = recordsOf(stdout);
    expect(rows.map(row => row.duty_usd)).toEqual(['0.00', '', '', '', '']);
    expect(rows.map(row => row.duty_depends_on)).toEqual([
      '',
      expect.stringContaining('us_origin_pct.steel'),
      'origin',
      'customs_value',
      'code',
    ]);
  });

  it('escapes cells that a spreadsheet would evaluate as formulas and leaves signed numbers unchanged', async () => {
    const input = '=cmd,hts\n=1+1,7318\n-12.50,7318\n+1 555,7318\n@SUM(A1),7318\n-2+3,7318\n"\t=1",7318\n';
    const { stdout } = await runBulk(input);
    const rows = parse(stdout) as string[][];
    expect(rows.map(([cell]) => cell)).toEqual(["'=cmd", "'=1+1", '-12.50', "'+1 555", "'@SUM(A1)", "'-2+3", "'\t=1"]);
  });

  it.each([
    [';', '\ufeff'],
    ['\t', ''],
  ])('reads and writes a CSV file with the delimiter %j and keeps the byte order mark', async (delimiter, mark) => {
    const table = [['"a, b, c"', 'HTS'].join(delimiter), ['x', '7318.15.2061'].join(delimiter)].join('\r\n');
    const { stdout } = await runBulk(mark + table, ['--column', 'hts']);
    expect(stdout.startsWith(mark)).toBe(true);
    expect(recordsOf(stdout, delimiter)).toMatchObject([{ 'a, b, c': 'x', HTS: '7318.15.2061', status: 'hit' }]);
  });

  it('marks a row with too many cells as invalid and pads a row with too few cells', async () => {
    const { stdout } = await runBulk('sku,hts,note\nA, M8 bolt,7318.15.2061,x\nB,7318.15.2061\nC,7318.15.2061,,,\n\n');
    const rows = recordsOf(stdout);
    expect(rows.map(({ sku, note, row, status }) => [sku, note, row, status])).toEqual([
      ['A', '7318.15.2061,x', '2', 'invalid'],
      ['B', '', '3', 'hit'],
      ['C', '', '4', 'hit'],
    ]);
    expect(rows[0]!.message).toContain('the row has 4 cells, but the header has 3');
  });

  it('renames a result column if the CSV file already has a column with that name', async () => {
    const { stdout } = await runBulk('Status,hts,row\nold,7318.15.2061,9\n');
    expect(recordsOf(stdout)[0]).toMatchObject({ Status: 'old', row: '9', tariff_status: 'hit', tariff_row: '2' });
  });

  it('puts the output file in place only after all rows have been written successfully', async () => {
    const folder = temporaryFolder();
    const [table, out] = [join(folder, 'in.csv'), join(folder, 'out.csv')];
    writeFileSync(table, 'hts\n7318.15.2061\n');
    const { stdout, stderr } = await runCli(['lookup', '--csv', table, '--out', out, ...DAY]);
    expect([stdout, stderr]).toEqual(['', '1 row: 1 hit.\n']);
    expect(recordsOf(readFileSync(out, 'utf8'))).toHaveLength(1);
    writeFileSync(table, 'hts\n7318.15.2061\n"7318');
    const missing = join(folder, 'missing.ndjson');
    expect((await runCli(['lookup', '--csv', table, '--out', missing])).exitCode).toBe(1);
    expect(existsSync(missing)).toBe(false);
    const origin = ['--origin', 'Japan'];
    expect((await runCli(['lookup', '--csv', table, '--out', missing, ...origin])).exitCode).toBe(2);
    expect(readdirSync(folder).sort()).toEqual(['in.csv', 'out.csv']);
    expect(await runCli(['lookup', '7318', '--out', join(folder, 'no', 'x.csv')])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("Can't write"),
    });
  });

  it.each([
    ['hit', '1 of 4 results match --fail-on hit.'],
    ['in_scope', '2 of 4 results match --fail-on in_scope.'],
    ['invalid, hit', '2 of 4 results match --fail-on invalid,hit.'],
  ])('exits with code 1 and prints the number of matching results for --fail-on %s', async (results, message) => {
    const input = 'hts\n7318.15.2061\n7208.10.15\n0101.21.00\nabc\n';
    const bulk = await runBulk(input, ['--fail-on', results]);
    expect(bulk).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
    expect(recordsOf(bulk.stdout)).toHaveLength(4);
    const table = await runCli(['lookup', '--csv', '-', ...DAY, '--fail-on', results], { input });
    expect(table).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
    expect((await runBulk('hts\n0101.21.00\n', ['--fail-on', results])).exitCode).toBe(0);
  });

  it('prints the row numbers of the first invalid rows', async () => {
    const { stderr } = await runBulk('hts\n7318\nabc\n7318\n\n302.11\n');
    expect(stderr).toBe('4 rows: 2 in scope, 2 invalid. Invalid rows: 3, 6.\n');
  });

  it('writes codes from standard input to a `code` column, next to their results', async () => {
    const { stdout } = await runCli(['lookup', '--out', '-', ...DAY], { input: '7318.15.2061\n0101.21.00\n' });
    expect(recordsOf(stdout)).toMatchObject([
      { code: '7318.15.2061', row: '1' },
      { code: '0101.21.00', row: '2' },
    ]);
  });

  it.each([
    [
      '--origin-column without --out',
      ['--csv', '-', '--origin-column', 'o'],
      '--origin-column requires --csv and --out',
    ],
    ['--value-column without --csv', ['7318', '--out', '-', '--value-column', 'v'], '--value-column requires --csv'],
    ['--format without --out', ['7318', '--format', 'csv'], '--format requires --out'],
    ['--json with --out', ['7318', '--out', '-', '--json'], 'Don’t use --json with --out.'],
    ['an unknown extension', ['7318', '--out', 'x.xlsx'], 'use the extension .csv or .ndjson'],
    ['an unknown result', ['7318', '--fail-on', 'clear'], 'enter hit, in_scope, or invalid'],
    ['a missing column', ['--csv', '-', '--out', '-', '--column', 'x'], 'The file has these columns: sku, hts'],
  ])('exits with code 2 and a helpful message for %s', async (_, args, message) => {
    const { exitCode, stderr, stdout } = await runCli(['lookup', ...args], { input: 'sku,hts\nA,7318\n' });
    expect(stderr).toContain(message);
    expect([exitCode, stdout]).toEqual([2, '']);
  });

  it('refuses to overwrite the input file with the output', async () => {
    const file = join(temporaryFolder(), 'in.csv');
    writeFileSync(file, 'hts\n7318\n');
    const { exitCode, stderr } = await runCli(['lookup', '--csv', file, '--out', file]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('a file other than the input file')]);
    expect(readFileSync(file, 'utf8')).toBe('hts\n7318\n');
  });

  it('rejects a file that isn’t valid UTF-8 instead of writing corrupted text', async () => {
    const file = join(temporaryFolder(), 'latin.csv');
    writeFileSync(file, Buffer.from('name,hts\ncaf\xe9,7318\n', 'latin1'));
    const { exitCode, stderr } = await runCli(['lookup', '--csv', file, '--out', '-']);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("isn't UTF-8 text")]);
  });

  it('writes every row of a large file in order, as CSV and as NDJSON', async () => {
    const codes = ['7318.15.2061', '7208.10.15', '0101.21.00', '302.11', '8481.80'];
    const file = join(temporaryFolder(), 'large.csv');
    const rows = Array.from({ length: 30_000 }, (_, i) => `é${i},"x ""${i}""\n",${codes[i % codes.length]}`);
    writeFileSync(file, `id,name,hts\n${rows.join('\n')}\n`);
    const { results } = lookup(codes, { asOf: '2026-10-01' });
    const csv = recordsOf((await runCli(['lookup', '--csv', file, '--out', '-', ...DAY])).stdout);
    const lines = linesOf((await runCli(['lookup', '--csv', file, '--out', '-', '--format', 'ndjson', ...DAY])).stdout);
    for (const written of [csv, lines]) {
      expect(written).toHaveLength(30_000);
      written.forEach((row, i) => {
        const { status, message } = results[i % codes.length]!;
        expect([row.id, row.name, row.status, row.message]).toEqual([`é${i}`, `x "${i}"\n`, status, message]);
      });
    }
  });
});
