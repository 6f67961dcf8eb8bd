import type { Finding } from '../model/finding.ts';
import { term } from '../model/message.ts';
import type { Severity } from '../model/rule.ts';
import { vendorName } from '../model/vendor.ts';
import type { ScanResult } from '../scan/scan.ts';
import { type Scored, type ScoreLine, scoreOf } from '../score/score.ts';
import { concerns, type Evaluation, evaluateFinding, type RenderingVerdict } from './evaluate-finding.ts';
import { unscannedTags } from './known-tags.ts';
import { formatRendering, type RenderingTranslation } from './messages.ts';
import type { RenderedPage } from './rendered-page.ts';
import { type TrafficCode, type TrafficFinding, trafficFindings } from './traffic.ts';
import { unseenSteps } from './unseen-steps.ts';

/** A finding with the rendering's verdict and the reason for the verdict. */
export interface JoinedFinding extends Evaluation {
  readonly rule_id: string;
  readonly ids: readonly string[];
}

/** A problem that's visible only in the traffic. */
export interface JoinedTraffic extends TrafficFinding {
  /**
   * Whether the problem counts toward `score` and `severity_counts`. A problem doesn't count if a confirmed finding of
   * the same or higher severity already covers it for the same tag or event.
   */
  readonly counts: boolean;
}

/** A static scan's findings with a rendering's verdicts, and the problems that are visible only in the traffic. */
export interface JoinedScan {
  /** Verdicts on the scan's findings, in the same order. */
  readonly findings: readonly JoinedFinding[];
  /** Problems that are visible only in the traffic, most severe first. */
  readonly traffic: readonly JoinedTraffic[];
  /** Sentences about unrecorded parts of the visit and about tags on pages that weren't scanned. */
  readonly unseen: readonly string[];
  /** Score based on findings that aren't refuted and on problems that count, or `null` if the page can't be scored. */
  readonly score: number | null;
  readonly score_breakdown: readonly ScoreLine[];
  /** Number of findings that aren't refuted plus the number of problems that count, by severity. */
  readonly severity_counts: ScanResult['severity_counts'];
  readonly verdict_counts: Readonly<Record<RenderingVerdict, number>>;
}

/**
 * Compares a static scan's findings with a rendering's beacons. Refuted findings no longer count toward the score.
 *
 * @param translation language of the evidence, messages, and fixes, from `@compliance/translations`; null for English
 * @example joinRendering(scan(capture, { asOf }), rendering).findings[0]?.verdict // 'confirmed'
 */
export function joinRendering(
  result: ScanResult,
  page: RenderedPage,
  translation: RenderingTranslation | null = null,
): JoinedScan {
  const { findings, inventory, score } = result;
  const evaluated = findings.map(finding => ({ finding, evaluation: evaluateFinding(finding, page, translation) }));
  const verdict_counts = { confirmed: 0, refuted: 0, unseen: 0 };
  for (const { evaluation } of evaluated) verdict_counts[evaluation.verdict] += 1;
  const confirmed = evaluated
    .filter(({ evaluation }) => evaluation.verdict === 'confirmed')
    .map(({ finding }) => finding);
  const traffic = trafficFindings(page, result, translation)
    .map(found => ({ ...found, counts: !confirmed.some(finding => isSameProblem(finding, found)) }))
    .sort((a, b) => ORDER.indexOf(b.severity) - ORDER.indexOf(a.severity));
  const counted: Scored[] = [
    ...evaluated.filter(({ evaluation }) => evaluation.verdict !== 'refuted').map(({ finding }) => finding),
    ...traffic.filter(({ counts }) => counts).map(scoredTraffic),
  ];
  const severity_counts = { info: 0, warn: 0, error: 0 };
  for (const { severity } of counted) severity_counts[severity] += 1;
  const joined = scoreOf(counted, inventory.complete);
  return {
    findings: evaluated.map(({ finding: { rule_id, ids }, evaluation }) => ({ rule_id, ids, ...evaluation })),
    traffic,
    unseen: [...unseenSteps(page, translation), ...unscanned(page, result, translation)],
    ...(score === null ? { score, score_breakdown: [] } : { score: joined.score, score_breakdown: joined.breakdown }),
    ...{ severity_counts, verdict_counts },
  };
}

/** Traffic problems that scan rules also report, with patterns that match the rule IDs. */
const SAME_PROBLEM: Readonly<Partial<Record<TrafficCode, RegExp>>> = {
  sent_after_denial: /consent/,
  duplicate_event: /duplicate|hardcoded/,
  invalid_event_data: /invalid_event_data|misspelled_event|nonstandard_event/,
  server_duplicate: /missing_event_id|app_duplicate/,
};

const ORDER: readonly Severity[] = ['info', 'warn', 'error'];

/**
 * Returns whether a finding already reports a problem that the traffic shows. The finding must be at least as severe as
 * the problem.
 */
const isSameProblem = (finding: Finding, found: TrafficFinding): boolean =>
  SAME_PROBLEM[found.code]?.test(finding.rule_id) === true &&
  ORDER.indexOf(finding.severity) >= ORDER.indexOf(found.severity) &&
  concerns(finding, found);

/**
 * Converts a problem that's visible only in the traffic to the form that `scoreOf` expects.
 *
 * @example scoreOf([...findings, ...traffic.map(scoredTraffic)], true).score // 84
 */
export const scoredTraffic = ({ code, severity, id }: Pick<TrafficFinding, 'code' | 'severity' | 'id'>): Scored => ({
  ...{ rule_id: code, severity, confidence: 'certain', ids: id === null ? [] : [id], mitigated: false },
});

/** Maximum number of tags in a sentence. */
const MAX_TAGS = 10;

function unscanned(page: RenderedPage, { inventory }: ScanResult, translation: RenderingTranslation | null): string[] {
  const tags = unscannedTags(page, inventory).map(({ vendor, id }) =>
    term('tag_with_id', { vendor: vendorName(vendor), id: `${id}` }),
  );
  if (tags.length === 0) return [];
  const message = tags.length > MAX_TAGS ? 'more_tags_unscanned' : 'tags_unscanned';
  return [formatRendering({ message, values: { tags: tags.slice(0, MAX_TAGS) } }, translation)];
}
