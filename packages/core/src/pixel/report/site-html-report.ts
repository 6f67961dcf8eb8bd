import { SITE_PAGE_LABELS } from '../site/page-type.ts';
import type { SitePage, SiteScan } from '../site/site-scan.ts';
import { html, type Markup } from './markup.ts';
import { counted, hostOf, renderReport } from './sections.ts';

/**
 * Renders a site scan as a single HTML page that users can forward or print. The report lists every page type. For page
 * types that weren't scanned, the report gives the reason. To render a page scan, use `htmlReport`.
 *
 * @param asOf scan date in the form YYYY-MM-DD
 * @example siteHtmlReport(combinePages(outcomes, null), '2026-11-21').startsWith('<!doctype html>') // true
 */
export function siteHtmlReport(result: SiteScan, asOf: string): string {
  const { pages, shopify } = result;
  const home = pages.find(({ page_type }) => page_type === 'home')?.url ?? '';
  const scripts = pages.reduce((sum, page) => sum + page.scripts, 0);
  const text = {
    subject: 'site' as const,
    title: `Site scan of ${hostOf(home)}`,
    subtitle: home + (shopify.theme?.name ? `, theme ${shopify.theme.name}` : ''),
    verdict: verdict(result),
    overview: pagesTable(pages, home),
    coverage: `The scan analyzed ${counted(result.score_covers.length, 'page')} with ${counted(scripts, 'script')} as served, without running any code.
The score doesn't cover the page types that weren't scanned. A scan can't see the contents of custom pixels.`,
  };
  return renderReport(result, text, asOf);
}

function verdict({ score, pages, severity_counts: { error, warn } }: SiteScan): string {
  if (score === null) return "The site couldn't be scored, because none of its pages could be scanned.";
  const unknown = pages.filter(({ state, reason }) => state === 'not_scanned' && reason !== 'not_found').length;
  const gaps = unknown === 0 ? '' : ` ${counted(unknown, 'page type')} couldn't be scanned.`;
  if (error === 1) return `1 problem causes lost, incorrect, or exposed data. Fix it first.${gaps}`;
  if (error > 1) return `${error} problems cause lost, incorrect, or exposed data. Fix them first.${gaps}`;
  if (warn > 0) return `No errors found, but some issues are worth fixing.${gaps}`;
  return `Nothing to fix on the scanned pages.${gaps}`;
}

function pagesTable(pages: readonly SitePage[], home: string): Markup {
  return html`<h2>Pages</h2>
<div class="wide"><table>
<thead><tr><th>Type</th><th>Page</th><th>Result</th><th class="number">Score</th></tr></thead>
<tbody>
${pages.map(
  page => html`<tr><td class="name">${SITE_PAGE_LABELS[page.page_type]}</td><td class="path">${pathOf(page.url ?? '', home)}</td><td>${resultOf(page)}</td><td class="number">${page.score ?? '–'}</td></tr>
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

function resultOf(page: SitePage): string {
  if (page.state === 'not_scanned') {
    return `Not scanned: ${page.message}${page.status === null ? '' : ` (HTTP ${page.status})`}`;
  }
  const { error, warn } = page.severity_counts;
  const found = [error > 0 ? counted(error, 'error') : '', warn > 0 ? counted(warn, 'warning') : ''].filter(Boolean);
  return `${found.join(', ') || 'No errors or warnings'}${page.complete ? '' : '; partially scanned'}`;
}
