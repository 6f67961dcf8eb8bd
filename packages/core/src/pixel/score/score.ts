import type { Finding } from '../model/finding.ts';
import type { Severity } from '../model/rule.ts';

/** Scoring formula version. Only scores with the same version are comparable. */
export const SCORE_VERSION = 1;

/**
 * A line in the score breakdown. The score is 100 minus the sum of the points in all lines. A `floor` line has negative
 * points and raises a negative score to zero.
 */
export type ScoreLine =
  | { readonly rule_id: string; readonly count: number; readonly points: number }
  | { readonly cap: 'one_error' | 'two_errors' | 'not_all_seen'; readonly points: number }
  | { readonly floor: 'zero'; readonly points: number };

/** Finding fields that affect the score. */
export type Scored = Pick<Finding, 'rule_id' | 'severity' | 'confidence' | 'ids' | 'mitigated'>;

const BASE: Readonly<Record<Severity, number>> = { error: 20, warn: 6, info: 0 };
const MITIGATED: Readonly<Record<Severity, number>> = { error: 12, warn: 3, info: 0 };
/** Points deducted for lost tracking, exposed secrets, and proven duplicates, which weigh more than other errors. */
const ERRORS: Readonly<Record<string, number>> = {
  script_never_runs: 45,
  meta_capi_token_exposed: 30,
  ga4_api_secret_exposed: 30,
  meta_pixel_app_duplicate: 25,
  ga4_app_duplicate: 25,
};
const REPEATS = 3;

/**
 * Returns the points deducted for a finding if it's the only finding for its rule and the score isn't capped.
 *
 * @example pointsOf({ rule_id: 'ga_js_legacy', severity: 'error', confidence: 'possible', ids: [], mitigated: false }) // 10
 */
export function pointsOf(finding: Scored): number {
  const special =
    finding.severity === 'error' && Object.hasOwn(ERRORS, finding.rule_id) ? ERRORS[finding.rule_id]! : null;
  const base = special ?? (finding.mitigated ? MITIGATED : BASE)[finding.severity];
  return finding.confidence === 'possible' ? Math.floor(base / 2) : base;
}

/**
 * Returns a page's health score, from 0 to 100, and its breakdown. The order of the findings doesn't matter. An
 * additional or more severe finding never raises the score. No points are deducted for findings with severity `info`.
 * For each rule, points are deducted for at most three different sets of IDs, starting with the largest deduction. The
 * second deduction is halved, and the third is reduced to a quarter. Errors from one rule keep the score below 80, and
 * errors from two or more rules keep the score below 70. Errors with the confidence `possible` don't count toward these
 * limits. A page that the scan couldn't fully inspect never scores 100.
 *
 * @example scoreOf([{ rule_id: 'ga_js_legacy', severity: 'error', confidence: 'certain', ids: [], mitigated: false }]).score // 79
 */
export function scoreOf(findings: readonly Scored[], wholePage = true): { score: number; breakdown: ScoreLine[] } {
  const rules = new Map<string, Map<string, number>>();
  const errors = new Set<string>();
  for (const finding of findings) {
    const points = pointsOf(finding);
    if (finding.severity === 'error' && finding.confidence !== 'possible') errors.add(finding.rule_id);
    if (points === 0) continue;
    const byIds = rules.get(finding.rule_id) ?? new Map<string, number>();
    rules.set(finding.rule_id, byIds);
    const key = finding.ids.join();
    byIds.set(key, Math.max(points, byIds.get(key) ?? 0));
  }
  const breakdown: ScoreLine[] = [];
  let raw = 100;
  for (const rule_id of [...rules.keys()].sort()) {
    const costs = [...rules.get(rule_id)!.values()].sort((a, b) => b - a).slice(0, REPEATS);
    const points = costs.reduce((sum, c, k) => sum + Math.floor(c / 2 ** k), 0);
    breakdown.push({ rule_id, count: costs.length, points });
    raw -= points;
  }
  const caps = [
    { cap: 'not_all_seen', limit: wholePage ? 100 : 99 },
    { cap: 'one_error', limit: errors.size >= 1 ? 79 : 100 },
    { cap: 'two_errors', limit: errors.size >= 2 ? 69 : 100 },
  ] as const;
  for (const { cap, limit } of caps) {
    if (raw <= limit) continue;
    breakdown.push({ cap, points: raw - limit });
    raw = limit;
  }
  if (raw < 0) {
    breakdown.push({ floor: 'zero', points: raw });
    raw = 0;
  }
  return { score: raw, breakdown };
}
