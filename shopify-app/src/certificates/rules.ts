import { catalog } from '@compliance/core/entry';

/** Rule that a certificate can cite. */
export interface RuleChoice {
  readonly citation: string;
  readonly subject: string;
  /**
   * Certificate type that the rule requires. `general` is a General Certificate of Conformity, and `children` is a
   * Children's Product Certificate. `none` means that the rule doesn't require a certificate.
   */
  readonly kind: 'general' | 'children' | 'none';
}

const LIMIT = 12;

const choices = catalog.rules.map(({ citation, subject, certificates, aliases }) => ({
  words: [citation, subject, ...aliases].join(' ').toLowerCase(),
  choice: {
    citation,
    subject,
    kind: certificates.includes('GCC') ? 'general' : certificates.length > 0 ? 'children' : 'none',
  } satisfies RuleChoice,
}));

/**
 * Returns up to 12 rules that contain every search word. Rules for general certificates come first.
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
