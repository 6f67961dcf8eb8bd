import {
  changesInEffect,
  compareWatchedCodes,
  DATASET,
  dutyWords,
  easternDate,
  type WatchChange,
  type WatchComparison,
  type WatchedResult,
} from '@compliance/core/tariff';
import { Command, Option } from 'commander';
import { CliError } from '../cli-error.ts';
import { readDataset } from '../input/dataset.ts';
import { reportOptionErrors } from '../input/lookup-options.ts';
import { type CatalogCode, type CatalogOptions, readCatalog } from '../input/watched-codes.ts';
import { jsonOption } from '../options.ts';
import { print, sanitizeForTerminal, table } from '../output/print.ts';

interface Options extends CatalogOptions {
  from?: string;
  to?: string;
  asOf?: string;
  failOn?: FailOn[];
  json?: boolean;
}

/** Result types that can make the command fail. */
const FAILURES = ['changed', 'invalid'] as const;
type FailOn = (typeof FAILURES)[number];

/** The `compliance watch` command. */
export default new Command('watch')
  .description('Show how a new data set or scheduled changes affect the duties on the products in a catalog.')
  .requiredOption('--csv <file>', 'catalog with one product per row and a header row (- for standard input)')
  .option('--column <name>', 'name of the column that contains the HTS codes')
  .option(
    '--reference-column <name>',
    'column that contains your ID for each row, such as a part number (default: the row number)',
  )
  .option('--origin-column <name>', "column with each row's country of origin")
  .option('--from <file>', 'earlier data set in JSON; if omitted, shows the scheduled changes in the --to data set')
  .option('--to <file>', 'later data set in JSON (default: the data set in this release)')
  .option('--as-of <date>', 'first date to compare, YYYY-MM-DD (default: today in US Eastern time)')
  .addOption(
    new Option(
      '--fail-on <results>',
      'exit with code 1 if any result matches one of these conditions (comma-separated): changed, invalid',
    ).argParser(parseFailOn),
  )
  .addOption(jsonOption())
  .action(async (options: Options) => {
    const asOf = options.asOf ?? easternDate(Date.now());
    const { dataset: after = DATASET } = await readDataset(options.to);
    const before = options.from === undefined ? null : (await readDataset(options.from)).dataset!;
    const codes = await readCatalog(options);
    const result = await reportOptionErrors(() =>
      before
        ? compareWatchedCodes(codes, { before, after, asOf })
        : changesInEffect(codes, { dataset: after, after: asOf, through: null }),
    );
    print(options.json ? json(result, codes, asOf) : report(result, codes, asOf, before !== null));
    const counts = { changed: affected(result), invalid: result.issues.length };
    const failed = (options.failOn ?? []).filter(name => counts[name] > 0);
    if (failed.length > 0) {
      const total = codes.length.toLocaleString('en-US');
      const shares = failed.map(
        name =>
          `${counts[name].toLocaleString('en-US')} of ${total} rows ${name === 'changed' ? 'changed' : 'are invalid'}`,
      );
      throw new CliError(`${shares.join(', and ')} (--fail-on ${options.failOn!.join(',')}).`);
    }
  });

function parseFailOn(text: string): FailOn[] {
  const names = text.split(',').map(name => name.trim());
  if (names.every((name): name is FailOn => FAILURES.some(known => known === name))) return names;
  throw new CliError(`--fail-on ${text}: enter changed or invalid. Separate multiple values with commas.`, 2);
}

/** Returns the number of references with at least one change. */
function affected({ changes }: WatchComparison): number {
  return new Set(changes.map(({ reference }) => reference)).size;
}

/** Formats the result as JSON, with the row of each code that wasn't evaluated. */
function json({ issues, ...result }: WatchComparison, codes: readonly CatalogCode[], asOf: string): string {
  const invalid = issues.map(({ index, ...issue }) => ({ row: codes[index]!.row, code: codes[index]!.code, ...issue }));
  return JSON.stringify({ as_of: asOf, evaluated: codes.length - issues.length, ...result, invalid });
}

function report(result: WatchComparison, codes: readonly CatalogCode[], asOf: string, isComparison: boolean): string {
  const { before, after, changes, issues } = result;
  const rows = changes.map(change => [
    sanitizeForTerminal(change.reference, 40),
    `${change.code}${change.origin === null ? '' : ` ${change.origin}`}`,
    period(change),
    `${resultWords(change.before)} → ${resultWords(change.after)}\n${change.citations.join('; ')}`,
  ]);
  const invalid = issues.map(
    ({ index, field, message }) =>
      `Row ${codes[index]!.row} (${field} ${sanitizeForTerminal(codes[index]![field] ?? '', 40)}): ${message}`,
  );
  const products = `${affected(result).toLocaleString('en-US')} of ${(codes.length - issues.length).toLocaleString('en-US')} products`;
  const summary = isComparison
    ? `Section 232 lists, version ${before.version} compared with ${after.version} for ${asOf} and later dates: the duties on ${products} change.`
    : `Section 232 lists, version ${after.version}: the duties on ${products} change after ${asOf}.`;
  const listed = rows.length === 0 ? '' : table(['Reference', 'Code', 'Date', 'Change'], [20, 18, 12], rows);
  return [listed, invalid.join('\n'), summary].filter(part => part !== '').join('\n\n');
}

function period({ date, until }: WatchChange): string {
  return until === null ? date : `${date} to ${until}`;
}

/** Describes the duties on a code in plain English. */
function resultWords({ duties }: WatchedResult): string {
  const words = duties
    .filter(({ coverage }) => coverage === 'full')
    .map(
      duty => `${duty.program}: ${dutyWords(duty)}${duty.headings.length > 0 ? ` (${duty.headings.join(', ')})` : ''}`,
    );
  if (words.length > 0) return [...new Set(words)].join(' and ');
  const listed = [...new Set(duties.map(({ hts }) => hts))];
  return listed.length > 0 ? `listed under this code: ${listed.join(', ')}` : 'not covered';
}
