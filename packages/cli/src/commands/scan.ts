import { writeFile } from 'node:fs/promises';
import { drift, htmlReport, type Profile, sarif, scan } from '@compliance/core/pixel';
import { easternDate, isCalendarDate } from '@compliance/core/tariff';
import { createScanner, fetchCapture, ScanFailed, type ScanRequest } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { Command, Option } from 'commander';
import { CliError } from '../cli-error.ts';
import { contactOf } from '../contact.ts';
import { readBaseline } from '../input/baseline.ts';
import { readSavedPage } from '../input/saved-page.ts';
import { jsonOption } from '../options.ts';
import { print } from '../output/print.ts';
import { type ReportedScan, scanReport } from '../output/scan-report.ts';
import { version } from '../version.ts';

interface Options {
  html?: string;
  url?: string;
  scripts?: string;
  baseline?: string;
  asOf?: string;
  profile: 'us' | 'eea';
  json?: boolean;
  sarif?: boolean;
  htmlReport?: string;
}

/** The `compliance scan` command, which exits with code 1 if any finding has the severity `error`. */
export default new Command('scan')
  .description('Scan a storefront page for outdated, duplicate, and broken tags and for tags that leak data.')
  .argument('[url]', 'page URL')
  .option('--html <file>', 'scan a saved page instead of fetching one; requires --url')
  .option('--url <url>', 'original URL of the saved page')
  .option('--scripts <dir>', "folder with the saved page's scripts")
  .option('--baseline <file>', 'JSON output of an earlier scan; reports changes since that scan')
  .option('--as-of <date>', 'evaluate rules as of this date, YYYY-MM-DD (default: today in US Eastern time)')
  .addOption(
    new Option('--profile <visitors>', "region where the shop's visitors are located")
      .choices(['us', 'eea'])
      .default('us'),
  )
  .addOption(jsonOption('print the same JSON as the API').conflicts('sarif'))
  .option('--sarif', 'print SARIF 2.1.0, for CI')
  .option('--html-report <file>', 'also write the report as a single HTML page')
  .action(async (url: string | undefined, options: Options) => {
    const asOf = options.asOf ?? easternDate(Date.now());
    if (!isCalendarDate(asOf)) throw new CliError('--as-of must be a calendar date, YYYY-MM-DD.', 2);
    const profile: Profile = options.profile === 'eea' ? 'eea' : 'default';
    const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
    const request: ScanRequest = { asOf, profile, ...(baseline && { baseline }) };

    const result =
      options.html === undefined ? await scanLive(url, options, request) : await scanSaved(options, request);
    if (options.htmlReport !== undefined) {
      await writeFile(options.htmlReport, htmlReport(result, asOf)).catch(error => {
        throw new CliError(`Can't write ${options.htmlReport}: ${error.message}`);
      });
    }
    if (options.json) print(JSON.stringify(result));
    else if (options.sarif) print(JSON.stringify(sarif(result, version)));
    else print(scanReport(result, asOf));
    if (result.severity_counts.error > 0) process.exitCode = 1;
  });

async function scanLive(
  argument: string | undefined,
  { url, scripts }: Options,
  request: ScanRequest,
): Promise<ReportedScan> {
  const target = argument ?? url;
  if (target === undefined)
    throw new CliError('Specify the URL of a storefront, or a saved page with --html FILE --url URL.', 2);
  if (scripts !== undefined) throw new CliError('--scripts requires --html.', 2);
  const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 512, queue: 10 });
  const isTerminal = process.stderr.isTTY;
  if (isTerminal) process.stderr.write(`Reading ${target} …`);
  try {
    return await createScanner(fetchCapture, { contact: contactOf(process.env), pool })(target, request);
  } catch (error) {
    throw error instanceof ScanFailed
      ? new CliError(`Can't scan ${target} (${error.reason}): ${error.message}`, 2)
      : error;
  } finally {
    if (isTerminal) process.stderr.write('\r\u001b[K');
    await pool.close();
  }
}

async function scanSaved(
  { html, url, scripts }: Options,
  { baseline, ...options }: ScanRequest,
): Promise<ReportedScan> {
  if (url === undefined) throw new CliError('--html requires --url, the original URL of the saved page.', 2);
  const capture = await readSavedPage(html!, url, scripts);
  const result = scan(capture, options);
  return { ...result, drift: baseline ? drift(baseline, result.inventory) : null, notes: [] };
}
