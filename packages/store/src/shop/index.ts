export { type Job, type JobState, URGENT } from '../jobs/job.ts';
export type { DeadLetter } from '../jobs/queue.ts';
export type { Alert, AlertMessage, NewAlert, ShopAlerts } from './alerts.ts';
export type { DraftAttachment, NewDraftAttachment, ShopDraftAttachments } from './catalog/draft-attachments.ts';
export type {
  CertificateNeeds,
  ProductCertificate,
  ProductCertificateEvent,
  ProductCertificateState,
  ShopProductCertificates,
} from './catalog/product-certificates.ts';
export type {
  NewVariant,
  ShopVariants,
  Variant,
  VariantChange,
  VariantCounts,
  VariantFilter,
  VariantGroup,
  VariantNeighbors,
  VariantOrder,
} from './catalog/variants.ts';
export type { Sessions, ShopSession, ShopSessions } from './installation/sessions.ts';
export type { ShopProfile, ShopRecord, ShopSettings, Shops } from './installation/shops.ts';
export type { WebhookEvent, Webhooks } from './installation/webhooks.ts';
export type { NewJob, ShopJobs } from './jobs.ts';
export type { Page, PageQuery } from './pagination.ts';
export type { ClaimedJob, Jobs } from './queue.ts';
export type { RetentionPolicy, RetentionResult } from './retention.ts';
export type { Acceptance, FindingCounts, FindingFilter, ShopFindings, StoredFinding } from './scans/findings.ts';
export type { FindingSeverity, ObservedFinding, ScanChanges, SeverityCounts } from './scans/reconcile-findings.ts';
export type {
  FindingVerdict,
  NewRendering,
  RenderingState,
  ShopRenderings,
  StoredRendering,
} from './scans/renderings.ts';
export type { NewScan, Scan, ScanState, ScanSummary, ScanTrigger, ShopScans, TrendPoint } from './scans/scans.ts';
export type { ShopThemeFiles, ThemeFile, ThemeFileChanges } from './scans/theme-files.ts';
export type { Shop } from './shop.ts';
export { openShopStore, type ShopStore } from './shop-store.ts';
