export type { Attempts, AttemptTake } from './attempts.ts';
export type { AuditEntry, AuditLog, AuditRow, AuditState } from './audit.ts';
export { type Backup, backUp } from './backup/back-up.ts';
export { type Restored, restore } from './backup/restore.ts';
export type { Blobs } from './blobs/blobs.ts';
export type { S3Options } from './blobs/s3.ts';
export type {
  Certificate,
  CertificateChange,
  CertificateStatus,
  Certificates,
  NewCertificate,
} from './certificates.ts';
export { StoreError, type StoreErrorCode } from './errors.ts';
export type { Idempotency, IdempotentRequest, IdempotentRun, IdempotentState } from './idempotency.ts';
export { type DatabaseFacts, inspectDatabase } from './inspect.ts';
export { certificateContext, type IssueRequest, type Issuing, issueCertificate } from './issue-certificate.ts';
export { isWellFormedKey, KEY_SCOPES, type KeyScope } from './key-text.ts';
export type { IssuedKey, KeyChange, KeyRecord, KeyStatus, Keys, RotationOverlap } from './keys.ts';
export type { LimitQuotas, Limits, LimitTake, LimitWindow } from './limits.ts';
export type { Nomenclature, Nomenclatures } from './nomenclatures.ts';
export { openBlobs, openStore, type StoreOptions, type StorePlace } from './open.ts';
export type { Operator, OperatorSession } from './operator.ts';
export type { Acceptance, FindingCounts, FindingFilter, KnownFinding, OwnFindings } from './shop/findings.ts';
export type { Job, JobState, NewJob, OwnJobs } from './shop/jobs.ts';
export type { Page, PageQuery } from './shop/page.ts';
export type {
  OwnProductCertificates,
  ProductCertificate,
  ProductCertificateEvent,
  ProductCertificateState,
} from './shop/product-certificates.ts';
export type { ClaimedJob, Jobs } from './shop/queue.ts';
export type { Removed, RetentionRule } from './shop/retain.ts';
export type { NewScan, OwnScans, Scan, ScanState, ScanSummary, ScanTrigger, TrendPoint } from './shop/scans.ts';
export type { OwnSessions, Sessions, ShopSession } from './shop/sessions.ts';
export type { FindingSeverity, ScanChanges, SeenFinding, SeverityCounts } from './shop/settle.ts';
export type { Shop } from './shop/shop.ts';
export type { ShopProfile, ShopRecord, ShopSettings, Shops } from './shop/shops.ts';
export type { OwnThemeFiles, ThemeFile, ThemeFileChanges } from './shop/theme-files.ts';
export type { NewVariant, OwnVariants, Variant, VariantChange, VariantCounts, VariantFilter } from './shop/variants.ts';
export type { WebhookEvent, Webhooks } from './shop/webhooks.ts';
export type { Store } from './store.ts';
export type { DailyUsage, Usage } from './usage.ts';
export type { Waitlist, WaitlistForm, WaitlistRequest, WaitlistStatus } from './waitlist.ts';
