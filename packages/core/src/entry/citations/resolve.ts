import { type CatalogRule, catalog } from './catalog.ts';

/**
 * Result of resolving a citation.
 *
 * `citation` is the official citation. If the text doesn't match a known rule, `citation` is the original text and
 * `subject` is null. `detail` is the rest of the citation, such as `.4(a)` or `-23 section 4.3`, which distinguishes
 * between sections of the same rule. `candidates` lists the rules that share a cited standard.
 */
export interface ResolvedCitation {
  as_cited: string;
  citation: string;
  subject: string | null;
  detail: string;
  rule: CatalogRule | null;
  candidates: readonly string[];
}

const CFR = /^(?:(\d+)\s*c\.?\s?f\.?\s?r\.?\s*)?(?:,?\s*(?:parts?|sections?|sec\.?|§+)\s*)*(\d{4})(?!\d)(.*)$/;
const USC = /^(\d+)\s*u\.?\s?s\.?\s?c\.?\s*(?:a\.\s*)?(?:(?:sections?|sec\.?|§+)\s*)*(\d+[a-z]?)(.*)$/;

const fold = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Normalizes words by removing punctuation, plural endings, "CPSC", and terms such as "safety standard". For example,
 * "CPSC bicycle helmet" matches "Bicycle helmets".
 */
const words = (text: string) =>
  fold(text)
    .replace(/\bcpsc\b|\b(?:safety )?(?:rules?|standards?|regulations?)(?: for)?\b/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/([a-z]{3,}?)s\b/g, '$1');

/**
 * Returns a pattern that matches a standard's designation at the start of text, ignoring spaces, slashes, hyphens, and
 * a leading ANSI. For example, the pattern for "UL 4200A" matches "ANSI/UL 4200A".
 */
const designation = (name: string) =>
  new RegExp(`^(?:ansi[ /]*)?${(fold(name).match(/[a-z]+|\d+/g) ?? []).join('[ /-]*')}(?!\\d)`, 'i');

const bySection = new Map<string, CatalogRule>();
const byWords = new Map<string, CatalogRule>();
const designations: { name: string; pattern: RegExp; rule: CatalogRule | null; candidates: readonly string[] }[] = [];

const sectionKey = (title: string, section: string) => `${title} ${section.replace(/\s+/g, '')}`;
const splitCitation = (citation: string) => {
  const text = fold(citation);
  const cfr = CFR.exec(text);
  if (cfr?.[1]) return sectionKey(cfr[1], `${cfr[2]}${cfr[3]}`);
  const usc = USC.exec(text);
  return usc ? sectionKey(`${usc[1]} usc`, `${usc[2]}${usc[3]}`) : null;
};

for (const rule of catalog.rules) {
  byWords.set(words(rule.subject), rule);
  for (const name of [rule.citation, ...rule.aliases]) {
    const key = splitCitation(name);
    if (key) bySection.set(key, rule);
    else if (/\d/.test(name)) designations.push({ name, pattern: designation(name), rule, candidates: [] });
    else byWords.set(words(name), rule);
  }
}
for (const { alias, citations } of catalog.ambiguous) {
  designations.push({ name: alias, pattern: designation(alias), rule: null, candidates: citations });
}
designations.sort((a, b) => b.name.length - a.name.length);

/**
 * Returns the length of a standard's designation at the start of the text, or 0 if the text doesn't start with one.
 *
 * @example designationLength('UL 4200A-2023') // 8
 */
export function designationLength(text: string): number {
  for (const { pattern } of designations) {
    const found = pattern.exec(text);
    if (found) return found[0].length;
  }
  return 0;
}

/**
 * Returns the rule with the most specific known citation that contains the cited section. For example, `1203.4(a)`
 * matches `1203`, and `1263.3` matches itself.
 */
function bySectionPrefix(title: string, section: string): { rule: CatalogRule; detail: string } | null {
  const whole = section.replace(/\s+/g, '');
  for (let end = whole.length; end >= 4; end--) {
    const next = whole[end];
    if (next !== undefined && /[\da-z]/.test(next)) continue;
    const rule = bySection.get(`${title} ${whole.slice(0, end)}`);
    if (rule) return { rule, detail: whole.slice(end) };
  }
  return null;
}

function match(text: string): { rule: CatalogRule | null; detail: string; candidates?: readonly string[] } | null {
  const cfr = CFR.exec(text);
  if (cfr && (cfr[1] ?? '16') === '16') {
    const found = bySectionPrefix('16', `${cfr[2]}${cfr[3]}`);
    if (found) return found;
  }
  const usc = USC.exec(text);
  if (usc) return bySectionPrefix(`${usc[1]} usc`, `${usc[2]}${usc[3]}`);
  for (const { pattern, rule, candidates } of designations) {
    const found = pattern.exec(text);
    if (found) return { rule, candidates, detail: text.slice(found[0].length).trim() };
  }
  // A citation without a recognized number can name the rule's subject, as in "CPSC bicycle helmet".
  const named = byWords.get(words(text));
  return named ? { rule: named, detail: '' } : null;
}

/**
 * Resolves a citation in any common format, such as `16 CFR 1203`, `16 C.F.R. part 1203`, `§ 1203`, `ASTM F963-23`,
 * `15 U.S.C. 2056e`, or `CPSC bicycle helmet`. Assumes title 16 if the title is omitted. If the citation doesn't match
 * a known rule, returns the citation unchanged, because the rule might be missing from the catalog.
 *
 * @example resolveCitation('16 C.F.R. part 1203').citation // '16 CFR 1203'
 */
export function resolveCitation(asCited: string): ResolvedCitation {
  const found = match(fold(asCited));
  const rule = found?.rule ?? null;
  return {
    as_cited: asCited,
    citation: rule?.citation ?? asCited,
    subject: rule?.subject ?? null,
    detail: rule && isSubjectRepeated(found?.detail ?? '', rule) ? '' : (found?.detail ?? ''),
    rule,
    candidates: found?.candidates ?? [],
  };
}

function isSubjectRepeated(detail: string, rule: CatalogRule): boolean {
  const rest = words(detail).replace(/ /g, '');
  return rest !== '' && [rule.subject, ...rule.aliases].some(name => words(name).replace(/ /g, '') === rest);
}
