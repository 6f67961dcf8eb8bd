export { type AttestationText, attestationText, currentAttestation } from './attestation/texts.ts';
export { type Catalog, type CatalogRule, catalog, parseCatalog } from './citations/catalog.ts';
export { type ResolvedCitation, resolveCitation } from './citations/resolve.ts';
export { type CertificateEnd, markEnded } from './pdf/mark.ts';
export { render } from './pdf/render.ts';
export {
  type CertificateContext,
  type CertificateRecord,
  certificate,
  type PublishedRecord,
  readRecord,
} from './record/certificate.ts';
export type { Completeness, MissingElement } from './record/completeness.ts';
export { CONTRADICTION_CODES, type Contradiction, type ContradictionCode } from './record/contradictions.ts';
export { efilingNotice } from './record/efiling.ts';
export { explain } from './record/explain.ts';
export type { CertifyingParty, CitedRule, RuleTest } from './record/facts.ts';
export {
  CERTIFICATE_STATUSES,
  type CertificateStatus,
  hasEnded,
  type InitialStatus,
  initialStatus,
} from './record/status.ts';
export { WARNING_CODES, type Warning, type WarningCode } from './record/warnings.ts';
export { REGISTRY_COLUMNS, type RegistryColumn } from './registry/columns.ts';
export { registryHeader, registryRow } from './registry/row.ts';
export { InvalidRequest, ISSUE_CODES, type Issue, type IssueCode } from './request/issues.ts';
export { printedDate } from './request/period.ts';
export { type CertificateRequest, CertificateRequestSchema } from './request/schema.ts';
export type { Face } from './text/coverage.ts';
export { type Fonts, openFonts } from './text/fonts.ts';
