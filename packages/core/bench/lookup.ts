// Prints what a look-up costs against its limits, each ratio measured in one run:
//   100,000 codes against four bare Map.get for each; start to first answer; the size of the import in a browser.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { lookup } from '@compliance/core/tariff';
import { build } from 'esbuild';
import { PROVISIONS } from '../src/tariff/edition/provisions.ts';

const CODES = 100_000;
const ROUNDS = 25;
const AS_OF = '2026-11-21';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** A generator with a seed, so that every run asks the same codes. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** Ten-digit numbers of the HTS if an export is at hand, else the listed provisions. */
function realCodes(): { source: string; codes: string[] } {
  const file = path('../../../../shared/data/hts_2026_rev_10.json.gz');
  if (!existsSync(file)) return { source: 'listed provisions', codes: PROVISIONS.map(({ hts }) => hts) };
  const rows: { htsno: string }[] = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
  const codes = rows.map(({ htsno }) => htsno).filter(htsno => htsno.length === 13 && htsno < '98');
  return { source: 'numbers of HTS 2026 Revision 10', codes };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const verdict = (value: number, limit: number) => (value <= limit ? 'within' : 'OVER');

function time(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function benchLookup(): void {
  const { source, codes: real } = realCodes();
  const next = random(232);
  const codes = Array.from({ length: CODES }, (_, i) => {
    if (i % 2 === 0) return real[Math.floor(next() * real.length)]!;
    const digits = `${Math.floor(next() * 9_700_000_000)}`.padStart(10, '0');
    return `${digits.slice(0, 4)}.${digits.slice(4, 6)}.${digits.slice(6)}`;
  });
  const stemsOf = (code: string) => [4, 6, 8, 10].map(length => code.replaceAll('.', '').slice(0, length));
  const map = new Map(real.flatMap(stemsOf).map(stem => [stem, true]));
  const keys = codes.flatMap(stemsOf);
  let found = 0;
  const gets = () => {
    for (const key of keys) if (map.get(key)) found++;
  };
  const oneCall = () => lookup(codes, { asOf: AS_OF });
  const manyCalls = () => {
    for (let i = 0; i < codes.length; i += 1000) lookup(codes.slice(i, i + 1000), { asOf: AS_OF });
  };
  const rounds = Array.from({ length: ROUNDS }, () => [time(gets), time(oneCall), time(manyCalls)]);
  const ratio = (column: number) => median(rounds.map(round => round[column]! / round[0]!));
  const per = (column: number) => ((median(rounds.map(round => round[column]!)) / CODES) * 1e6).toFixed(0);
  console.log(
    `lookup of ${CODES} codes (half ${source}, half random), median of ${ROUNDS} rounds; ${found > 0 ? '' : 'none found'}`,
  );
  console.log(`  four Map.get             ${per(0)} ns a code`);
  console.log(
    `  one call                 ${per(1)} ns a code   ${ratio(1).toFixed(2)}× (limit 6×: ${verdict(ratio(1), 6)})`,
  );
  console.log(`  calls of 1,000 codes     ${per(2)} ns a code   ${ratio(2).toFixed(2)}×`);
}

function benchStart(): void {
  execFileSync(process.execPath, [path('../../../node_modules/typescript/bin/tsc'), '-p', path('../tsconfig.json')]);
  const script = `
    const start = performance.now();
    const { lookup } = await import(${JSON.stringify(path('../dist/tariff/index.js'))});
    lookup(['7318.15.2061'], { asOf: '${AS_OF}' });
    console.log(performance.now() - start, performance.now());`;
  const run = (text: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' });
  const rounds = Array.from({ length: 15 }, () => {
    const [library, process] = run(script).split(' ').map(Number);
    const bare = Number(run('console.log(performance.now())'));
    return { library: library!, process: process!, bare };
  });
  const of = (name: 'library' | 'process' | 'bare') => median(rounds.map(round => round[name]));
  console.log('start to first answer, built package, median of 15 processes');
  console.log(`  import and first answer  ${of('library').toFixed(1)} ms (limit 60 ms: ${verdict(of('library'), 60)})`);
  console.log(
    `  whole process            ${of('process').toFixed(1)} ms   ${(of('process') / of('bare')).toFixed(2)}× an empty one`,
  );
}

async function benchSize(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [path('../src/tariff/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const bytes = outputFiles[0]!.contents;
  const packed = gzipSync(bytes).length / 1024;
  console.log('import "@compliance/core/tariff" in a browser, data included');
  console.log(
    `  minified ${(bytes.length / 1024).toFixed(1)} KB, gzip ${packed.toFixed(1)} KB (limit 120 KB: ${verdict(packed, 120)})`,
  );
}

benchLookup();
benchStart();
await benchSize();
