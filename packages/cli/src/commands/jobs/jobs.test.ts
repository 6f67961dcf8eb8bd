import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CERTIFICATE_TEMPLATES } from '../../input/certificate-template.ts';
import { expectRefusal, runCli, serveForTest, temporaryFolder } from '../../testing/run-cli.ts';

describe('compliance jobs', () => {
  it('looks up the codes in a CSV file through a service and writes the result', async () => {
    const { base, output } = await serveForTest(['--data', temporaryFolder()]);
    const [key = ''] = /cmpl_live_\w+/.exec(output().stdout) ?? [];
    const env = { COMPLIANCE_API_KEY: key, COMPLIANCE_SERVER: base };
    const folder = temporaryFolder();
    const [file, out] = [join(folder, 'codes.csv'), join(folder, 'result.csv')];
    writeFileSync(file, 'reference,code\nBOLT,7318.15.2061\nODD,abc\n');
    const run = await runCli(['jobs', 'run', file, '-o', out, '--as-of', '2026-10-01'], { env });
    expect([run.exitCode, run.stderr]).toEqual([
      0,
      expect.stringMatching(/jobs wait blk_\w+ && compliance jobs download blk_/),
    ]);
    expect(run.stdout).toMatch(/^blk_\w+ {2}done {2}2 of 2 rows\nWrote /);
    const rows = readFileSync(out, 'utf8').trimEnd().split('\n');
    expect(rows.slice(1)).toEqual([
      expect.stringMatching(/^1,BOLT,7318\.15\.2061,hit,true,true,/),
      expect.stringMatching(/^2,ODD,abc,invalid,/),
    ]);

    const [id = ''] = /blk_\w+/.exec(run.stdout) ?? [];
    const status = await runCli(['jobs', 'status', id, '--json'], { env });
    expect(JSON.parse(status.stdout)).toMatchObject({ id, state: 'done', rows: 2 });
    const copy = join(folder, 'copy.csv');
    expect((await runCli(['jobs', 'wait', id], { env })).stdout).toMatch(/^blk_\w+ {2}done {2}2 of 2 rows\n$/);
    expect((await runCli(['jobs', 'download', id, '-o', copy], { env })).exitCode).toBe(0);
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(out, 'utf8'));
    expect((await runCli(['jobs', 'cancel', id], { env })).stdout).toContain('done');
    expect((await runCli(['jobs', 'redrive', id], { env })).stdout).toContain('done');

    const [parquet, parquetOut] = [join(folder, 'codes.parquet'), join(folder, 'result.parquet')];
    const data = ['7318.15.2061', 'abc'];
    writeFileSync(parquet, Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'code', data, type: 'STRING' }] })));
    const again = await runCli(['jobs', 'run', parquet, '-o', parquetOut, '--as-of', '2026-10-01'], { env });
    expect(again.exitCode).toBe(0);
    const result = await parquetReadObjects({ file: new Uint8Array(readFileSync(parquetOut)).buffer });
    expect(result).toMatchObject([
      { row: 1, code: '7318.15.2061', hit: true },
      { row: 2, status: 'invalid' },
    ]);
    const inCsv = await runCli(['jobs', 'run', parquet, '-o', out, '--as-of', '2026-10-01'], { env });
    expect([inCsv.exitCode, readFileSync(out, 'utf8')]).toEqual([0, expect.stringMatching(/\n1,,7318\.15\.2061,hit,/)]);
    const refused = await runCli(['jobs', 'run', 'https://10.0.0.1/codes.csv', '-o', join(folder, 'no.csv')], { env });
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('public server')]);

    const ofCopper = ['jobs', 'run', file, '-o', out, '--as-of', '2026-10-01', '--programs', 'copper'];
    expect((await runCli(ofCopper, { env })).exitCode).toBe(0);
    expect(readFileSync(out, 'utf8')).toMatch(/\n1,BOLT,7318\.15\.2061,clear,false,false,/);

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
    const waiting = /blk_\w+/.exec(list.stdout)?.[0] ?? '';
    const early = await runCli(['jobs', 'wait', waiting], { env });
    expect([early.exitCode, early.stderr]).toEqual([1, expect.stringContaining('state awaiting_input')]);
    const none = await runCli(['jobs', 'download', waiting, '-o', join(folder, 'none.csv')], { env });
    expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining("hasn't started")]);
    expect((await runCli(['jobs', 'list', '--operation', 'scan'], { env })).stdout).toBe('No jobs.\n');
    await expectRefusal(['jobs', 'list', '--limit', '0'], 'limit');
  });

  it('issues certificates for the rows of a CSV file through a service and writes a ZIP file with the PDFs', async () => {
    const { base, output } = await serveForTest(['--data', temporaryFolder()]);
    const [key = ''] = /cmpl_live_\w+/.exec(output().stdout) ?? [];
    const env = { COMPLIANCE_API_KEY: key, COMPLIANCE_SERVER: base };
    const folder = temporaryFolder();
    const [file, template, out, zip] = ['products.csv', 'family.json', 'result.ndjson', 'certificates.zip'].map(name =>
      join(folder, name),
    ) as [string, string, string, string];
    writeFileSync(template, CERTIFICATE_TEMPLATES.gcc);
    writeFileSync(file, 'product_info.sku,product_info.name\nS-1,"Helmet, red"\nS-1,Helmet\n');
    const args = ['jobs', 'run', file, '--operation', 'certify', '--template', template, '-o', out, '--zip', zip];
    const run = await runCli(args, { env });
    expect([run.exitCode, run.stdout]).toEqual([
      0,
      expect.stringMatching(
        /done {2}2 of 2 rows, 1 with an error\nWrote .*result\.ndjson\.\nWrote .*certificates\.zip\.$/m,
      ),
    ]);
    const rows = readFileSync(out, 'utf8').trimEnd().split('\n');
    expect(rows.map(row => JSON.parse(row))).toMatchObject([
      { row: 1, line: 2, key: 'S-1', status: 'draft' },
      { row: 2, line: 3, error_message: 'line 3, product_info.sku: results in the same filename as line 2' },
    ]);
    const [id = ''] = /blk_\w+/.exec(run.stdout) ?? [];
    const copy = join(folder, 'copy.zip');
    expect((await runCli(['jobs', 'download', id, '--zip', copy], { env })).stdout).toMatch(/\nWrote .*copy\.zip\.$/m);
    expect(readFileSync(copy)).toEqual(readFileSync(zip));
    expect(Object.keys(unzipSync(readFileSync(zip)))).toEqual(['index.csv', 'S-1.pdf']);

    await expectRefusal(['jobs', 'download', id], '--out, --zip');
    await expectRefusal(['jobs', 'run', file, '-o', out, '--zip', zip], 'Remove --zip');
    writeFileSync(template, '{"manufcturer": {}}');
    const refused = await runCli(args, { env });
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('template.manufcturer')]);
  });

  it('reports that a job canceled before it started has no result', async () => {
    const service = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ id: 'blk_1', state: 'cancelled', input_error: null, result_url: null }));
      });
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void service.close());
    const { port } = service.address() as AddressInfo;
    const env = { COMPLIANCE_API_KEY: 'key', COMPLIANCE_SERVER: `http://127.0.0.1:${port}` };
    const out = join(temporaryFolder(), 'result.csv');
    const outcome = await runCli(['jobs', 'run', 'https://files.example/codes.csv', '-o', out], { env });
    expect([outcome.exitCode, outcome.stderr]).toEqual([1, expect.stringContaining('canceled before it started')]);
  });

  it('fails with an error that names COMPLIANCE_API_KEY if no API key is set', async () => {
    await expectRefusal(['jobs', 'status', 'blk_1'], 'COMPLIANCE_API_KEY');
  });
});
