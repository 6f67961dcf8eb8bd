import { writeFile } from 'node:fs/promises';
import {
  drift,
  htmlReport,
  type JoinedScan,
  type JourneyStep,
  localizeFinding,
  type Profile,
  renderedHtmlReport,
  type ScanResult,
  type SiteScan,
  sarif,
  scan,
  siteHtmlReport,
} from '@compliance/core/pixel';
import { easternDate, isCalendarDate } from '@compliance/core/tariff';
import {
  createScanner,
  createSiteScanner,
  createTargetRate,
  fetchCapture,
  publicTransport,
  ScanFailed,
} from '@compliance/crawler';
import { createPool, type Pool } from '@compliance/crawler/pool';
import type { Translation } from '@compliance/translations';
import { Command, Option } from 'commander';
import { CliError, fileError } from '../cli-error.ts';
import { contactOf } from '../contact.ts';
import { readBaseline, readSiteBaseline } from '../input/baseline.ts';
import { readSavedPage } from '../input/saved-page.ts';
import { journeyOption, jsonOption, languageOption } from '../options.ts';
import { showsProgress } from '../output/notice.ts';
import { print } from '../output/print.ts';
import { renderingReport } from '../output/rendering-report.ts';
import { type ReportedScan, scanReport } from '../output/scan-report.ts';
import { siteReport } from '../output/site-report.ts';
import { type RenderedScan, renderScan } from '../rendering.ts';
import { version } from '../version.ts';

interface Options {
  site?: string;
  html?: string;
  url?: string;
  scripts?: string;
  render?: boolean;
  journey?: readonly JourneyStep[];
  har?: string;
  screenshot?: string;
  baseline?: string;
  asOf?: string;
  profile: 'us' | 'eea';
  lang?: Translation | null;
  json?: boolean;
  sarif?: boolean;
  htmlReport?: string;
  sarifReport?: string;
}

/** Rule evaluation date and visitor region for a scan. */
interface Rules {
  asOf: string;
  profile: Profile;
}

/** A page scan and, with `--render`, its rendering in a browser. */
interface PageScan {
  result: ReportedScan;
  rendered: RenderedScan | null;
}

/**
 * Time limit for scanning a whole site, in milliseconds. The crawler's default is shorter, because API clients wait
 * only 30 seconds for the result.
 */
const SITE_MS = 60_000;

/**
 * The `compliance scan` command, which exits with code 1 if any finding has the severity `error`, and with code 2 if
 * nothing can be scanned.
 */
export default new Command('scan')
  .description('Scan a storefront for outdated, duplicate, and broken tags and for tags that leak data.')
  .argument('[url]', 'page URL')
  .addOption(
    new Option(
      '--site <url>',
      'scan a whole storefront: home, collection, product, cart, search, and blog pages, and the home page of another locale or market',
    ).conflicts(['html', 'url', 'scripts']),
  )
  .option('--html <file>', 'scan a saved page instead of fetching one; requires --url')
  .option('--url <url>', 'original URL of the saved page')
  .option('--scripts <dir>', "folder with the saved page's scripts")
  .addOption(
    new Option(
      '--render',
      'also open the page in an isolated browser, and show which events it sends before and after consent; requires @compliance/renderer',
    ).conflicts('site'),
  )
  .addOption(
    journeyOption(
      'with --render: also view a product, add it to the cart, open the cart, and search, if robots.txt allows these steps',
    ),
  )
  .option('--har <file>', 'with --render: write an HTTP Archive of all requests')
  .option(
    '--screenshot <file>',
    'with --render: write a PNG screenshot of the page as it appears before consent, and save screenshots of the other steps in the same folder',
  )
  .option('--baseline <file>', 'JSON output from an earlier scan; reports changes since that scan')
  .option('--as-of <date>', 'evaluate rules as of this date, YYYY-MM-DD (default: today in US Eastern time)')
  .addOption(
    new Option('--profile <visitors>', "region where the storefront's visitors are located")
      .choices(['us', 'eea'])
      .default('us'),
  )
  .addOption(languageOption('language of the report and the findings'))
  .addOption(jsonOption('print the same JSON as the API').conflicts('sarif'))
  .option('--sarif', 'print SARIF 2.1.0, for CI')
  .option('--html-report <file>', 'also write the report as a single HTML page')
  .option('--sarif-report <file>', 'also write SARIF 2.1.0 to a file, for CI')
  .action(async (url: string | undefined, options: Options) => {
    const asOf = options.asOf ?? easternDate(Date.now());
    if (!isCalendarDate(asOf)) throw new CliError('--as-of must be a calendar date, YYYY-MM-DD.', 2);
    for (const option of ['journey', 'har', 'screenshot'] as const)
      if (options[option] !== undefined && !options.render) throw new CliError(`--${option} requires --render.`, 2);
    const rules: Rules = { asOf, profile: options.profile === 'eea' ? 'eea' : 'default' };
    if (options.site === undefined) await reportPage(await scanPage(url, options, rules), options, asOf);
    else if (url === undefined) await reportSite(await scanSite(options.site, options, rules), options, asOf);
    else throw new CliError('Specify either a page URL or --site URL, not both.', 2);
  });

