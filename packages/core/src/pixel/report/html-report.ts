import type { ScanResult } from '../scan/scan.ts';
import { html } from './markup.ts';
import { hostOf, renderReport } from './sections.ts';
import { knownText, type ReportText, type ReportTranslation, reportText } from './texts.ts';

/**
 * Renders a scan as a single HTML page that users can forward or print. The report doesn't run scripts or make
 * requests, and all text from the store is escaped.
 *
 * @param asOf scan date in the form YYYY-MM-DD
 * @param translation language of the report, from `@compliance/translations`; null for English
 * @example htmlReport(scan(capture, { asOf: '2026-11-21' }), '2026-11-21').startsWith('<!doctype html>') // true
 */
export function htmlReport(result: ScanResult, asOf: string, translation: ReportTranslation | null = null): string {
  const { scanned, shopify, not_scored } = result;
  const t = reportText(translation);
  const theme = shopify.theme?.name;
  const text = {
    subject: 'page' as const,
    title: t('page_title', { host: hostOf(scanned.url) }),
    subtitle: theme ? t('with_theme', { url: scanned.url, theme }) : scanned.url,
    verdict:
      result.score === null
        ? t('page_not_scored', { reason: knownText(`cause_${not_scored}`, `${not_scored}`, translation) })
        : verdict(result, t),
    overview: html``,
    coverage: t('page_coverage', { count: scanned.scripts }),
    translation,
  };
  return renderReport(result, text, asOf);
}

function verdict({ severity_counts: { error, warn } }: ScanResult, t: ReportText): string {
  if (error > 0) return t('errors_found', { count: error });
  return t(warn > 0 ? 'page_warnings' : 'page_clear');
}
