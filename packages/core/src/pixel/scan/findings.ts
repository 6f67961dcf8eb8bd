import type { Confidence } from '../model/execution.ts';
import { docsUrl, type Finding } from '../model/finding.ts';
import { formatMessage, mapText } from '../model/message.ts';
import type { PageFacts } from '../model/page-observations.ts';
import { type Report, type RuleMeta, type Severity, severityOn } from '../model/rule.ts';
import { redact } from './redact.ts';

/** Creates a finding from a problem that a rule reports. */
export function toFinding(meta: RuleMeta, result: Report, facts: PageFacts): Finding {
  const { at } = result;
  return {
    rule_id: meta.id,
    severity: result.severity ?? severityOn(meta, facts.asOf),
    message: redact(formatMessage(meta.messages[result.message]!, result.values)),
    message_id: result.message,
    ...(result.values && { message_values: mapText(result.values, redact) }),
    confidence: result.confidence ?? at.confidence,
    ids: [...new Set(result.ids ?? [])].map(id => redact(id)).sort(),
    where: result.where ?? at.where,
    snippet: redact(at.snippet).replace(/\s+/g, ' ').slice(0, 120),
    state: result.state ?? at.state,
    variant: result.variant ?? null,
    // Container tags are edited in Tag Manager, so their findings have the owner `gtm`, regardless of the rule's owner.
    owner: at.channel === 'gtm' ? 'gtm' : (result.owner ?? meta.owner),
    fix: (facts.shopify.kind === 'headless' ? meta.fixHeadless : undefined) ?? meta.fix,
    docs_url: docsUrl(meta.id),
    since: result.since ?? meta.since,
    escalates_on: meta.escalates && facts.asOf < meta.escalates.on ? meta.escalates.on : null,
    mitigated: result.mitigated ?? false,
  };
}

const SEVERITY: Readonly<Record<Severity, number>> = { error: 0, warn: 1, info: 2 };
const CONFIDENCE: Readonly<Record<Confidence, number>> = { certain: 0, likely: 1, possible: 2 };
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares findings for sorting: most severe first, then by rule, variant, confidence, location, and IDs. */
export const compareFindings = (a: Finding, b: Finding): number =>
  SEVERITY[a.severity] - SEVERITY[b.severity] ||
  compareText(a.rule_id, b.rule_id) ||
  compareText(a.variant ?? '', b.variant ?? '') ||
  CONFIDENCE[a.confidence] - CONFIDENCE[b.confidence] ||
  compareText(a.where.source, b.where.source) ||
  a.where.line - b.where.line ||
  a.where.column - b.where.column ||
  compareText(a.ids.join(), b.ids.join()) ||
  compareText(a.message, b.message);

/**
 * Maximum number of findings for one rule. The limit keeps the output small if a malicious page triggers a rule
 * thousands of times. The score counts at most three sets of IDs per rule.
 */
const MAX_PER_RULE = 50;

/**
 * Sorts findings, removes duplicates (findings with the same rule, variant, IDs, and message), and keeps at most 50
 * findings for each rule.
 */
export function sortAndDeduplicate(findings: readonly Finding[]): Finding[] {
  const kept = new Map<string, Finding>();
  const counts = new Map<string, number>();
  for (const finding of [...findings].sort(compareFindings)) {
    const key = [finding.rule_id, finding.variant ?? '', finding.ids.join(), finding.message].join('\n');
    const count = counts.get(finding.rule_id) ?? 0;
    if (kept.has(key) || count >= MAX_PER_RULE) continue;
    counts.set(finding.rule_id, count + 1);
    kept.set(key, finding);
  }
  return [...kept.values()];
}
