import type { SitePage, SiteScan } from '../site/site-scan.ts';
import { html, type Markup } from './markup.ts';
import { hostOf, renderReport } from './sections.ts';
import { knownText, type ReportText, type ReportTranslation, reportText } from './texts.ts';

/**
 * Renders a site scan as a single HTML page that users can forward or print. The report lists every page type and gives
 * the reason if a page type wasn't scanned. To render a page scan, use `htmlReport`.
 *
 * @param asOf scan date in the form YYYY-MM-DD
 * @param translation language of the report, from `@compliance/translations`; null for English
 * @example siteHtmlReport(combinePages(outcomes, null), '2026-11-21').startsWith('<!doctype html>') // true
 */
export function siteHtmlReport(result: SiteScan, asOf: string, translation: ReportTranslation | null = null): string {
  const { pages, shopify } = result;
  const t = reportText(translation);
  const home = pages.find(({ page_type }) => page_type === 'home')?.url ?? '';
  const scripts = pages.reduce((sum, page) => sum + page.scripts, 0);
  const theme = shopify.theme?.name;
  const text = {
    subject: 'site' as const,
    title: t('site_title', { host: hostOf(home) }),
    subtitle: theme ? t('with_theme', { url: home, theme }) : home,
    verdict: verdict(result, t),
    overview: pagesTable(pages, home, translation),
    coverage: t('site_coverage', { pages: result.score_covers.length, scripts }),
    translation,
  };
  return renderReport(result, text, asOf);
}

function verdict({ score, pages, severity_counts: { error, warn } }: SiteScan, t: ReportText): string {
  if (score === null) return t('site_not_scored');
  const unknown = pages.filter(({ state, reason }) => state === 'not_scanned' && reason !== 'not_found').length;
  const first = error > 0 ? t('errors_found', { count: error }) : t(warn > 0 ? 'site_warnings' : 'site_clear');
  return unknown === 0 ? first : t('two_sentences', { first, second: t('page_types_missing', { count: unknown }) });
}

function pagesTable(pages: readonly SitePage[], home: string, translation: ReportTranslation | null): Markup {
  const t = reportText(translation);
  return html`<h2>${t('pages')}</h2>
<div class="wide"><table>
<thead><tr><th>${t('type')}</th><th>${t('page')}</th><th>${t('result')}</th><th class="number">${t('score')}</th></tr></thead>
<tbody>
${pages.map(
  page => html`<tr><td class="name">${t(page.page_type)}</td><td class="path">${pathOf(page.url ?? '', home)}</td><td>${pageResult(page, translation)}</td><td class="number">${page.score ?? '–'}</td></tr>
`,
)}</tbody>
</table></div>
`;
}

/** Returns a URL without its origin if the URL has the same origin as the home page. */
function pathOf(url: string, home: string): string {
  const [origin = ''] = /^https?:\/\/[^/]+/.exec(home) ?? [];
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}

/**
 * Returns a page's scan result: the number of errors and warnings, or why the page wasn't scanned.
 *
 * @example pageResult(scan.pages[0], null) // '1 error, 2 warnings'
 */
export function pageResult(page: SitePage, translation: ReportTranslation | null): string {
  const t = reportText(translation);
  if (page.state === 'not_scanned') {
    const reason = knownText(`reason_${page.reason}`, page.message, translation);
    return t('not_scanned', {
      reason: page.status === null ? reason : t('with_status', { reason, status: page.status }),
    });
  }
  const { error, warn } = page.severity_counts;
  const found = [
    ...(error > 0 ? [t('errors', { count: error })] : []),
    ...(warn > 0 ? [t('warnings', { count: warn })] : []),
  ];
  const result = found.join(', ') || t('no_problems');
  return page.complete ? result : t('partially_scanned', { result });
}
