import { styleText } from 'node:util';
import {
  type DriftFinding,
  type Finding,
  knownText,
  plainRuleText,
  type ReportText,
  reportText,
  type SiteDriftFinding,
  type SiteFinding,
  type SitePageType,
} from '@compliance/core/pixel';
import type { StorefrontScan } from '@compliance/crawler';
import type { Translation } from '@compliance/translations';
import { columnWidth, sanitizeForTerminal, table } from './print.ts';

/** Scan of a live or saved page. Scans of saved pages don't always have a score. */
export type ReportedScan = Omit<StorefrontScan, 'score'> & { readonly score: number | null };

const STYLES = { error: ['red', 'bold'], warn: ['yellow'], info: ['cyan'] } as const;

/**
 * Formats a scan for the terminal: score, findings with fixes, changes, tags, and limitations.
 *
 * @param result scan with findings in the report language
 * @param translation report language, or null for English
 */
export function scanReport(result: ReportedScan, asOf: string, translation: Translation | null = null): string {
  const { scanned, drift, inventory } = result;
  const t = reportText(translation);
  const cause = (text: string | null) => knownText(`cause_${text}`, `${text}`, translation);
  const score =
    result.score === null ? t('not_scored', { reason: cause(result.not_scored) }) : scoreText(result.score, t);
  const analyzed = [
    t('scripts_analyzed', { count: scanned.scripts }),
    ...(inventory.complete ? [] : [t('partially_analyzed')]),
  ];
  const tags = inventory.tags.map(tag => [
    tag.vendor,
    sanitizeForTerminal(tag.id ?? t('category_unknown')),
    `${tag.kind}, ${t(`channel_${tag.channel}`)}, ${t(`state_${tag.state}`)}`,
  ]);
  return [
    `${sanitizeForTerminal(scanned.url)}, ${asOf}: ${score}`,
    `${[countsText(result.severity_counts, t), ...analyzed].join('; ')}.`,
    ...findingsTable(result.findings, t),
    ...(drift?.not_compared ? ['', t('not_compared', { reason: cause(drift.not_compared) })] : []),
    ...(drift && !drift.not_compared ? ['', t(`compared_${drift.drift_status}`)] : []),
    ...changesTable(drift?.findings ?? [], t),
    ...(tags.length > 0 ? ['', table([t('vendor'), t('id'), t('tag')], [12, 26], tags)] : []),
    '',
    styleText('dim', t('page_limits')),
  ].join('\n');
}

/** Returns a score and its maximum, such as `79 of 100`, with the score in bold. */
export const scoreText = (score: number, t: ReportText): string =>
  t('points', { score: styleText('bold', `${score}`) });

/** Formats the numbers of errors, warnings, and notes. */
export const countsText = ({ error, warn, info }: ReportedScan['severity_counts'], t: ReportText): string =>
  [t('errors', { count: error }), t('warnings', { count: warn }), t('notes', { count: info })].join(', ');

/**
 * Formats findings as a table with their fixes and locations. Returns the table's lines, or an empty list if there are
 * no findings.
 *
 * @param pages number of scanned pages
 */
export function findingsTable(findings: readonly (Finding | SiteFinding)[], t: ReportText, pages = 1): string[] {
  const rows = findings.map(finding => {
    const { rule_id, where, message, fix } = finding;
    const place = `${where.source}:${where.line}:${where.column}`;
    const isElsewhere = 'seen_on' in finding && where.source !== where.url;
    const location = isElsewhere ? t('on_page', { location: place, url: where.url }) : place;
    const lines = [
      styleText('bold', sanitizeForTerminal(message)),
      sanitizeForTerminal(plainRuleText(fix)),
      styleText('dim', sanitizeForTerminal(`${rule_id}, ${location}`)),
    ];
    return [severityWord(finding.severity, t), [...lines, ...seenOn(finding, pages, t)].join('\n')];
  });
  return rows.length > 0 ? ['', table([t('severity'), t('finding')], [severityWidth(t)], rows)] : [];
}

/** Returns the width of the severity column. */
const severityWidth = (t: ReportText): number =>
  columnWidth((['severity', 'error', 'warn', 'info'] as const).map(id => t(id)));

/**
 * Formats changes since the baseline as a table. Returns the table's lines, or an empty list if there are no
 * changes.
 *
 * @param pages number of scanned pages
 */
export function changesTable(
  changes: readonly (DriftFinding | SiteDriftFinding)[],
  t: ReportText,
  pages = 1,
): string[] {
  const rows = changes.map(change => [
    severityWord(change.severity, t),
    [sanitizeForTerminal(`${change.message}\n${plainRuleText(change.fix)}`), ...seenOn(change, pages, t)].join('\n'),
  ]);
  return rows.length > 0 ? [table([t('severity'), t('change')], [severityWidth(t)], rows)] : [];
}

function seenOn(entry: object | SiteFinding | SiteDriftFinding, pages: number, t: ReportText): string[] {
  return 'seen_on' in entry
    ? [styleText('dim', t('seen_on_pages', { pages: pageNames(entry.seen_on, pages, t) }))]
    : [];
}

/**
 * Returns page type names, or "every scanned page" if more than one page was scanned and the types include them all.
 */
export function pageNames(types: readonly SitePageType[], pages: number, t: ReportText): string {
  return types.length === pages && pages > 1 ? t('every_page') : types.map(type => t(type)).join(', ');
}

/** Returns the word for a severity, in the severity's color. */
export const severityWord = (severity: keyof typeof STYLES, t: ReportText): string =>
  styleText([...STYLES[severity]], t(severity));

/** Returns a count with its noun, such as `2 errors`. */
export function quantity(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
