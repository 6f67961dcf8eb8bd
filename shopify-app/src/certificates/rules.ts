import { type CertificateKind, catalog } from '@compliance/core/entry';

/** Rule that a certificate can cite. */
export interface RuleChoice {
  readonly citation: string;
  readonly subject: string;
  /** Kinds of certificates that the rule requires. The list is empty if the rule doesn't require a certificate. */
  readonly certificates: readonly CertificateKind[];
}

const LIMIT = 12;

const choices = catalog.rules.map(({ citation, subject, certificates, aliases }) => ({
  words: [citation, subject, ...aliases].join(' ').toLowerCase(),
  choice: { citation, subject, certificates } satisfies RuleChoice,
}));

/**
 * Returns up to 12 rules that contain every search word. Rules that require the given kind of certificate come first.
 *
 * @example searchRules('bicycle helm', 'GCC')[0]?.citation // '16 CFR 1203'
 */
export function searchRules(text: string, kind: CertificateKind): readonly RuleChoice[] {
  const words = text.toLowerCase().slice(0, 200).split(/\s+/).filter(Boolean);
  const rank = ({ certificates }: RuleChoice) => (certificates.includes(kind) ? 0 : certificates.length > 0 ? 1 : 2);
  return choices
    .filter(rule => words.every(word => rule.words.includes(word)))
    .map(({ choice }) => choice)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, LIMIT);
}
