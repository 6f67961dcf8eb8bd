import { styleText } from 'node:util';
import { SITE_PAGE_LABELS, type SitePage, type SiteScan } from '@compliance/core/pixel';
import { sanitizeForTerminal, table } from './print.ts';
import { changesTable, findingsTable, pageNames, quantity } from './scan-report.ts';

/** Formats a site scan for the terminal: score, pages, findings with fixes, changes, tags, and limitations. */
export function siteReport(result: SiteScan, asOf: string): string {
  const { pages, severity_counts: counts, score_covers: covers, inventory } = result;
  const home = pages.find(({ page_type }) => page_type === 'home')?.url ?? '';
  const score =
    result.score === null ? 'not scored: no page could be scanned' : `${styleText('bold', `${result.score}`)} of 100`;
  const tags = inventory.tags.map(tag => [
    tag.vendor,
    sanitizeForTerminal(tag.id ?? 'unknown'),
    `${tag.kind}, ${tag.channel}, ${tag.state}; on ${pageNames(tag.seen_on, covers.length)}`,
  ]);
  return [
    `${sanitizeForTerminal(home)}, ${asOf}: ${score}`,
    `${quantity(counts.error, 'error')}, ${quantity(counts.warn, 'warning')}, ${quantity(counts.info, 'note')}; ${covers.length} of ${quantity(pages.length, 'page type')} scanned.`,
    '',
    table(['Page', 'Score', 'Result'], [14, 7], pages.map(pageRow)),
    ...findingsTable(result.findings, covers.length),
    ...changes(result),
    ...(tags.length > 0 ? ['', table(['Vendor', 'ID', 'Tag'], [12, 26], tags)] : []),
    '',
    styleText('dim', "The score covers only scanned pages. Custom pixels aren't analyzed. Not legal advice."),
  ].join('\n');
}

function pageRow(page: SitePage): string[] {
  const label = SITE_PAGE_LABELS[page.page_type];
  if (page.state === 'not_scanned') {
    const status = page.status === null ? '' : ` (HTTP ${page.status})`;
    return [label, '–', sanitizeForTerminal(`Not scanned: ${page.message}${status}`)];
  }
  const { error, warn } = page.severity_counts;
  const found = [error > 0 ? quantity(error, 'error') : '', warn > 0 ? quantity(warn, 'warning') : ''].filter(Boolean);
  const result = `${found.join(', ') || 'No errors or warnings'}${page.complete ? '' : '; only partially analyzed'}`;
  return [label, `${page.score}`, `${result}\n${styleText('dim', sanitizeForTerminal(page.url ?? ''))}`];
}

function changes({ drift, score_covers }: SiteScan): string[] {
  if (!drift) return [];
  const missing = drift.pages.filter(({ not_compared }) => not_compared !== null);
  const reasons = missing.map(({ page_type, not_compared }) => `${page_type} (${not_compared})`).join(', ');
  return [
    ...(missing.length < drift.pages.length ? ['', `Since the baseline: ${drift.drift_status}.`] : []),
    ...changesTable(drift.findings, score_covers.length),
    ...(missing.length > 0 ? ['', `Not compared with the baseline: ${sanitizeForTerminal(reasons)}.`] : []),
  ];
}
