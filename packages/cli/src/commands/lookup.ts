import { easternDate, type LookupOptions } from '@compliance/core/tariff';
import { Command, Option } from 'commander';
import { type FailOn, failOnOption } from '../bulk/fail-on.ts';
import { outputFile, standardOutput } from '../bulk/output-file.ts';
import { FORMATS, formatOf, type OutputFormat, printResults, writeRows } from '../bulk/write-rows.ts';
import { CliError } from '../cli-error.ts';
import { type InputOptions, readCodes } from '../input/codes.ts';
import { datasetOption, readDataset } from '../input/dataset.ts';
import { readFlags } from '../input/flags.ts';
import { parsePrograms, reportOptionErrors } from '../input/lookup-options.ts';
import { readNomenclature } from '../input/nomenclature.ts';
import { jsonOption } from '../options.ts';
import { notify } from '../output/notice.ts';

interface Options extends InputOptions {
  asOf?: string;
  programs?: string;
  origin?: string;
  hts?: string;
  flags?: string;
  dataset?: string;
  out?: string;
  format?: OutputFormat;
  failOn?: FailOn;
  json?: boolean;
}

/** The `compliance lookup` command. */
export default new Command('lookup')
  .description('Look up HTS codes in the Section 232 lists.')
  .argument('[codes...]', 'HTS codes (default: read from standard input, one per line)')
  .option('--as-of <date>', 'date of entry, YYYY-MM-DD (default: today in US Eastern time)')
  .option('--programs <programs>', 'comma-separated programs to check, "all", or "metals" (default: all)')
  .option('--origin <country>', 'country of origin (ISO alpha-2); shows the possible duties')
  .option('--csv <file>', 'read the codes from a CSV file with a header row (- for standard input)')
  .option('--column <name>', 'name of the CSV column that contains the codes')
  .option('--origin-column <name>', "column with each row's country of origin; requires --out")
  .option('--date-column <name>', "column with each row's date of entry; requires --out")
  .option(
    '--value-column <name>',
    "column with each row's customs value in US dollars; if only one result is possible, the output includes the duty; requires --out",
  )
  .option('--out <file>', 'write every row with its result to a .csv or .ndjson file (- for standard output)')
  .addOption(
    new Option('--format <format>', 'output format for --out (default: based on the file extension)').choices(FORMATS),
  )
  .option('--hts <file>', 'official HTS export (.json or .json.gz) for checking whether codes exist')
  .option(
    '--flags <file>',
    'JSON file with CPSC’s list of HTS codes flagged for eFiling, including the list’s date and source; if set, each result shows whether a certificate might be needed',
  )
  .addOption(datasetOption())
  .addOption(failOnOption())
  .addOption(jsonOption('print the same JSON as the API'))
  .action(async (args: string[], options: Options) => {
    checkCombination(options);
    const table = await readCodes(args, options);
    const query: LookupOptions = {
      asOf: options.asOf ?? easternDate(Date.now()),
      ...(options.programs !== undefined && { programs: parsePrograms(options.programs) }),
      ...(options.origin !== undefined && { origin: options.origin }),
      ...(await readDataset(options.dataset)),
      ...(options.hts !== undefined && { nomenclature: await readNomenclature(options.hts) }),
    };
    const { out, failOn, json = false } = options;
    const flags = options.flags === undefined ? null : await readFlags(options.flags);
    if (out === undefined) {
      await reportOptionErrors(() => printResults(table, query, { output: standardOutput(), json, failOn, flags }));
      return;
    }
    const format = options.format ?? formatOf(out);
    const output = out === '-' ? standardOutput() : await outputFile(out, options.csv);
    await reportOptionErrors(() => writeRows(table, query, { output, format, failOn, flags }, notify));
  });

function checkCombination({ csv, out, json, format, originColumn, dateColumn, valueColumn }: Options): void {
  const columns = { '--origin-column': originColumn, '--date-column': dateColumn, '--value-column': valueColumn };
  for (const [name, value] of Object.entries(columns)) {
    if (value !== undefined && (csv === undefined || out === undefined))
      throw new CliError(`${name} requires --csv and --out.`, 2);
  }
  if (out === undefined && format !== undefined) throw new CliError('--format requires --out.', 2);
  if (out !== undefined && json)
    throw new CliError('Don’t use --json with --out. To write JSON to a file, use --out with --format ndjson.', 2);
}
