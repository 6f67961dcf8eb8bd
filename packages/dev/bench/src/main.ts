// Runs each benchmark in its own process and prints one table.
// Usage: pnpm bench [FILENAME_PART ...] [--write] [--wappalyzer DIR]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pageOf } from './page.ts';
import { type BenchRow, verdictOf } from './row.ts';
import { tableOf } from './table.ts';

const ROOT = join(import.meta.dirname, '../../../..');

/** Time limit for one benchmark. The longest benchmark takes a few minutes. */
const BENCH_TIMEOUT_MS = 30 * 60_000;

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, wappalyzer: { type: 'string' } },
});
const files = globSync(['packages/*/bench/*.bench.ts', 'shopify-app/bench/*.bench.ts'], { cwd: ROOT })
  .filter(file => words.length === 0 || words.some(word => file.includes(word)))
  .sort();
if (files.length === 0) throw new Error(`No benchmark filename contains any of these words: ${words.join(', ')}.`);

async function run(file: string): Promise<BenchRow[]> {
  const begun = performance.now();
  const bench = fork(join(ROOT, file), values.wappalyzer ? [resolve(values.wappalyzer)] : [], {
    execArgv: ['--conditions=@compliance/source', '--expose-gc'],
    // Print only the table to standard output.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const rows: BenchRow[] = [];
  bench.on('message', (handed: BenchRow[]) => {
    rows.push(...handed);
    bench.disconnect();
  });
  const timer = setTimeout(() => bench.kill('SIGKILL'), BENCH_TIMEOUT_MS);
  const [code, signal] = await once(bench, 'exit');
  clearTimeout(timer);
  if (code !== 0) process.exitCode = 1;
  const seconds = Math.round((performance.now() - begun) / 1000);
  const failure = signal === 'SIGKILL' ? 'KILLED' : 'FAILED';
  process.stderr.write(`${file}: ${code === 0 ? `${rows.length} rows` : failure} in ${seconds} s\n`);
  return rows;
}

const rows: BenchRow[] = [];
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
