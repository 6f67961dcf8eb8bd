export { type Backup, backUp } from './backup/back-up.ts';
export { type Restored, restore } from './backup/restore.ts';
export type { Blobs } from './blobs/blobs.ts';
export type { S3Options } from './blobs/s3.ts';
export { readS3Settings } from './blobs/s3-settings.ts';
export type {
  Certificate,
  CertificateChange,
  CertificateStatus,
  Certificates,
  NewCertificate,
} from './certificates/certificates.ts';
export type { Idempotency, IdempotentRequest, IdempotentRun, IdempotentState } from './certificates/idempotency.ts';
export {
  certificateContext,
  type IssueRequest,
  type Issuing,
  issueCertificate,
} from './certificates/issue-certificate.ts';
export { type DatabaseFacts, inspectDatabase } from './database/inspect.ts';
export { StoreError, type StoreErrorCode } from './errors.ts';
export { isWellFormedKey, KEY_SCOPES, type KeyScope } from './keys/key-text.ts';
export type { IssuedKey, KeyChange, KeyRecord, KeyStatus, Keys, RotationOverlap } from './keys/keys.ts';
export type { LimitQuotas, Limits, LimitTake, LimitWindow } from './keys/limits.ts';
export type { DailyUsage, Usage } from './keys/usage.ts';
export type { Nomenclature, Nomenclatures } from './nomenclatures.ts';
export { openBlobs, openStore, type StoreOptions, type StorePlace } from './open.ts';
export type { Attempts, AttemptTake } from './operator/attempts.ts';
export type { AuditEntry, AuditLog, AuditRow, AuditState } from './operator/audit.ts';
export type { Operator, OperatorSession } from './operator/operator.ts';
export type { Waitlist, WaitlistForm, WaitlistRequest, WaitlistStatus } from './operator/waitlist.ts';
export type {
  OwnProductCertificates,
  ProductCertificate,
  ProductCertificateEvent,
  ProductCertificateState,
} from './shop/catalog/product-certificates.ts';
export type {
  NewVariant,
  OwnVariants,
  Variant,
  VariantChange,
  VariantCounts,
  VariantFilter,
} from './shop/catalog/variants.ts';
export type { OwnSessions, Sessions, ShopSession } from './shop/installation/sessions.ts';
export type { ShopProfile, ShopRecord, ShopSettings, Shops } from './shop/installation/shops.ts';
export type { WebhookEvent, Webhooks } from './shop/installation/webhooks.ts';
export type { Job, JobState, NewJob, OwnJobs } from './shop/jobs/jobs.ts';
export type { ClaimedJob, Jobs } from './shop/jobs/queue.ts';
export type { Page, PageQuery } from './shop/page.ts';
export type { Removed, RetentionRule } from './shop/retain.ts';
export type { Acceptance, FindingCounts, FindingFilter, KnownFinding, OwnFindings } from './shop/scans/findings.ts';
export type { NewScan, OwnScans, Scan, ScanState, ScanSummary, ScanTrigger, TrendPoint } from './shop/scans/scans.ts';
export type { FindingSeverity, ScanChanges, SeenFinding, SeverityCounts } from './shop/scans/settle.ts';
export type { OwnThemeFiles, ThemeFile, ThemeFileChanges } from './shop/scans/theme-files.ts';
export type { Shop } from './shop/shop.ts';
export type { Store } from './store.ts';
