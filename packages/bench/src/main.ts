// Runs every bench in a process of its own and prints one table: `pnpm bench [words of file names] [--write] [--wappalyzer DIR]`.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pageOf } from './page.ts';
import { type Row, verdictOf } from './row.ts';
import { tableOf } from './table.ts';

const ROOT = join(import.meta.dirname, '../../..');

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, wappalyzer: { type: 'string' } },
});
const files = globSync(['packages/*/bench/*.bench.ts', 'shopify-app/bench/*.bench.ts'], { cwd: ROOT })
  .filter(file => words.length === 0 || words.some(word => file.includes(word)))
  .sort();
if (files.length === 0) throw new Error(`No bench has one of these words in its file name: ${words.join(', ')}.`);

async function run(file: string): Promise<Row[]> {
  const begun = performance.now();
  const bench = fork(join(ROOT, file), values.wappalyzer ? [resolve(values.wappalyzer)] : [], {
    execArgv: ['--conditions=@compliance/source', '--expose-gc'],
    // Standard output is the table's alone.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const rows: Row[] = [];
  bench.on('message', (handed: Row[]) => {
    rows.push(...handed);
    bench.disconnect();
  });
  const [code] = await once(bench, 'exit');
  if (code !== 0) process.exitCode = 1;
  const seconds = Math.round((performance.now() - begun) / 1000);
  process.stderr.write(`${file}: ${code === 0 ? `${rows.length} rows` : 'FAILED'} in ${seconds} s\n`);
  return rows;
}

const rows: Row[] = [];
for (const file of files) rows.push(...(await run(file)));
const table = tableOf(rows);
process.stdout.write(`${table}\n`);
if (rows.some(row => verdictOf(row) === 'OVER')) process.exitCode = 1;
if (values.write) {
  const hardware = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} on ${process.arch}`;
  const date = new Date().toISOString().slice(0, 10);
  const page = join(ROOT, 'docs/benchmarks.md');
  const machine = { date, hardware, version: process.versions.node };
  writeFileSync(page, pageOf(table, machine, readFileSync(page, 'utf8')));
}
