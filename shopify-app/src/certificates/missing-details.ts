import type { CertificateRecord, MissingElement } from '@compliance/core/entry';

/**
 * Missing element of a certificate. `rule` is the citation of the rule whose third-party test or citation is missing,
 * or null if the element isn't about a single rule. The app's messages name the rule in the merchant's language.
 */
export interface MissingDetail extends MissingElement {
  readonly rule: string | null;
}

/** Returns a certificate's missing elements with the related rules. */
export function missingDetails({
  completeness,
  rules,
  childrens,
}: Pick<CertificateRecord, 'completeness' | 'rules' | 'childrens'>): readonly MissingDetail[] {
  const known = [...rules, ...(childrens?.expected_rules ?? [])];
  return completeness.missing.map(element => {
    const isAboutRule = /^cpsc_rules_cited(\.\d+)?$/.test(element.path);
    // Search for the citation between spaces, so that 16 CFR 1500.3 doesn't match 16 CFR 1500.3(c).
    const rule = known.find(({ citation }) => ` ${element.message} `.includes(` ${citation} `));
    return { ...element, rule: (isAboutRule && rule?.citation) || null };
  });
}
