import type { ScanResult } from '../scan/scan.ts';
import { html } from './markup.ts';
import { counted, hostOf, renderReport } from './sections.ts';

/**
 * Renders a scan as a single HTML page that users can forward or print. The report doesn't run scripts or make
 * requests, and all text from the store is escaped.
 *
 * @param asOf scan date in the form YYYY-MM-DD
 * @example htmlReport(scan(capture, { asOf: '2026-11-21' }), '2026-11-21').startsWith('<!doctype html>') // true
 */
export function htmlReport(result: ScanResult, asOf: string): string {
  const { scanned, shopify } = result;
  const text = {
    subject: 'page' as const,
    title: `Pixel scan of ${hostOf(scanned.url)}`,
    subtitle: scanned.url + (shopify.theme?.name ? `, theme ${shopify.theme.name}` : ''),
    verdict: verdict(result),
    overview: html``,
    coverage: `The scan analyzed ${counted(scanned.scripts, 'script')} on the page as served, without running any code. A scan can't see
the contents of custom pixels.`,
  };
  return renderReport(result, text, asOf);
}

function verdict({ score, not_scored, severity_counts: { error, warn } }: ScanResult): string {
  if (score === null) return `This page couldn't be scored: ${not_scored}.`;
  if (error > 0)
    return error === 1
      ? '1 problem causes lost, incorrect, or exposed data. Fix it first.'
      : `${error} problems cause lost, incorrect, or exposed data. Fix them first.`;
  return warn > 0 ? 'Nothing is broken, but some issues are worth fixing.' : 'Nothing to fix on this page.';
}
