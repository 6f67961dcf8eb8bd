// What a look-up costs: 100,000 codes against four bare Map.get for each, and how that grows; start to first answer; the size of
// the import in a browser.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { growth, inTurn, median, type Row, ratio, report, show } from '@compliance/bench';
import { lookup, prepareLookup } from '@compliance/core/tariff';
import { build } from 'esbuild';

const CODES = 100_000;
const MOST_CODES = 1_000_000;
const OPTIONS = { asOf: '2026-11-21' };

const path = (relative: string) => join(import.meta.dirname, relative);

/** A generator with a seed, so that every run asks the same codes. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** Ten-digit numbers of the HTS if an export is at hand, else some listed ones. */
function realCodes(): { source: string; codes: string[] } {
  const file = path('../../../../shared/data/hts_2026_rev_10.json.gz');
  if (!existsSync(file)) {
    return { source: 'a few listed numbers', codes: ['7318.15.2061', '8302.41.6015', '9403.20.0075', '8429.11.0000'] };
  }
  const rows: { htsno: string }[] = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
  const codes = rows.map(({ htsno }) => htsno).filter(htsno => htsno.length === 13 && htsno < '98');
  return { source: 'numbers of HTS 2026 Revision 10', codes };
}

async function besideMap(): Promise<Row[]> {
  const { source, codes: real } = realCodes();
  const next = random(232);
  const all = Array.from({ length: MOST_CODES }, (_, i) => {
    if (i % 2 === 0) return real[Math.floor(next() * real.length)]!;
    const digits = `${Math.floor(next() * 9_700_000_000)}`.padStart(10, '0');
    return `${digits.slice(0, 4)}.${digits.slice(4, 6)}.${digits.slice(6)}`;
  });
  const codes = all.slice(0, CODES);
  const stemsOf = (code: string) => [4, 6, 8, 10].map(length => code.replaceAll('.', '').slice(0, length));
  const map = new Map(real.flatMap(stemsOf).map(stem => [stem, true]));
  const keys = codes.flatMap(stemsOf);
  let found = 0;
  const prepared = prepareLookup(OPTIONS);
  const { gets, oneCall, manyCalls, preparedCalls } = await inTurn(
    {
      gets: () => {
        for (const key of keys) if (map.get(key)) found++;
      },
      oneCall: () => lookup(codes, OPTIONS),
      manyCalls: () => {
        for (let i = 0; i < codes.length; i += 1000) lookup(codes.slice(i, i + 1000), OPTIONS);
      },
      preparedCalls: () => {
        for (let i = 0; i < codes.length; i += 1000) prepared(codes.slice(i, i + 1000));
      },
    },
    { rounds: 25 },
  );
  if (found === 0) throw new Error('The maps hold none of the codes.');
  const beside = (times: readonly number[]) =>
    `${show((median(times) / CODES) * 1e6)} ns a code against ${show((median(gets) / CODES) * 1e6)}; half ${source}, half random`;
  const what = 'look-up of 100,000 codes';
  return [
    {
      what: `${what} in one call ÷ four Map.get each`,
      value: ratio(oneCall, gets),
      unit: '×',
      limit: { atMost: 6 },
      beside: beside(oneCall),
    },
    {
      what: `${what}, 1,000 a call ÷ four Map.get each`,
      value: ratio(manyCalls, gets),
      unit: '×',
      beside: beside(manyCalls),
    },
    {
      what: `${what}, 1,000 a call of a prepared one ÷ four Map.get each`,
      value: ratio(preparedCalls, gets),
      unit: '×',
      beside: beside(preparedCalls),
    },
    await growth('look-up, codes in one call', 'linear', [1_000, 10_000, 100_000, MOST_CODES], size => {
      const some = all.slice(0, size);
      return () => lookup(some, OPTIONS);
    }),
  ];
}

/** Of the built package: what is published. */
function start(): Row[] {
  execFileSync(process.execPath, [path('../../../node_modules/typescript/bin/tsc'), '-p', path('../tsconfig.json')]);
  const spentSince = (before: string) =>
    `const { user, system } = process.cpuUsage(${before}); console.log((user + system) / 1000);`;
  const answering = `
    const before = process.cpuUsage();
    const { lookup } = await import(${JSON.stringify(path('../dist/tariff/index.js'))});
    lookup(['7318.15.2061'], ${JSON.stringify(OPTIONS)});`;
  const run = (script: string) =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
  const rounds = Array.from({ length: 15 }, () => ({
    empty: run(spentSince('')),
    whole: run(`${answering} ${spentSince('')}`),
    answer: run(`${answering} ${spentSince('before')}`),
  }));
  const of = (name: 'empty' | 'whole' | 'answer') => rounds.map(round => round[name]);
  return [
    {
      what: 'a process that imports and answers ÷ an empty one',
      value: ratio(of('whole'), of('empty')),
      unit: '×',
      beside: `${show(median(of('whole')))} ms against ${show(median(of('empty')))} ms, built package`,
    },
    {
      what: 'import and first look-up',
      value: median(of('answer')),
      unit: 'ms',
      limit: { atMost: 60 },
      beside: 'built package, middle of the processes',
    },
  ];
}

async function size(): Promise<Row> {
  const { outputFiles } = await build({
    entryPoints: [path('../src/tariff/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const bytes = outputFiles[0]!.contents;
  return {
    what: 'look-up in a browser, gzip',
    value: gzipSync(bytes).length / 1024,
    unit: 'KB',
    limit: { atMost: 120 },
    beside: `data included; minified ${show(bytes.length / 1024)} KB`,
  };
}

report([...(await besideMap()), ...start(), await size()]);
