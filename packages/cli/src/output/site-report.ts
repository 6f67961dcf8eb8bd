import { styleText } from 'node:util';
import {
  knownText,
  pageResult,
  type ReportText,
  reportText,
  SITE_PAGE_TYPES,
  type SitePage,
  type SiteScan,
} from '@compliance/core/pixel';
import type { Translation } from '@compliance/translations';
import { columnWidth, sanitizeForTerminal, table } from './print.ts';
import { changesTable, countsText, findingsTable, pageNames, scoreText } from './scan-report.ts';

/**
 * Formats a site scan for the terminal: score, pages, findings with fixes, changes, tags, and limitations.
 *
 * @param result scan with findings in the report language
 * @param translation report language, or null for English
 */
export function siteReport(result: SiteScan, asOf: string, translation: Translation | null = null): string {
  const { pages, score_covers: covers, inventory } = result;
  const t = reportText(translation);
  const home = pages.find(({ page_type }) => page_type === 'home')?.url ?? '';
  const score = result.score === null ? t('no_page_scored') : scoreText(result.score, t);
  const tags = inventory.tags.map(tag => [
    tag.vendor,
    sanitizeForTerminal(tag.id ?? t('category_unknown')),
    `${tag.kind}, ${t(`channel_${tag.channel}`)}, ${t(`state_${tag.state}`)}; ${t('seen_on_pages', { pages: pageNames(tag.seen_on, covers.length, t) })}`,
  ]);
  const scanned = t('page_types_scanned', { scanned: covers.length, count: pages.length });
  return [
    `${sanitizeForTerminal(home)}, ${asOf}: ${score}`,
    `${countsText(result.severity_counts, t)}; ${scanned}.`,
    '',
    table(
      [t('page'), t('score'), t('result')],
      [columnWidth(SITE_PAGE_TYPES.map(type => t(type))), columnWidth([t('score')])],
      pages.map(page => pageRow(page, translation)),
    ),
    ...findingsTable(result.findings, t, covers.length),
    ...changes(result, t, translation),
    ...(tags.length > 0 ? ['', table([t('vendor'), t('id'), t('tag')], [12, 26], tags)] : []),
    '',
    styleText('dim', t('site_limits')),
  ].join('\n');
}

function pageRow(page: SitePage, translation: Translation | null): string[] {
  const label = reportText(translation)(page.page_type);
  const result = sanitizeForTerminal(pageResult(page, translation));
  return page.state === 'not_scanned'
    ? [label, '–', result]
    : [label, `${page.score}`, `${result}\n${styleText('dim', sanitizeForTerminal(page.url ?? ''))}`];
}

function changes({ drift, score_covers }: SiteScan, t: ReportText, translation: Translation | null): string[] {
  if (!drift) return [];
  const missing = drift.pages.filter(({ not_compared }) => not_compared !== null);
  const reasons = missing
    .map(
      ({ page_type, not_compared }) =>
        `${t(page_type)} (${knownText(`cause_${not_compared}`, `${not_compared}`, translation)})`,
    )
    .join(', ');
  return [
    ...(missing.length < drift.pages.length ? ['', t(`compared_${drift.drift_status}`)] : []),
    ...changesTable(drift.findings, t, score_covers.length),
    ...(missing.length > 0 ? ['', t('not_compared', { reason: sanitizeForTerminal(reasons) })] : []),
  ];
}
