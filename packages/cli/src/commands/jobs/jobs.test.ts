import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { expectRefusal, runCli, serveForTest, temporaryFolder } from '../../testing/run-cli.ts';

describe('compliance jobs', () => {
  it('looks up the codes in a CSV file through a service, and writes the result', async () => {
    const { base, output } = await serveForTest(['--data', temporaryFolder()]);
    const [key = ''] = /cmpl_live_\w+/.exec(output().stdout) ?? [];
    const env = { COMPLIANCE_API_KEY: key, COMPLIANCE_SERVER: base };
    const folder = temporaryFolder();
    const [file, out] = [join(folder, 'codes.csv'), join(folder, 'result.csv')];
    writeFileSync(file, 'reference,code\nBOLT,7318.15.2061\nODD,abc\n');
    const run = await runCli(['jobs', 'run', file, '-o', out, '--as-of', '2026-10-01'], { env });
    expect([run.exitCode, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/^blk_\w+ {2}done {2}2 of 2 rows\nWrote /);
    const rows = readFileSync(out, 'utf8').trimEnd().split('\n');
    expect(rows.slice(1)).toEqual([
      expect.stringMatching(/^1,BOLT,7318\.15\.2061,hit,true,true,/),
      expect.stringMatching(/^2,ODD,abc,invalid,/),
    ]);

    const [id = ''] = /blk_\w+/.exec(run.stdout) ?? [];
    const status = await runCli(['jobs', 'status', id, '--json'], { env });
    expect(JSON.parse(status.stdout)).toMatchObject({ id, state: 'done', rows: 2 });
    expect((await runCli(['jobs', 'cancel', id], { env })).stdout).toContain('done');
    expect((await runCli(['jobs', 'redrive', id], { env })).stdout).toContain('done');

    const [parquet, parquetOut] = [join(folder, 'codes.parquet'), join(folder, 'result.parquet')];
    const data = ['7318.15.2061', 'abc'];
    writeFileSync(parquet, Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'code', data, type: 'STRING' }] })));
    const again = await runCli(['jobs', 'run', parquet, '-o', parquetOut, '--as-of', '2026-10-01'], { env });
    expect([again.exitCode, again.stderr]).toEqual([0, '']);
    const result = await parquetReadObjects({ file: new Uint8Array(readFileSync(parquetOut)).buffer });
    expect(result).toMatchObject([
      { row: 1, code: '7318.15.2061', hit: true },
      { row: 2, status: 'invalid' },
    ]);
    const inCsv = await runCli(['jobs', 'run', parquet, '-o', out, '--as-of', '2026-10-01'], { env });
    expect([inCsv.exitCode, readFileSync(out, 'utf8')]).toEqual([0, expect.stringMatching(/\n1,,7318\.15\.2061,hit,/)]);
    const refused = await runCli(['jobs', 'run', 'https://10.0.0.1/codes.csv', '-o', join(folder, 'no.csv')], { env });
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('public server')]);

    writeFileSync(file, 'code\n');
    const empty = await runCli(['jobs', 'run', file, '-o', join(folder, 'none.csv')], { env });
    expect([empty.exitCode, empty.stderr]).toEqual([1, expect.stringContaining('no rows')]);
    expect(existsSync(join(folder, 'none.csv'))).toBe(false);
    const list = await runCli(['jobs', 'list', '--limit', '1'], { env });
    expect([list.exitCode, list.stdout]).toEqual([
      0,
      expect.stringMatching(/^blk_\w+ {2}awaiting_input {2}0 of 0 rows\n$/),
    ]);
    const lookups = await runCli(['jobs', 'list', '--operation', 'lookup', '--json'], { env });
    expect(JSON.parse(lookups.stdout).map((job: { id: string }) => job.id)).toContain(id);
    expect((await runCli(['jobs', 'list', '--operation', 'scan'], { env })).stdout).toBe('No jobs.\n');
    await expectRefusal(['jobs', 'list', '--limit', '0'], 'limit');
  });

  it('fails with an error that names COMPLIANCE_API_KEY if no API key is set', async () => {
    await expectRefusal(['jobs', 'status', 'blk_1'], 'COMPLIANCE_API_KEY');
  });
});
