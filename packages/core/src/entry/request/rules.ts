import { type ResolvedCitation, resolveCitation } from '../citations/resolve.ts';
import { splitCitations } from '../citations/split.ts';
import { type CertificateRequest, MAX_RULES } from './schema.ts';

/** A rule that a request cites. `entry` is the index of the entry in `cpsc_rules_cited` that names the rule. */
export interface NamedRule {
  readonly entry: number;
  readonly resolved: ResolvedCitation;
  /** The claim that the rule doesn't require a test for this product (16 CFR 1110.11(c)). */
  readonly exclusion: RuleExclusion | null;
}

/**
 * A testing exclusion. If `part` is set, only that part of the rule is excluded, and the rest still requires a test.
 */
export interface RuleExclusion {
  basis: string;
  code: string | null;
  part?: string;
}

/**
 * Returns the rules that a request cites, in order. An entry that lists several rules is split into separate rules,
 * unless that would exceed the maximum number of rules.
 *
 * @example namedRules({ cpsc_rules_cited: ['16 CFR 1203, 16 CFR 1303'] }).length // 2
 */
export function namedRules({
  cpsc_rules_cited: cited,
  exclusions = [],
}: Pick<CertificateRequest, 'cpsc_rules_cited' | 'exclusions'>): NamedRule[] {
  const split = cited.flatMap((text, entry) => splitCitations(text).citations.map(each => ({ text: each, entry })));
  const texts = split.length > MAX_RULES ? cited.map((text, entry) => ({ text, entry })) : split;
  const rules = texts.map(({ text, entry }) => ({ entry, resolved: resolveCitation(text) }));
  const claimed = new Map(
    exclusions.flatMap(({ rule, basis, code = null }) =>
      rulesMatching(cited, rules, rule).map(at => [at, { basis, code }] as const),
    ),
  );
  return rules.map((rule, at) => {
    const exclusion = claimed.get(at);
    return { ...rule, exclusion: exclusion ? withPart(exclusion, rule.resolved) : citedExclusion(rule.resolved) };
  });
}

/** Sets `part` on an exclusion if its basis names only provisions that cover part of the rule. */
function withPart(exclusion: RuleExclusion, { rule }: ResolvedCitation): RuleExclusion {
  const named = (rule?.test_exclusions ?? []).filter(({ provision }) =>
    exclusion.basis.includes(provision.replace(/^16 CFR /, '')),
  );
  const { part } = named.find(each => each.part !== undefined) ?? {};
  return part !== undefined && named.every(each => each.part !== undefined) ? { ...exclusion, part } : exclusion;
}

/** Returns the exclusion if the citation names an exclusion provision, such as 16 CFR 1610.1(d), or null otherwise. */
function citedExclusion({ as_cited, rule, detail }: ResolvedCitation): NamedRule['exclusion'] {
  const provisions = rule?.test_exclusions ?? [];
  const found = provisions.find(({ provision }) => `${rule!.citation}${detail}`.startsWith(provision));
  return found ? { basis: as_cited, code: null } : null;
}

/**
 * Returns whether a certificate needs a test for a rule. Excluded rules and rules that no certificate can cite don't
 * need a test, but unknown and partially excluded rules do. Source: 15 U.S.C. 2063(a)(1) and 16 CFR 1110.11(c).
 */
export const needsTest = (rule: {
  readonly role: string | null;
  readonly exclusion: NamedRule['exclusion'];
}): boolean =>
  (rule.exclusion === null || rule.exclusion.part !== undefined) && (rule.role === null || rule.role === 'rule');

/**
 * Returns the indexes in `rules` of the rules that `text` names, or an empty array if `text` also names another rule.
 * If `text` is an entry in `cited`, returns the indexes of all rules that the entry names. Otherwise, a section match
 * takes precedence over a rule match.
 */
export function rulesMatching(
  cited: readonly string[],
  rules: readonly Pick<NamedRule, 'entry' | 'resolved'>[],
  text: string,
): number[] {
  const entry = cited.indexOf(text);
  if (entry >= 0) return rules.flatMap((rule, at) => (rule.entry === entry ? [at] : []));
  const found = splitCitations(text).citations.map(each => indexOfRule(rules, each));
  return found.includes(-1) ? [] : found;
}

function indexOfRule(rules: readonly Pick<NamedRule, 'resolved'>[], text: string): number {
  const exact = rules.findIndex(({ resolved }) => resolved.as_cited === text);
  if (exact >= 0) return exact;
  const wanted = resolveCitation(text);
  if (wanted.rule === null) return -1;
  const section = rules.findIndex(({ resolved }) => resolved.rule === wanted.rule && resolved.detail === wanted.detail);
  return section >= 0 ? section : rules.findIndex(({ resolved }) => resolved.rule === wanted.rule);
}
