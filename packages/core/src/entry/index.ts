export {
  type Attachment,
  type AttachmentFile,
  checkAttachments,
  describeAttachments,
  MAX_ATTACHED_BYTES,
  MAX_ATTACHMENTS,
} from './attachments/attachments.ts';
export {
  type EncodedAttachment,
  EncodedAttachmentSchema,
  type SeparatedRequest,
  takeAttachments,
} from './attachments/encoded.ts';
export { type AttestationText, attestationText, currentAttestation } from './attestation/texts.ts';
export type { ChildrensFacts, ExpectedRule, ThirdPartyTesting } from './childrens/facts.ts';
export { type LabList, type LabStatus, parseLabList } from './childrens/lab-list.ts';
export { type Catalog, type CatalogRule, catalog, parseCatalog } from './citations/catalog.ts';
export { type ResolvedCitation, resolveCitation } from './citations/resolve.ts';
export type { EfilingContent, EfilingGap } from './efiling/efiling-export.ts';
export { type Disclaim, DisclaimSchema } from './efiling/fedex/disclaim.ts';
export { type EfilingExport, type EfilingOptions, efilingPack } from './efiling/pack.ts';
export { EFILING_TARGETS, type EfilingTarget } from './efiling/targets.ts';
export { EFILING_MESSAGES, type EfilingTranslation } from './efiling-messages/efiling-messages.ts';
export {
  EFILING_STATUSES,
  type EfilingFlag,
  efilingFlag,
  type FlaggedResults,
  type FlagList,
  type LikelyRule,
  parseFlagList,
  withEfilingFlags,
} from './flags/flag-list.ts';
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
export { LABEL_WRITERS, type LabelFileFormat } from './labels/writers.ts';
export { labelZpl } from './labels/zpl.ts';
export { type CertificateEnd, markEnded } from './pdf/mark.ts';
export { MAX_MERGED, renderMerged } from './pdf/merge.ts';
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
  draftWarning,
  hasEnded,
  type InitialStatus,
  initialStatus,
} from './record/status.ts';
export { type VariantRecord, variantRecords } from './record/variant-records.ts';
export { WARNING_CODES, type Warning, type WarningCode } from './record/warnings.ts';
export { type CodeList, CodeListSchema, parseCodeList } from './registry/codes.ts';
export { REGISTRY_COLUMNS, type RegistryColumn } from './registry/columns.ts';
export { type RegistryExport, type RegistryGap, registryExport } from './registry/export.ts';
export {
  type AssumedValue,
  type DroppedValue,
  type ImportedRequest,
  InvalidRegistryRow,
  importRow,
  type RegistryImport,
  type RegistryRow,
} from './registry/import.ts';
export {
  type ImportedRow,
  type ImportedTable,
  type ImportLimits,
  importTable,
  type UnknownColumn,
} from './registry/import-table.ts';
export { registryFile, registryHeader, registryRow } from './registry/row.ts';
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
export { ATTACH_COLUMN, type RowProblem, rowProblems } from './rows/columns.ts';
export { requestOfCells, requestOfFields, valuesInCell } from './rows/row-request.ts';
export { type CsvRecord, certificateFilename, readTable, type TableRow } from './rows/table.ts';
export { templateIssues } from './rows/template.ts';
export type { Face } from './text/coverage.ts';
export { type FontLoaders, type Fonts, openFonts } from './text/fonts.ts';
export { attachmentsIn, type CertificateFile, readCertificateFile } from './verify/certificate-file.ts';
export { compareWithDrawing, type DrawingComparison } from './verify/compare-with-drawing.ts';
export {
  compareWithIssued,
  type IssuedCertificate,
  type IssuedComparison,
  parseIssuedCertificate,
} from './verify/compare-with-issued.ts';
