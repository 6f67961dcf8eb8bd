import { driftRules, type Finding, type ScoreLine, scoredTraffic, scoreOf } from '@compliance/core/pixel';
import type { TrafficProblem } from './model/rendering.ts';

const DRIFT: ReadonlySet<string> = new Set(driftRules.map(({ meta }) => meta.id));

/** Problems that a store's score is based on. */
export interface ScoredProblems {
  /** Distinct findings on all pages and in the theme. Drift findings don't count. */
  readonly findings: readonly { readonly fingerprint: string; readonly finding: Finding }[];
  /** Fingerprints of findings that a browser check refuted. They don't count. */
  readonly refuted: ReadonlySet<string>;
  /** Problems that are visible only in a browser's network traffic. */
  readonly traffic?: readonly TrafficProblem[];
  /** Whether the scan read every page and the whole theme. */
  readonly complete: boolean;
}

/**
 * Returns a store's score, from 0 to 100, with the deductions.
 *
 * @example storeScore({ findings: [], refuted: new Set(), complete: true }).score // 100
 */
export function storeScore({ findings, refuted, traffic = [], complete }: ScoredProblems): {
  readonly score: number;
  readonly breakdown: ScoreLine[];
} {
  const counted = findings.filter(
    ({ fingerprint, finding }) => !DRIFT.has(finding.rule_id) && !refuted.has(fingerprint),
  );
  return scoreOf([...counted.map(({ finding }) => finding), ...traffic.map(scoredTraffic)], complete);
}
