// Compares the time to look up 100,000 codes with the time for four Map.get calls per code, and the time to assess an
// article with the time to look up its code. Also measures the time to load a data set, the time from process start to
// the first result, the size of the browser bundle, and the increase in lookup time as the number of codes grows.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type BenchRow, growth, inTurn, median, ratio, report, show } from '@compliance/bench';
import { type Article, assess, lookup, prepareLookup } from '@compliance/core/tariff';
import { loadDataset } from '@compliance/core/tariff/dataset';
import { build } from 'esbuild';
import { buildDataset } from '../scripts/gen-dataset.ts';

const CODES = 100_000;
const MOST_CODES = 1_000_000;
const OPTIONS = { asOf: '2026-11-21' };

const path = (relative: string) => join(import.meta.dirname, relative);

/** Returns a seeded random number generator, so that every run looks up the same codes. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** Returns the 10-digit HTS numbers in an export, or a few fixed codes if the export is missing. */
function realCodes(): { source: string; codes: string[]; isExport: boolean } {
  const file = path('../../../../shared/data/hts_2026_rev_10.json.gz');
  if (!existsSync(file)) {
    const codes = ['7318.15.2061', '8302.41.6015', '9403.20.0075', '8429.11.0000'];
    return { source: 'from a short list, so no limit applies', codes, isExport: false };
  }
  const rows: { htsno: string }[] = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
  const codes = rows.map(({ htsno }) => htsno).filter(htsno => htsno.length === 13 && htsno < '98');
  return { source: 'from HTS 2026 Revision 10', codes, isExport: true };
}

async function compareWithMap(): Promise<BenchRow[]> {
  const { source, codes: real, isExport } = realCodes();
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
  const { gets, oneCall, manyCalls } = await inTurn(
    {
      gets: () => {
        for (const key of keys) if (map.get(key)) found++;
      },
      oneCall: () => lookup(codes, OPTIONS),
      manyCalls: () => {
        for (let i = 0; i < codes.length; i += 1000) lookup(codes.slice(i, i + 1000), OPTIONS);
      },
    },
    { rounds: 25 },
  );
  if (found === 0) throw new Error("The map doesn't contain any of the codes.");
  const details = (times: readonly number[]) =>
    `${show((median(times) / CODES) * 1e6)} ns per code compared with ${show((median(gets) / CODES) * 1e6)} ns; half of the codes ${source}, the other half random`;
  // A map with only a few codes fits in the processor's cache, so its speed doesn't predict the speed of a map of the
  // entire HTS.
  const limit = isExport ? { limit: { atMost: 2.5 } } : {};
  const what = 'lookup of 100,000 codes';
  return [
    {
      what: `${what} in one call ÷ four Map.get calls per code`,
      value: ratio(oneCall, gets),
      unit: '×',
      ...limit,
      details: details(oneCall),
    },
    {
      what: `${what}, 1,000 per call ÷ four Map.get calls per code`,
      value: ratio(manyCalls, gets),
      unit: '×',
      ...limit,
      details: details(manyCalls),
    },
    await growth('lookup, by number of codes in one call', 'linear', [1_000, 10_000, 100_000, MOST_CODES], size => {
      const some = all.slice(0, size);
      return () => lookup(some, OPTIONS);
    }),
  ];
}

/** Measures startup with the built package, because that's what users install. */
function start(): BenchRow[] {
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
      what: 'process that imports the package and looks up a code ÷ empty process',
      value: ratio(of('whole'), of('empty')),
      unit: '×',
      details: `${show(median(of('whole')))} ms compared with ${show(median(of('empty')))} ms, built package`,
    },
    {
      what: 'import and first lookup',
      value: median(of('answer')),
      unit: 'ms',
      limit: { atMost: 60 },
      details: 'built package, median of 15 processes',
    },
  ];
}

