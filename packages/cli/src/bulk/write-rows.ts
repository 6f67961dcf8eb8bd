import { type LookupOptions, type LookupResult, prepareLookup } from '@compliance/core/tariff';
import { CliError } from '../cli-error.ts';
import type { CodeRow, CodeTable } from '../input/codes.ts';
import type { CodeFlags } from '../input/flags.ts';
import { countsInWords, lookupTable, type StatusCounts } from '../output/lookup-table.ts';
import { createProgress } from '../output/progress.ts';
import { countFailures, type FailOn } from './fail-on.ts';
import { createHeapLimit } from './heap-growth.ts';
import type { Output } from './output-file.ts';
import { createRowDuty } from './row-duty.ts';
import { createRowLookup } from './row-lookup.ts';
import { csvRowWriter, ndjsonRowWriter } from './row-writer.ts';

/** Maximum number of invalid rows to list in the summary. */
const MAX_NAMED = 10;

/** File formats that `--out` supports. */
export const FORMATS = ['csv', 'ndjson'] as const;
export type OutputFormat = (typeof FORMATS)[number];

/** Returns the output format for a file's extension, or CSV for standard output (`-`). */
export function formatOf(file: string): OutputFormat {
  if (file === '-' || /\.csv$/i.test(file)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new CliError(`--out ${file}: use the extension .csv or .ndjson, or set --format.`, 2);
}

/**
 * Looks up the rows in a table and writes them with their results, one batch at a time.
 *
 * @param onSummary callback that receives a human-readable summary
 * @throws `CliError` after all results are written, if any result matches `--fail-on`
 */
export async function writeRows(
  table: CodeTable,
  options: LookupOptions,
  {
    output,
    format,
    failOn,
    flags,
  }: { output: Output; format: OutputFormat; failOn: FailOn | undefined; flags: CodeFlags | null },
  onSummary: (text: string) => void,
): Promise<void> {
  const counts: StatusCounts = {};
  const failures = countFailures(failOn);
  const invalidRows: number[] = [];
  try {
    const lookUpRows = createRowLookup(table, options);
    const lookUp = (batch: readonly CodeRow[]) => {
      const rows = lookUpRows(batch);
      return { rows, results: rows.map(({ result }) => result) };
    };
    const hasValue = table.columns.value >= 0;
    const createWriter = format === 'csv' ? csvRowWriter : ndjsonRowWriter;
    const writer = createWriter(table, { hasExport: options.nomenclature !== undefined, flags, hasValue });
    const dutyOf = createRowDuty(options);
    await output.write(writer.head);
    for await (const { rows, results } of lookedUpBatches(table, lookUp)) {
      const duties = hasValue
        ? rows.map(({ cells, result, shipment }) =>
            dutyOf(result.normalized ?? '', shipment.asOf, shipment.origin, cells[table.columns.value] ?? ''),
          )
        : null;
      await output.write(writer.rows(rows, duties));
      count(counts, results);
      failures.add(results);
      for (const { row, result } of rows) {
        if (result.status === 'invalid' && invalidRows.length < MAX_NAMED) invalidRows.push(row);
      }
    }
    await output.close();
  } catch (error) {
    await output.discard();
    throw error;
  }
  const more = (counts.invalid ?? 0) > invalidRows.length ? ', …' : '';
  const named = invalidRows.length > 0 ? ` Invalid rows: ${invalidRows.join(', ')}${more}.` : '';
  onSummary(`${countsInWords(counts, 'row')}.${named}`);
  failures.check();
}

/**
 * Looks up the codes in a table and prints the results as a human-readable table or as the same JSON that the API
 * returns.
 *
 * @throws `CliError` after all results are written, if any result matches `--fail-on`
 */
export async function printResults(
  table: CodeTable,
  options: LookupOptions,
  {
    output,
    json,
    failOn,
    flags,
  }: { output: Output; json: boolean; failOn: FailOn | undefined; flags: CodeFlags | null },
): Promise<void> {
  const lookUpCodes = prepareLookup(options);
  const lookUp = (batch: readonly CodeRow[]) => lookUpCodes(batch.map(({ cells }) => cells[table.columns.code] ?? ''));
  const { list } = lookUp([]);
  const sources = new Map(Object.entries(list.sources));
  const text = lookupTable(flags);
  const counts: StatusCounts = {};
  const failures = countFailures(failOn);
  let isFirst = true;
  for await (const { results, list } of lookedUpBatches(table, lookUp)) {
    for (const [id, source] of Object.entries(list.sources)) sources.set(id, source);
    count(counts, results);
    failures.add(results);
    if (json) {
      const items = results
        .map(result => JSON.stringify(flags ? { ...result, efiling: flags.of(result) } : result))
        .join();
      await output.write(isFirst ? `{"results":[${items}` : `,${items}`);
    } else {
      await output.write(`${isFirst ? `${text.head}\n` : ''}${text.rows(results)}\n`);
    }
    isFirst = false;
  }
  if (json) {
    const sorted = Object.fromEntries([...sources].sort(([a], [b]) => (a < b ? -1 : 1)));
    const facts = JSON.stringify({ ...list, sources: sorted });
    const efiling = flags ? `,"efiling":${JSON.stringify({ as_of: flags.as_of, source: flags.source })}` : '';
    await output.write(`${isFirst ? '{"results":[' : ''}],"list":${facts}${efiling}}\n`);
  } else {
    await output.write(`${isFirst ? '' : '\n'}${text.foot(counts, list)}\n`);
  }
  failures.check();
}

/** Looks up each batch of rows, updates the progress bar, and limits memory use. Skips empty batches. */
async function* lookedUpBatches<Batch extends { readonly results: readonly LookupResult[] }>(
  table: CodeTable,
  lookUp: (batch: readonly CodeRow[]) => Batch,
): AsyncGenerator<Batch> {
  const progress = createProgress();
  const limitHeap = createHeapLimit();
  let done = 0;
  try {
    for await (const batch of table.batches) {
      if (batch.length === 0) continue;
      yield lookUp(batch);
      progress.update((done += batch.length), table.readShare());
      limitHeap();
    }
  } finally {
    progress.stop();
  }
}

function count(counts: StatusCounts, results: readonly LookupResult[]): void {
  for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1;
}
