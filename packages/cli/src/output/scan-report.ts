import { styleText } from 'node:util';
import { plainRuleText } from '@compliance/core/pixel';
import type { StorefrontScan } from '@compliance/crawler';
import { sanitizeForTerminal, table } from './print.ts';

/** A scan of a live or saved page. Scans of saved pages don't always have a score. */
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
  const findings = result.findings.map(finding => [
    severity(finding.severity),
    [
      styleText('bold', sanitizeForTerminal(finding.message)),
      sanitizeForTerminal(plainRuleText(finding.fix)),
      styleText(
        'dim',
        sanitizeForTerminal(
          `${finding.rule_id}, ${finding.where.source}:${finding.where.line}:${finding.where.column}`,
        ),
      ),
    ].join('\n'),
  ]);
  const changes = (drift?.findings ?? []).map(change => [
    severity(change.severity),
    sanitizeForTerminal(`${change.message}\n${plainRuleText(change.fix)}`),
  ]);
  const tags = inventory.tags.map(tag => [
    tag.vendor,
    sanitizeForTerminal(tag.id ?? 'unknown'),
    `${tag.kind}, ${tag.channel}, ${tag.state}`,
  ]);
  return [
    `${sanitizeForTerminal(scanned.url)}, ${asOf}: ${score}`,
    `${counted(counts.error, 'error')}, ${counted(counts.warn, 'warning')}, ${counted(counts.info, 'note')}; ${counted(scanned.scripts, 'script')} analyzed${inventory.complete ? '' : '; the page was only partially analyzed'}.`,
    ...(findings.length > 0 ? ['', table(['Severity', 'Finding'], [10], findings)] : []),
    ...(drift?.not_compared ? ['', `Not compared with the baseline: ${drift.not_compared}.`] : []),
    ...(drift && !drift.not_compared ? ['', `Since the baseline: ${drift.drift_status}.`] : []),
    ...(changes.length > 0 ? [table(['Severity', 'Change'], [10], changes)] : []),
    ...(tags.length > 0 ? ['', table(['Vendor', 'ID', 'Tag'], [12, 26], tags)] : []),
    '',
    styleText('dim', "The contents of Tag Manager containers and custom pixels aren't analyzed. Not legal advice."),
  ].join('\n');
}

function severity(name: keyof typeof SEVERITY): string {
  const { word, style } = SEVERITY[name];
  return styleText([style].flat() as Parameters<typeof styleText>[0], word);
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
