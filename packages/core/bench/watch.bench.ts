// Measures the time to compare the results of two data sets for 50,000 watched codes, in the worst case. The new data
// set schedules a different rate for every list with an open-ended rate, so the results for most covered codes change.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { inTurn, median, report, show } from '@compliance/bench';
import { changesInEffect, compareWatchedCodes, DATASET, type WatchedCode } from '@compliance/core/tariff';
import { hashOf, loadDataset } from '@compliance/core/tariff/dataset';

const CODES = 50_000;
const ORIGINS = ['CN', 'VN', 'MX', 'CA', 'DE', 'IT', 'JP', 'KR', 'TW', 'GB', 'CH', 'IN', 'TH', 'TR', 'BR', 'RU', 'US'];
const TODAY = '2026-11-23';

/** Returns HTS numbers from an export or, if no export is available, the numbers on the lists. */
function htsNumbers(): { source: string; numbers: string[] } {
  const file = join(import.meta.dirname, '../../../../shared/data/hts_2026_rev_10.json.gz');
  if (existsSync(file)) {
    const rows: { htsno: string }[] = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
    const numbers = rows.map(({ htsno }) => htsno).filter(htsno => htsno.length === 13 && htsno < '98');
    return { source: 'HTS 2026 Revision 10', numbers };
  }
  const listed = DATASET.lists.flatMap(({ batches }) => batches.flatMap(({ provisions }) => provisions));
  return { source: 'the lists', numbers: listed.map(each => (typeof each === 'string' ? each : each.hts)) };
}

/**
 * Returns, as JSON, a copy of the bundled data set in which every list with an open-ended rate has a different rate
 * starting on 2027-03-01.
 */
function nextDataset(): string {
  const dataset = structuredClone(DATASET);
  dataset.version = '2099.1.1';
  for (const { terms } of dataset.lists) {
    const last = terms.at(-1)!;
    if (last.effective_to !== null || last.effective_from >= '2027-03-01') continue;
    last.effective_to = '2027-02-28';
    terms.push({ ...last, effective_from: '2027-03-01', effective_to: null, rate_pct: (last.rate_pct ?? 0) + 1 });
  }
  return JSON.stringify({ ...dataset, sha256: hashOf(dataset) });
}

const { source, numbers } = htsNumbers();
const codes = Array.from(
  { length: CODES },
  (_, index): WatchedCode => ({
    reference: `SKU-${index}`,
    code: numbers[(index * 7919) % numbers.length]!,
    origin: ORIGINS[index % ORIGINS.length]!,
  }),
);
const text = nextDataset();
const after = loadDataset(text);
const { changes } = compareWatchedCodes(codes, { before: DATASET, after, asOf: TODAY });
if (changes.length < CODES / 20) throw new Error(`Only ${changes.length} results change.`);

const { compared, elapsed } = await inTurn(
  {
    // Loading the new data set again discards everything previously computed for it.
    compared: () => compareWatchedCodes(codes, { before: DATASET, after: loadDataset(text), asOf: TODAY }),
    elapsed: () => changesInEffect(codes, { dataset: loadDataset(text), after: '2025-03-01', through: TODAY }),
  },
  { rounds: 5, warmUp: 1 },
);
report([
  {
    what: 'loading a data set and comparing the results for 50,000 watched codes',
    value: median(compared),
    unit: 'ms',
    limit: { atMost: 5_000 },
    details: `${show(changes.length)} changes; ${ORIGINS.length} origins; codes from ${source}`,
  },
  {
    what: 'finding all changes since March 2025 for 50,000 watched codes',
    value: median(elapsed),
    unit: 'ms',
    limit: { atMost: 5_000 },
    details: 'one data set, every effective date',
  },
]);