/** Articles subject to different duty programs, with all the facts that determine their duties. */
const ARTICLES: readonly Article[] = [
  {
    code: '7326.90.8688',
    as_of: '2026-10-01',
    origin: 'CN',
    facts: {
      ...{ customs_value: 10_000, column1_rate_pct: 2.9, end_use: 'other', certification: 'none' },
      ...{ steel_weight_pct: 80, us_origin_pct: { steel: 0 }, other_duties: [{ program: '301', rate_pct: 25 }] },
    },
  },
  {
    code: '8708.99.8180',
    as_of: '2026-10-01',
    origin: 'JP',
    facts: { customs_value: 2000, column1_rate_pct: 2.5, certification: 'automobile_part' },
  },
  {
    code: '8703.23.01',
    as_of: '2025-12-15',
    origin: 'JP',
    facts: { customs_value: 30_000, column1_rate_pct: 2.5, end_use: 'passenger_vehicle', model_year: 2024 },
  },
  {
    code: '9401.61.4011',
    as_of: '2026-10-01',
    origin: 'VN',
    facts: { customs_value: 1000, column1_rate_pct: 0, certification: 'none' },
  },
];

/** Compares the time to assess an article with the time to look up its code, both without cached results. */
async function compareAssessWithLookup(): Promise<BenchRow> {
  const rounds = 200;
  const open = ARTICLES.find(article => assess(article).duties === null);
  if (open) throw new Error(`The facts for ${open.code} don't determine its duties.`);
  const { lookups, assessments } = await inTurn(
    {
      lookups: () => {
        for (let i = 0; i < rounds; i++)
          for (const { code, as_of, origin } of ARTICLES) prepareLookup({ asOf: as_of, origin })([code]);
      },
      assessments: () => {
        for (let i = 0; i < rounds; i++) for (const article of ARTICLES) assess(article);
      },
    },
    { rounds: 25 },
  );
  const each = (times: readonly number[]) => show((median(times) / rounds / ARTICLES.length) * 1000);
  return {
    what: 'assessment of an article with known facts ÷ uncached lookup of its code',
    value: ratio(assessments, lookups),
    unit: '×',
    limit: { atMost: 3 },
    details: `${each(assessments)} µs compared with ${each(lookups)} µs; ${ARTICLES.length} articles in different programs`,
  };
}

/** Number of passes over the codes in each measurement that compares the loaded and bundled data sets. */
const PASSES = 20;

/** Measures the time to load a data set, and compares lookups in the loaded data set and the bundled one. */
async function loading(): Promise<BenchRow[]> {
  const text = JSON.stringify(buildDataset());
  const { loads } = await inTurn({ loads: () => loadDataset(text) }, { rounds: 25 });
  const dataset = loadDataset(text);
  const { codes } = realCodes();
  const some = codes.length < 100 ? Array.from({ length: 20_000 }, (_, i) => codes[i % codes.length]!) : codes;
  // One pass takes only a few milliseconds, so garbage collection would dominate a comparison of single passes.
  const repeat = (pass: () => unknown) => {
    for (let i = 0; i < PASSES; i++) pass();
  };
  const { loaded, bundled } = await inTurn(
    {
      loaded: () => repeat(() => lookup(some, { ...OPTIONS, dataset })),
      bundled: () => repeat(() => lookup(some, OPTIONS)),
    },
    { rounds: 25 },
  );
  return [
    {
      what: 'loading a data set',
      value: median(loads),
      unit: 'ms',
      limit: { atMost: 25 },
      details: `${show(text.length / 1000)} KB of JSON: parsing, validation, hashing, and indexing`,
    },
    {
      what: 'lookup in a loaded data set ÷ lookup in the bundled data set',
      value: ratio(loaded, bundled),
      unit: '×',
      limit: { atMost: 1.25 },
      details: `${show(median(loaded))} ms compared with ${show(median(bundled))} ms; ${PASSES} × ${show(some.length)} codes`,
    },
  ];
}

async function size(): Promise<BenchRow> {
  const { outputFiles } = await build({
    stdin: { contents: `export { lookup } from './tariff/index.ts';`, resolveDir: path('../src') },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const bytes = outputFiles[0]!.contents;
  return {
    what: 'gzipped size of the lookup bundle for browsers',
    value: gzipSync(bytes).length / 1024,
    unit: 'KB',
    limit: { atMost: 35 },
    details: `including the lists; ${show(bytes.length / 1024)} KB minified`,
  };
}

report([...(await compareWithMap()), ...(await loading()), await compareAssessWithLookup(), ...start(), await size()]);
