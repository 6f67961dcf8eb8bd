export type { AuditEntry, AuditLog, AuditRow, AuditState } from './audit/audit.ts';
export { type Backup, backUp } from './backup/back-up.ts';
export type { BackupHeader, BackupOrigin } from './backup/backup-file.ts';
export { findBackups, isBackupFolder } from './backup/backup-folder.ts';
export { type RestoreResult, restore } from './backup/restore.ts';
export type { BlobFiles, Blobs } from './blobs/blobs.ts';
export type { S3Options } from './blobs/s3-backend.ts';
export { createS3Input, type S3Input, type S3InputOptions } from './blobs/s3-input.ts';
export { readS3InputSettings, readS3Settings } from './blobs/s3-settings.ts';
export type {
  BulkInputError,
  BulkJob,
  BulkJobs,
  BulkPart,
  BulkPartResult,
  BulkState,
  ClaimedInput,
  ClaimedPart,
  NewBulkJob,
} from './bulk/bulk-jobs.ts';
export type { BulkFormat } from './bulk/schema.ts';
export type {
  Certificate,
  CertificateChange,
  Certificates,
  NewCertificate,
} from './certificates/certificates.ts';
export type { Idempotency, IdempotentRequest, IdempotentRun, IdempotentState } from './certificates/idempotency.ts';
export {
  certificateContext,
  type IssueRequest,
  type IssuerDeps,
  issueCertificate,
} from './certificates/issue-certificate.ts';
export type { DatabaseFigures } from './database/schema.ts';
export { findSqliteDamage } from './database/sqlite/damage.ts';
export { StoreError, type StoreErrorCode } from './errors.ts';
export { type DatabaseFacts, inspectDatabase } from './inspect-database.ts';
export { inspectPdfs, type PdfFacts } from './inspect-pdfs.ts';
export type { DeadLetter, QueueFigures, QueueView } from './jobs/queue.ts';
export { includesScope, KEY_SCOPES, type KeyScope, scopesIncluding } from './key-scope.ts';
export { hasDelegateAccess } from './keys/delegate-access.ts';
export { isWellFormedKey } from './keys/key-text.ts';
export type { IssuedKey, KeyChange, KeyRecord, KeyStatus, Keys, RotationOverlap } from './keys/keys.ts';
export type { LimitQuotas, Limits, LimitTake, LimitWindow } from './keys/limits.ts';
export type { DailyUsage, Usage } from './keys/usage.ts';
export type { Nomenclatures, StoredNomenclature } from './nomenclatures.ts';
export {
  describeLocation,
  openBlobs,
  openStore,
  refuseNewLocation,
  type StoreLocation,
  type StoreOptions,
} from './open.ts';
export type { Attempts, AttemptTake } from './operator/attempts.ts';
export type { Operator, OperatorSession } from './operator/operator.ts';
export type { Waitlist, WaitlistForm, WaitlistRequest, WaitlistStatus } from './operator/waitlist.ts';
export { fileFailure } from './storage-failure.ts';
export type { Store, StoreHealth } from './store.ts';
export type { SharedTargetRate, TargetTake } from './targets/shared-target-rate.ts';
export type {
  DueDelivery,
  DueWatch,
  NewWatch,
  Watch,
  WatchDataset,
  WatchEvent,
  Watches,
} from './watches/watches.ts';
