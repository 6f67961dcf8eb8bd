import { catalogue } from '@compliance/core/entry';

/** A rule that may be cited. */
export interface RuleChoice {
  readonly citation: string;
  readonly subject: string;
  /** `general`: certified by this kind of certificate. `children`: by another kind. `none`: by none. */
  readonly kind: 'general' | 'children' | 'none';
}

const LIMIT = 12;

const choices = catalogue.rules.map(({ citation, subject, certificates, aliases }) => ({
  words: [citation, subject, ...aliases].join(' ').toLowerCase(),
  choice: {
    citation,
    subject,
    kind: certificates.includes('GCC') ? 'general' : certificates.length > 0 ? 'children' : 'none',
  } satisfies RuleChoice,
}));

/**
 * Rules of the catalogue that hold every word, those that a general certificate may cite first. At most twelve.
 *
 * @example searchRules('bicycle helm')[0]?.citation // '16 CFR 1203'
 */
export function searchRules(text: string): readonly RuleChoice[] {
  const words = text.toLowerCase().slice(0, 200).split(/\s+/).filter(Boolean);
  const rank = { general: 0, children: 1, none: 2 };
  return choices
    .filter(rule => words.every(word => rule.words.includes(word)))
    .map(({ choice }) => choice)
    .sort((a, b) => rank[a.kind] - rank[b.kind])
    .slice(0, LIMIT);
}
