import type { CatalogRule } from './catalog.ts';
import { designationLength, resolveCitation } from './resolve.ts';

/**
 * The rules that the text names. If the text can't be split with certainty, `citations` contains only the whole text,
 * and `ambiguous` lists the rules that the text seems to name. Otherwise, `ambiguous` is empty.
 */
export interface SplitCitations {
  readonly citations: readonly string[];
  readonly ambiguous: readonly string[];
}

const MARK = String.raw`(?:\s*(?:parts?|pts?\.|sections?|secs?\.|§+))?\s*`;
const PARAGRAPHS = String.raw`(?:\s?\([\da-z]{1,5}\))*`;
const CFR = new RegExp(String.raw`(\d{1,2})\s*c\.?\s?f\.?\s?r\.?,?${MARK}\d{4}(?!\d)(?:\.\d+)?${PARAGRAPHS}`, 'iy');
const USC = new RegExp(String.raw`(\d{1,2})\s*u\.?\s?s\.?\s?c\.?(?:\s?a\.)?${MARK}\d+[a-z]?${PARAGRAPHS}`, 'iy');
/** Matches a citation number that takes its title from the preceding citation, as in "16 CFR parts 1203 and 1303". */
const BARE = new RegExp(String.raw`(${MARK})(\d{4}[a-z]?(?!\w)(?:\.\d+)?${PARAGRAPHS})`, 'iy');
const SEPARATOR = /\s*(?:[,;&/+]|\band\b|\bplus\b)(?:\s*(?:[,;&/+]|\band\b|\bplus\b))*\s*/iy;
const TRAILING_SEPARATORS = /(?:[\s,;&/+]|\s(?:and|plus))+$/i;
const RANGE = new RegExp(String.raw`\s*(?:-|to|through|thru)\s*${MARK}(\d{4})(?![\d.])`, 'iy');

/** A portion of the text between separators. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * A citation at the start of a part. `citation` includes the title, even if the text states the title only once for
 * several citations.
 */
interface FoundCitation extends Part {
  readonly citation: string;
  readonly rule: CatalogRule | null;
}

/**
 * Splits text that names several rules, such as `16 CFR 1203; 16 CFR 1303` or `16 CFR parts 1203 and 1303`. Sections
 * and names of the same rule stay together, and a subject that contains commas isn't split.
 *
 * @example splitCitations('16 CFR parts 1203 and 1303').citations // ['16 CFR part 1203', '16 CFR 1303']
 */
export function splitCitations(text: string): SplitCitations {
  const tidy = text
    .normalize('NFKC')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
  const parts = partsOf(tidy);
  const found = citationsIn(tidy, parts);
  if (found.length === 0) return { citations: namesIn(tidy, parts) ?? [text], ambiguous: [] };
  const rules = found.filter(({ rule }, at) => rule === null || rule !== found[at - 1]?.rule);
  if (rules.length < 2 || found[0]!.start > 0) return { citations: [text], ambiguous: ambiguousIn(tidy, parts) };
  const citations = rules.map(({ end, citation }, at) => {
    const rest = tidy.slice(end, rules[at + 1]?.start ?? tidy.length);
    return `${citation}${rest}`.replace(TRAILING_SEPARATORS, '');
  });
  return { citations, ambiguous: [] };
}

/** Splits text at separators, except separators in parentheses. */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')') depth = Math.max(0, depth - 1);
    SEPARATOR.lastIndex = at;
    const separator = depth === 0 ? SEPARATOR.exec(text)?.[0] : undefined;
    if (separator === undefined) continue;
    parts.push({ start, end: at });
    start = at + separator.length;
    at = start - 1;
  }
  return [...parts, { start, end: text.length }];
}

/** Returns each numbered citation that is at the start of a part or immediately after another citation. */
function citationsIn(text: string, parts: readonly Part[]): FoundCitation[] {
  const found: FoundCitation[] = [];
  let title = '16 CFR';
  for (const part of parts) {
    for (let start = part.start; start < part.end; ) {
      const citation = citationAt(text, start, title);
      // A designation such as ANSI/UL 4200A contains a separator, so parts can start within a citation.
      if (!citation || start < (found.at(-1)?.end ?? 0)) break;
      found.push(citation);
      if (/^\d+ u/i.test(citation.citation)) title = '15 U.S.C.';
      else if (/^\d+ ?c/i.test(citation.citation)) title = '16 CFR';
      start = citation.end + 1;
      if (!isFullCitation(text, start)) break;
    }
  }
  return found;
}

function citationAt(text: string, start: number, title: string): FoundCitation | null {
  const written = matchAt(CFR, text, start)?.[0] ?? matchAt(USC, text, start)?.[0];
  if (written !== undefined) {
    const citation = written.replace(/\b(part|section|sec|pt)s\b/i, '$1').replace(/§+/, '§');
    return { start, end: start + written.length, citation, rule: resolveCitation(citation).rule };
  }
  const [bare, mark = '', number = ''] = matchAt(BARE, text, start) ?? [];
  const rule = bare === undefined ? null : resolveCitation(`${title} ${number}`).rule;
  if (bare !== undefined && (rule || mark.trim() !== '')) {
    return { start, end: start + bare.length, citation: `${title} ${number}`, rule };
  }
  const length = designationLength(text.slice(start));
  if (length === 0) return null;
  const citation = text.slice(start, start + length);
  return { start, end: start + length, citation, rule: resolveCitation(citation).rule };
}

const isFullCitation = (text: string, at: number) => (matchAt(CFR, text, at) ?? matchAt(USC, text, at)) !== null;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the parts if each part names a different rule, or null otherwise. */
function namesIn(text: string, parts: readonly Part[]): string[] | null {
  if (resolveCitation(text).rule) return null;
  const names = parts.map(({ start, end }) => text.slice(start, end));
  const rules = names.map(name => resolveCitation(name).rule);
  return rules.length > 1 && rules.every(rule => rule !== null) && new Set(rules).size === rules.length ? names : null;
}

/** Returns the rules in the catalog that the text seems to name, or an empty array if there are fewer than two. */
function ambiguousIn(text: string, parts: readonly Part[]): string[] {
  const names = parts.map(({ start, end }) => text.slice(start, end));
  for (let at = 0; at < text.length; at++) {
    const full = matchAt(CFR, text, at) ?? matchAt(USC, text, at);
    if (!full) continue;
    names.push(full[0]);
    at += full[0].length;
    const [, rangeEnd] = matchAt(RANGE, text, at) ?? [];
    if (rangeEnd !== undefined) names.push(`16 CFR ${rangeEnd}`);
  }
  const rules = names.flatMap(name => resolveCitation(name).rule ?? []).filter(({ role }) => role === 'rule');
  const citations = [...new Set(rules.map(({ citation }) => citation))];
  return citations.length > 1 ? citations : [];
}
