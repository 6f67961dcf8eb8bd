import { buildInventory } from '../inventory/build-inventory.ts';
import { containerEvents } from '../inventory/container-events.ts';
import { serverEventIds } from '../inventory/server-event-ids.ts';
import type { Capture, ScanOptions } from '../model/capture.ts';
import type { ContainerEvent } from '../model/container-event.ts';
import type { Finding } from '../model/finding.ts';
import type { Inventory } from '../model/inventory.ts';
import type { Theme } from '../model/page-observations.ts';
import { collect } from '../observations/collect.ts';
import { pageRules } from '../rules/rules.gen.ts';
import { SCORE_VERSION, type ScoreLine, scoreOf } from '../score/score.ts';
import { contextFindings } from './context-findings.ts';
import { sortAndDeduplicate, toFinding } from './findings.ts';

/**
 * The result of a scan. If the response can't be scored, `score` is `null` and `not_scored` is the reason. `findings`
 * are sorted by severity, most severe first.
 */
export interface ScanResult {
  readonly score: number | null;
  readonly not_scored: string | null;
  readonly score_version: number;
  readonly score_breakdown: readonly ScoreLine[];
  readonly severity_counts: { readonly info: number; readonly warn: number; readonly error: number };
  readonly findings: readonly Finding[];
  readonly inventory: Inventory;
  readonly shopify: {
    readonly detected: boolean;
    readonly kind: 'liquid' | 'headless' | 'unknown';
    readonly theme: Theme | null;
  };
  readonly scanned: { readonly url: string; readonly scripts: number; readonly truncated: boolean };
  /** Tag IDs and events in the page's containers. Results from earlier versions omit the list. */
  readonly container_events?: readonly ContainerEvent[];
  /**
   * IDs of the Meta pixels whose events Shopify also sends from its servers. Results from earlier versions omit the
   * list.
   */
  readonly server_events?: readonly string[];
}

const isDate = (text: string): boolean => /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text);

/**
 * Scans one captured page for dead, duplicate, and broken tags, and for tags that expose data. The function is pure:
 * scanning the same capture with the same options returns identical results. The scan doesn't fetch anything or run
 * any page code. The scan reads the Tag Manager containers in the capture, but can't see the contents of custom
 * pixels. Context findings report content that the scan couldn't inspect.
 *
 * @throws RangeError if `asOf` isn't a date in the form `YYYY-MM-DD`.
 * @example scan(capture, { asOf: '2026-11-21' }).findings[0]?.rule_id // 'ga_universal_id'
 */
export function scan(capture: Capture, options: ScanOptions): ScanResult {
  if (!isDate(options.asOf))
    throw new RangeError(`asOf must be a calendar date in YYYY-MM-DD format, not ${JSON.stringify(options.asOf)}`);
  const page = collect(capture, options);
  const { facts } = page;
  const found: Finding[] = [];
  for (const { meta, check } of pageRules) check(page, report => found.push(toFinding(meta, report, facts)));
  const findings = sortAndDeduplicate([...found, ...contextFindings(page)]);
  const inventory = buildInventory(page);
  const { score, breakdown } = scoreOf(findings, inventory.complete);
  const severity_counts = { info: 0, warn: 0, error: 0 };
  for (const { severity } of findings) severity_counts[severity]++;
  return {
    score: facts.blocked === null ? score : null,
    not_scored: facts.blocked,
    score_version: SCORE_VERSION,
    score_breakdown: facts.blocked === null ? breakdown : [],
    severity_counts,
    findings,
    inventory,
    shopify: facts.shopify,
    scanned: { url: capture.finalUrl, scripts: facts.scripts, truncated: facts.truncated },
    container_events: containerEvents(page),
    server_events: serverEventIds(page),
  };
}
