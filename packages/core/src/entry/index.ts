export { type AttestationText, attestationText, currentAttestation } from './attestation/texts.ts';
export { type Catalogue, type CatalogueRule, catalogue, parseCatalogue } from './citations/catalogue.ts';
export { type ResolvedCitation, resolveCitation } from './citations/resolve.ts';
export { type RenderOptions, render } from './pdf/render.ts';
export {
  type CertificateContext,
  type CertificateRecord,
  type CertifyingParty,
  type CitedRule,
  certificate,
  type RuleTest,
} from './record/certificate.ts';
export type { Completeness, MissingElement } from './record/completeness.ts';
export { explain } from './record/explain.ts';
export { WARNING_CODES, type Warning, type WarningCode } from './record/warnings.ts';
export { REGISTRY_COLUMNS, type RegistryColumn } from './registry/columns.ts';
export { registryHeader, registryRow } from './registry/row.ts';
export { InvalidRequest, ISSUE_CODES, type Issue, type IssueCode } from './request/issues.ts';
export { type CertificateRequest, CertificateRequestSchema } from './request/schema.ts';
export type { Face } from './text/coverage.ts';
export { type Fonts, openFonts } from './text/fonts.ts';
