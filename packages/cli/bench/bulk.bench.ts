// Benchmarks `compliance lookup --csv`: time and memory for a million rows, time relative to csv-parse alone, and
// memory growth with the number of rows in a printed table.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, report, show, spent } from '@compliance/bench';
import { parse } from 'csv-parse';

const MAIN = join(import.meta.dirname, '../src/main.ts');
const ROWS = 1_000_000;
const TABLE_ROWS = 100_000;
const LISTED = ['7318.15.2061', '8302.41.6015', '9403.20.0075', '8429.11.0000', '7601103000'];

const folder = mkdtempSync(join(tmpdir(), 'compliance-bench-'));

/** Writes a CSV file in which half of the codes are on a Section 232 list and half are random. */
async function writeTable(rows: number): Promise<string> {
  const file = join(folder, `${rows}.csv`);
  const handle = await open(file, 'w');
  let text = 'sku,name,hts\n';
  for (let i = 0; i < rows; i++) {
    const random = `${1_000_000_000 + ((i * 7_919_317) % 8_600_000_000)}`;
    text += `SKU-${i},"Bolt, ""M${i % 30}""",${i % 2 === 0 ? LISTED[(i / 2) % LISTED.length] : random}\n`;
    if (text.length < 1_000_000 && i < rows - 1) continue;
    await handle.write(text);
    text = '';
  }
  await handle.close();
  return file;
}

/** Runs the `lookup` command and returns its wall-clock time in milliseconds and its peak memory in MB. */
async function run(args: readonly string[]): Promise<{ ms: number; mb: number }> {
  const printPeak = "process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS))";
  const hook = `data:text/javascript,${encodeURIComponent(printPeak)}`;
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    ['--conditions=@compliance/source', '--import', hook, MAIN, 'lookup', '--as-of', '2026-11-21', ...args],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code] = (await once(child, 'close')) as [number];
  const peak = /^peak (\d+)$/m.exec(errors)?.[1];
  if (code !== 0 || peak === undefined) throw new Error(`The command failed: ${errors}`);
  return { ms: performance.now() - begun, mb: Number(peak) / 1024 };
}

const million = await writeTable(ROWS);
const parsing = await spent(async () => {
  let cells = 0;
  for await (const record of createReadStream(million).pipe(parse()) as AsyncIterable<string[]>) cells += record.length;
  if (cells !== 3 * (ROWS + 1)) throw new Error('The table is incomplete.');
});

const rows: BenchRow[] = [];
for (const format of ['csv', 'ndjson']) {
  const { ms, mb } = await run(['--csv', million, '--out', join(folder, `out.${format}`)]);
  const what = `bulk lookup of ${ROWS.toLocaleString('en-US')} rows to ${format.toUpperCase()}`;
  rows.push(
    {
      what: `${what} ÷ csv-parse alone`,
      value: ms / parsing,
      unit: '×',
      details: `${show(ms)} ms of wall-clock time compared with ${show(parsing)} ms of CPU time`,
    },
    { what, value: ms, unit: 'ms', limit: { atMost: 10_000 }, details: 'process wall-clock time' },
    { what: `${what}, memory`, value: mb, unit: 'MB', limit: { atMost: 200 }, details: 'peak resident set size' },
  );
}
const small = await run(['--csv', await writeTable(TABLE_ROWS / 10)]);
const large = await run(['--csv', await writeTable(TABLE_ROWS)]);
rows.push({
  what: `memory for a printed table of ${TABLE_ROWS.toLocaleString('en-US')} rows ÷ memory for a tenth of the rows`,
  value: large.mb / small.mb,
  unit: '×',
  limit: { atMost: 1.3 },
  details: `peak resident set size of ${show(large.mb)} MB compared with ${show(small.mb)} MB`,
});
rmSync(folder, { recursive: true });
report(rows);
