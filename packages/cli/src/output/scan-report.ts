import { styleText } from 'node:util';
import {
  type DriftFinding,
  type Finding,
  plainRuleText,
  type SiteDriftFinding,
  type SiteFinding,
  type SitePageType,
} from '@compliance/core/pixel';
import type { StorefrontScan } from '@compliance/crawler';
import { sanitizeForTerminal, table } from './print.ts';

/** Scan of a live or saved page. Scans of saved pages don't always have a score. */
export type ReportedScan = Omit<StorefrontScan, 'score'> & { readonly score: number | null };

const SEVERITY = {
  error: { word: 'error', style: ['red', 'bold'] },
  warn: { word: 'warning', style: 'yellow' },
  info: { word: 'note', style: 'cyan' },
} as const satisfies Record<string, { word: string; style: unknown }>;

/** Formats a scan for the terminal: score, findings with fixes, changes, tags, and limitations. */
export function scanReport(result: ReportedScan, asOf: string): string {
  const { scanned, severity_counts: counts, drift, inventory } = result;
  const score =
    result.score === null ? `not scored: ${result.not_scored}` : `${styleText('bold', `${result.score}`)} of 100`;
  const tags = inventory.tags.map(tag => [
    tag.vendor,
    sanitizeForTerminal(tag.id ?? 'unknown'),
    `${tag.kind}, ${tag.channel}, ${tag.state}`,
  ]);
  return [
    `${sanitizeForTerminal(scanned.url)}, ${asOf}: ${score}`,
    `${quantity(counts.error, 'error')}, ${quantity(counts.warn, 'warning')}, ${quantity(counts.info, 'note')}; ${quantity(scanned.scripts, 'script')} analyzed${inventory.complete ? '' : '; the page was only partially analyzed'}.`,
    ...findingsTable(result.findings),
    ...(drift?.not_compared ? ['', `Not compared with the baseline: ${drift.not_compared}.`] : []),
    ...(drift && !drift.not_compared ? ['', `Since the baseline: ${drift.drift_status}.`] : []),
    ...changesTable(drift?.findings ?? []),
    ...(tags.length > 0 ? ['', table(['Vendor', 'ID', 'Tag'], [12, 26], tags)] : []),
    '',
    styleText(
      'dim',
      "Custom pixels, and Tag Manager containers that weren't fetched, aren't analyzed. Not legal advice.",
    ),
  ].join('\n');
}

/**
 * Formats findings as a table with their fixes and locations. Returns the table's lines, or an empty list if there are
 * no findings.
 *
 * @param pages number of scanned pages
 */
export function findingsTable(findings: readonly (Finding | SiteFinding)[], pages = 1): string[] {
  const rows = findings.map(finding => {
    const { rule_id, where, message, fix } = finding;
    const lines = [
      styleText('bold', sanitizeForTerminal(message)),
      sanitizeForTerminal(plainRuleText(fix)),
      styleText(
        'dim',
        sanitizeForTerminal(`${rule_id}, ${where.source}:${where.line}:${where.column}${pageOf(finding)}`),
      ),
    ];
    return [severityWord(finding.severity), [...lines, ...seenOn(finding, pages)].join('\n')];
  });
  return rows.length > 0 ? ['', table(['Severity', 'Finding'], [10], rows)] : [];
}

/**
 * Formats changes since the baseline as a table. Returns the table's lines, or an empty list if there are no
 * changes.
 *
 * @param pages number of scanned pages
 */
export function changesTable(changes: readonly (DriftFinding | SiteDriftFinding)[], pages = 1): string[] {
  const rows = changes.map(change => [
    severityWord(change.severity),
    [sanitizeForTerminal(`${change.message}\n${plainRuleText(change.fix)}`), ...seenOn(change, pages)].join('\n'),
  ]);
  return rows.length > 0 ? [table(['Severity', 'Change'], [10], rows)] : [];
}

function seenOn(entry: object | SiteFinding | SiteDriftFinding, pages: number): string[] {
  return 'seen_on' in entry ? [styleText('dim', `Seen on: ${pageNames(entry.seen_on, pages)}`)] : [];
}

/** Returns the names of page types, or "every scanned page" if the types cover all of several scanned pages. */
export function pageNames(types: readonly SitePageType[], pages: number): string {
  return types.length === pages && pages > 1 ? 'every scanned page' : types.join(', ');
}

/** Returns the page whose source contains the evidence for a site scan's finding, because a finding can be on several pages. */
const pageOf = ({ where, ...finding }: Finding | SiteFinding): string =>
  'seen_on' in finding && where.source !== where.url ? ` in ${where.url}` : '';

/** Returns the word for a severity, in the severity's color. */
export function severityWord(name: keyof typeof SEVERITY): string {
  const { word, style } = SEVERITY[name];
  return styleText([style].flat() as Parameters<typeof styleText>[0], word);
}

/** Returns a count with its noun, such as `2 errors`. */
export function quantity(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