async function reportPage({ result, rendered }: PageScan, options: Options, asOf: string): Promise<void> {
  const shown = rendered ? withoutRefuted(result, rendered.joined) : result;
  const { lang = null } = options;
  await writeReport(options.htmlReport, () =>
    rendered
      ? renderedHtmlReport(result, rendered.joined, rendered.rendering, rendered.pictures, asOf, lang)
      : htmlReport(shown, asOf, lang),
  );
  const log = () => sarif(result, version, rendered?.joined, lang);
  await writeReport(options.sarifReport, () => JSON.stringify(log()));
  const local = localized(result, lang);
  printAs(options, rendered ? jsonOf(local, rendered) : local, log, () =>
    [
      scanReport(localized(shown, lang), asOf, lang),
      ...(rendered ? [renderingReport(rendered, result.score, lang)] : []),
    ].join('\n\n'),
  );
  if (shown.severity_counts.error > 0) process.exitCode = 1;
}

/**
 * Returns a scan without the findings that a rendering refutes. The score and counts cover only the remaining findings.
 */
function withoutRefuted(result: ReportedScan, { findings, score, score_breakdown, severity_counts }: JoinedScan) {
  const isCounted = (_: unknown, index: number) => findings[index]?.verdict !== 'refuted';
  return { ...result, score, score_breakdown, severity_counts, findings: result.findings.filter(isCounted) };
}

/** Returns the JSON output for a rendered scan. `static_score` is the score without the rendering. */
function jsonOf(result: ReportedScan, { rendering, joined }: RenderedScan): object {
  const { findings: verdicts, ...rest } = joined;
  return { ...result, static_score: result.score, ...rest, verdicts, rendering };
}

/** Localizes the findings and changes in a scan. */
function localized<Scan extends ReportedScan | SiteScan>(result: Scan, translation: Translation | null): Scan {
  if (translation === null) return result;
  const localize = <F extends Parameters<typeof localizeFinding>[0]>(finding: F) =>
    localizeFinding(finding, translation);
  const { findings, drift } = result;
  return {
    ...result,
    findings: findings.map(localize),
    drift: drift && { ...drift, findings: drift.findings.map(localize) },
  };
}

async function reportSite(result: SiteScan, options: Options, asOf: string): Promise<void> {
  const { lang = null } = options;
  const log = () => sarif(result, version, null, lang);
  await writeReport(options.htmlReport, () => siteHtmlReport(result, asOf, lang));
  await writeReport(options.sarifReport, () => JSON.stringify(log()));
  const local = localized(result, lang);
  printAs(options, local, log, () => siteReport(local, asOf, lang));
  if (result.severity_counts.error > 0) process.exitCode = 1;
  if (result.score === null) process.exitCode = 2;
}

async function writeReport(file: string | undefined, render: () => string): Promise<void> {
  if (file === undefined) return;
  await writeFile(file, render()).catch(error => {
    throw fileError(`Can't write ${file}`, error);
  });
}

function printAs(options: Options, result: object, log: () => object, report: () => string): void {
  if (options.json)
    print(JSON.stringify(result, (_, value) => (value instanceof Map ? Object.fromEntries(value) : value)));
  else if (options.sarif) print(JSON.stringify(log()));
  else print(report());
}

async function scanPage(argument: string | undefined, options: Options, rules: Rules): Promise<PageScan> {
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  if (options.html !== undefined) {
    if (options.url === undefined) throw new CliError('--html requires --url, the original URL of the saved page.', 2);
    const capture = await readSavedPage(options.html, options.url, options.scripts);
    const found = scan(capture, rules);
    const result = { ...found, drift: baseline ? drift(baseline, found.inventory) : null, notes: [] };
    return { result, rendered: await rendered(result, { saved: capture }, options) };
  }
  const target = argument ?? options.url;
  if (target === undefined)
    throw new CliError(
      'Specify the URL of a storefront page, a whole storefront with --site URL, or a saved page with --html FILE --url URL.',
      2,
    );
  if (options.scripts !== undefined) throw new CliError('--scripts requires --html.', 2);
  const targetRate = createTargetRate(Date.now);
  return await readLive(target, async (contact, pool) => {
    const scanner = createScanner(fetchCapture, { contact, pool, targetRate });
    const result = await scanner(target, { ...rules, ...(baseline && { baseline }) });
    const page = { url: result.scanned.url, contact, targetRate, pool };
    return { result, rendered: await rendered(result, page, options) };
  });
}

/** Renders a scanned page if `--render` is set. */
async function rendered(
  result: ScanResult,
  page: Parameters<typeof renderScan>[1],
  { render, journey = [], har, screenshot, htmlReport: report, lang = null }: Options,
): Promise<RenderedScan | null> {
  return render
    ? await renderScan(result, page, {
        journey,
        har,
        screenshot,
        withPictures: report !== undefined,
        translation: lang,
      })
    : null;
}

async function scanSite(site: string, options: Options, rules: Rules): Promise<SiteScan> {
  const baseline = options.baseline === undefined ? undefined : await readSiteBaseline(options.baseline);
  return await readLive(site, (contact, pool) => {
    const scanner = createSiteScanner(publicTransport, { contact, pool, limits: { totalMs: SITE_MS } });
    return scanner(site, { ...rules, ...(baseline && { baseline }) });
  });
}

/** Runs a scan that fetches live pages, and shows progress in a terminal. */
async function readLive<Result>(
  target: string,
  run: (contact: string, pool: Pool) => Promise<Result>,
): Promise<Result> {
  const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 512, queue: 100 });
  const isShown = showsProgress();
  if (isShown) process.stderr.write(`Reading ${target} …`);
  try {
    return await run(contactOf(process.env), pool);
  } catch (error) {
    throw error instanceof ScanFailed
      ? new CliError(`Can't scan ${target} (${error.reason}): ${error.message}`, 2)
      : error;
  } finally {
    if (isShown) process.stderr.write('\r\u001b[K');
    await pool.close();
  }
}
