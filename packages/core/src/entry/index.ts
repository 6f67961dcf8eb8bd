export { type AttestationText, attestationText, currentAttestation } from './attestation/texts.ts';
export type { ChildrensFacts, ExpectedRule, ThirdPartyTesting } from './childrens/facts.ts';
export { type LabList, type LabStatus, parseLabList } from './childrens/lab-list.ts';
export { type Catalog, type CatalogRule, catalog, parseCatalog } from './citations/catalog.ts';
export { type ResolvedCitation, resolveCitation } from './citations/resolve.ts';
export { type EfilingFlag, efilingFlag, type FlagList, type LikelyRule, parseFlagList } from './flags/flag-list.ts';
export { CERTIFICATE_KINDS, type CertificateKind, certificateKind, KINDS } from './kinds/kinds.ts';
export {
  LABEL_RESOLUTIONS,
  LABEL_SIZES,
  type Label,
  type LabelFormat,
  layOutLabel,
} from './labels/layout.ts';
export { labelPdf } from './labels/pdf.ts';
export { labelSvg } from './labels/svg.ts';
export { labelZpl } from './labels/zpl.ts';
export { type CertificateEnd, markEnded } from './pdf/mark.ts';
export { render, renderTrackingLabel } from './pdf/render.ts';
export {
  embedSignature,
  type PreparedSignature,
  prepareSignature,
  type SignatureFacts,
  signedBytes,
} from './pdf/sign.ts';
export { COUNTRY_PATTERN } from './places/places.ts';
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
export type { CertifyingParty } from './record/facts.ts';
export {
  CERTIFICATE_STATUSES,
  type CertificateStatus,
  hasEnded,
  type InitialStatus,
  initialStatus,
} from './record/status.ts';
export { WARNING_CODES, type Warning, type WarningCode } from './record/warnings.ts';
export { type CodeList, parseCodeList } from './registry/codes.ts';
export { REGISTRY_COLUMNS, type RegistryColumn } from './registry/columns.ts';
export { type RegistryExport, type RegistryGap, registryExport } from './registry/export.ts';
export { type ImportedRequest, type RegistryRow, requestOfRow } from './registry/import.ts';
export { registryHeader, registryRow } from './registry/row.ts';
export { type AgeGrading, gradeAge } from './request/age-grading.ts';
export type { CitedRule, RuleTest } from './request/cited-rules.ts';
export { InvalidRequest, ISSUE_CODES, type Issue, type IssueCode } from './request/issues.ts';
export { kindOfRequest } from './request/parse.ts';
export { printedDate } from './request/period.ts';
export { SAMPLE_REQUEST } from './request/sample.ts';
export {
  AnyCertificateRequestSchema,
  type CertificateRequest,
  CertificateRequestSchema,
  type ChildrensCertificateRequest,
  ChildrensCertificateRequestSchema,
  type GeneralCertificateRequest,
} from './request/schema.ts';
export { LINE_PATTERN, LINES_PATTERN } from './request/text.ts';
export { RETEST_YEARS, type Retest, type RetestPlan, retestsOf } from './retest/retest.ts';
export type { Face } from './text/coverage.ts';
export { type FontLoaders, type Fonts, openFonts } from './text/fonts.ts';
export { type CertificateFile, readCertificateFile } from './verify/certificate-file.ts';
export { compareWithDrawing, type DrawingComparison } from './verify/compare-with-drawing.ts';
export {
  compareWithIssued,
  type IssuedCertificate,
  type IssuedComparison,
  parseIssuedCertificate,
} from './verify/compare-with-issued.ts';
