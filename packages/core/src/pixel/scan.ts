import type { Capture, ScanOptions } from './capture.ts';
import { contextFindings } from './context.ts';
import { collect } from './evidence/collect.ts';
import type { Theme } from './evidence/sighting.ts';
import { type Finding, settle, toFinding } from './finding.ts';
import { type Inventory, inventoryOf } from './inventory/inventory.ts';
import { pageRules } from './rules.gen.ts';
import { SCORE_VERSION, type ScoreLine, scoreOf } from './score/score.ts';

/**
 * What a scan says. `score` is `null` when the answer was no page that can be judged; `not_scored` then says why.
 * `findings` come gravest first.
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
}

const isDate = (text: string): boolean => /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text);

/**
 * Scans one captured page for tags that are dead, doubled, broken or give something away. Pure: the same capture, date and
 * profile give the same bytes. Nothing is fetched, and nothing of the page is run. What a static reading cannot see, the
 * inside of a Tag Manager container or of a custom pixel, is said to be unseen.
 *
 * @throws RangeError when `asOf` is no date in the form `YYYY-MM-DD`.
 * @example scan(capture, { asOf: '2026-11-21' }).findings[0]?.rule_id // 'ga_universal_id'
 */
export function scan(capture: Capture, options: ScanOptions): ScanResult {
  if (!isDate(options.asOf))
    throw new RangeError(`asOf must be a date in the form YYYY-MM-DD, got ${JSON.stringify(options.asOf)}`);
  const evidence = collect(capture, options);
  const { facts } = evidence;
  const found: Finding[] = [];
  for (const { meta, check } of pageRules) check(evidence, report => found.push(toFinding(meta, report, facts)));
  const findings = settle([...found, ...contextFindings(evidence)]);
  const inventory = inventoryOf(evidence);
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
  };
}
