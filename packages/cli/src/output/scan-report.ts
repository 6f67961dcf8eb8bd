import { styleText } from 'node:util';
import type { StorefrontScan } from '@compliance/crawler';
import { printable, table } from './print.ts';

/** A scan of a live page or of a saved one; a saved page can be one that has no score. */
export type ReportedScan = Omit<StorefrontScan, 'score'> & { readonly score: number | null };

const SEVERITY = {
  error: { word: 'error', style: ['red', 'bold'] },
  warn: { word: 'warning', style: 'yellow' },
  info: { word: 'note', style: 'cyan' },
} as const satisfies Record<string, { word: string; style: unknown }>;

/** A scan for people at a terminal: score, findings with what to do, what changed, and what was not seen. */
export function scanReport(result: ReportedScan, asOf: string): string {
  const { scanned, severity_counts: counts, drift, inventory } = result;
  const score =
    result.score === null ? `not scored: ${result.not_scored}` : `${styleText('bold', `${result.score}`)} of 100`;
  const findings = result.findings.map(finding => [
    severity(finding.severity),
    [
      styleText('bold', printable(finding.message)),
      printable(finding.fix),
      styleText(
        'dim',
        printable(`${finding.rule_id}, ${finding.where.source}:${finding.where.line}:${finding.where.column}`),
      ),
    ].join('\n'),
  ]);
  const changes = (drift?.findings ?? []).map(change => [
    severity(change.severity),
    printable(`${change.message}\n${change.fix}`),
  ]);
  const tags = inventory.tags.map(tag => [
    tag.vendor,
    printable(tag.id ?? 'not readable'),
    `${tag.kind}, ${tag.channel}, ${tag.state}`,
  ]);
  return [
    `${printable(scanned.url)}, ${asOf}: ${score}`,
    `${counted(counts.error, 'error')}, ${counted(counts.warn, 'warning')}, ${counted(counts.info, 'note')}; ${counted(scanned.scripts, 'script')} read${inventory.complete ? '' : ', not all of the page was seen'}.`,
    ...(findings.length > 0 ? ['', table(['Severity', 'Finding'], [10], findings)] : []),
    ...(drift?.not_compared ? ['', `Not compared with the baseline: ${drift.not_compared}.`] : []),
    ...(drift && !drift.not_compared ? ['', `Since the baseline: ${drift.drift_status}.`] : []),
    ...(changes.length > 0 ? [table(['Severity', 'Change'], [10], changes)] : []),
    ...(tags.length > 0 ? ['', table(['Vendor', 'Id', 'Tag'], [12, 26], tags)] : []),
    '',
    styleText('dim', 'What a Tag Manager container or a custom pixel does inside is not seen. No legal advice.'),
  ].join('\n');
}

function severity(name: keyof typeof SEVERITY): string {
  const { word, style } = SEVERITY[name];
  return styleText([style].flat() as Parameters<typeof styleText>[0], word);
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
