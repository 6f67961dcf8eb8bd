import { writeFile } from 'node:fs/promises';
import { drift, htmlReport, type Profile, sarif, scan } from '@compliance/core/pixel';
import { easternDate, isCalendarDate } from '@compliance/core/tariff';
import { createScanner, fetchCapture, ScanFailed, type ScanRequest } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { contactOf } from '../contact.ts';
import { Failure } from '../failure.ts';
import { readBaseline } from '../input/baseline.ts';
import { readSavedPage } from '../input/saved-page.ts';
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

/** `compliance scan`. Ends with 1 when a finding of the severity error was made. */
export async function scanCommand(address: string | undefined, options: Options): Promise<void> {
  const asOf = options.asOf ?? easternDate(Date.now());
  if (!isCalendarDate(asOf)) throw new Failure('--as-of must be a calendar date, YYYY-MM-DD.', 2);
  const profile: Profile = options.profile === 'eea' ? 'eea' : 'default';
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  const request: ScanRequest = { asOf, profile, ...(baseline && { baseline }) };

  const result =
    options.html === undefined ? await scanLive(address, options, request) : await scanSaved(options, request);
  if (options.htmlReport !== undefined) {
    await writeFile(options.htmlReport, htmlReport(result, asOf)).catch(error => {
      throw new Failure(`${options.htmlReport} cannot be written: ${error.message}`);
    });
  }
  if (options.json) print(JSON.stringify(result));
  else if (options.sarif) print(JSON.stringify(sarif(result, version)));
  else print(scanReport(result, asOf));
  if (result.severity_counts.error > 0) process.exitCode = 1;
}

async function scanLive(
  address: string | undefined,
  { url, scripts }: Options,
  request: ScanRequest,
): Promise<ReportedScan> {
  const target = address ?? url;
  if (target === undefined)
    throw new Failure('Give the address of a storefront, or a saved page by --html FILE --url URL.', 2);
  if (scripts !== undefined) throw new Failure('--scripts goes with --html.', 2);
  const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 512, queue: 10 });
  const showing = process.stderr.isTTY;
  if (showing) process.stderr.write(`Reading ${target} …`);
  try {
    return await createScanner(fetchCapture, { contact: contactOf(process.env), pool })(target, request);
  } catch (error) {
    throw error instanceof ScanFailed
      ? new Failure(`${target} cannot be scanned (${error.reason}): ${error.message}`, 2)
      : error;
  } finally {
    if (showing) process.stderr.write('\r\u001b[K');
    await pool.close();
  }
}

async function scanSaved(
  { html, url, scripts }: Options,
  { baseline, ...options }: ScanRequest,
): Promise<ReportedScan> {
  if (url === undefined) throw new Failure('--html needs --url, the address that the page was saved from.', 2);
  const capture = await readSavedPage(html!, url, scripts);
  const result = scan(capture, options);
  return { ...result, drift: baseline ? drift(baseline, result.inventory) : null, notes: [] };
}
