import type { Facts, Where } from './evidence/sighting.ts';
import { redact } from './redact.ts';
import type { Owner, Report, RuleMeta, Severity } from './rule.ts';
import type { Confidence, State } from './script/effect.ts';

/** One finding of a scan. `variant` tells the forms of one rule apart; `snippet` is source without personal data. */
export interface Finding {
  readonly rule_id: string;
  readonly severity: Severity;
  readonly message: string;
  readonly confidence: Confidence;
  readonly ids: readonly string[];
  readonly where: Where;
  readonly snippet: string;
  readonly state: State;
  readonly variant: string | null;
  readonly owner: Owner;
  readonly fix: string;
  readonly docs_url: string;
  /** Date the fact behind the rule came into force. */
  readonly since: string | null;
  /** Date the severity will rise, while that is still ahead of the date of the scan. */
  readonly escalates_on: string | null;
  /** The present-day tag is on the page too: the finding weighs less. */
  readonly mitigated: boolean;
}

/** The address of a rule's documentation, relative to where the documentation is served. */
export const docsUrl = (ruleId: string): string => `/docs/rules/${ruleId}`;

/** A rule's severity on a date. Dates are `YYYY-MM-DD` and compare as text. */
export const severityOn = (meta: RuleMeta, asOf: string): Severity =>
  meta.escalates && asOf >= meta.escalates.on ? meta.escalates.to : meta.severity;

/** Makes a finding of what a rule reported. */
export function toFinding(meta: RuleMeta, found: Report, facts: Facts): Finding {
  const { at } = found;
  return {
    rule_id: meta.id,
    severity: found.severity ?? severityOn(meta, facts.asOf),
    message: redact(found.message),
    confidence: found.confidence ?? at.confidence,
    ids: [...new Set(found.ids ?? [])].map(id => redact(id)).sort(),
    where: at.where,
    snippet: redact(at.snippet).replace(/\s+/g, ' ').slice(0, 120),
    state: found.state ?? at.state,
    variant: found.variant ?? null,
    owner: found.owner ?? meta.owner,
    fix: (facts.shopify.kind === 'headless' ? meta.fixHeadless : undefined) ?? meta.fix,
    docs_url: docsUrl(meta.id),
    since: found.since ?? meta.since,
    escalates_on: meta.escalates && facts.asOf < meta.escalates.on ? meta.escalates.on : null,
    mitigated: found.mitigated ?? false,
  };
}

const SEVERITY: Readonly<Record<Severity, number>> = { error: 0, warn: 1, info: 2 };
const CONFIDENCE: Readonly<Record<Confidence, number>> = { certain: 0, likely: 1, possible: 2 };
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order findings are given in: gravest first, then by rule, place and ids. */
const compareFindings = (a: Finding, b: Finding): number =>
  SEVERITY[a.severity] - SEVERITY[b.severity] ||
  compareText(a.rule_id, b.rule_id) ||
  compareText(a.variant ?? '', b.variant ?? '') ||
  CONFIDENCE[a.confidence] - CONFIDENCE[b.confidence] ||
  compareText(a.where.source, b.where.source) ||
  a.where.line - b.where.line ||
  a.where.column - b.where.column ||
  compareText(a.ids.join(), b.ids.join()) ||
  compareText(a.message, b.message);

/** A page made to be noisy gets no endless answer; the score counts three of a rule at most. */
const MAX_PER_RULE = 50;

/** Sorts, and keeps one of the findings that say the same about the same ids, and the first fifty of each rule. */
export function settle(findings: readonly Finding[]): Finding[] {
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
