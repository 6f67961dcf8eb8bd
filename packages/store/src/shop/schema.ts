import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { JobRow } from '../jobs/job.ts';

/**
 * Shop tables. Every table has a `shop` column, which `erase` uses to find the rows to delete. The column conventions
 * in `../database/schema.ts` apply.
 */
export interface ShopSchema {
  shops: ShopRow;
  shop_sessions: SessionRow;
  shop_webhooks: WebhookRow;
  shop_jobs: ShopJobRow;
  shop_scans: ScanRow;
  shop_findings: FindingRow;
  shop_finding_places: FindingPlaceRow;
  shop_renderings: RenderingRow;
  shop_theme_files: ThemeFileRow;
  shop_variants: VariantRow;
  shop_variant_checks: VariantCheckRow;
  shop_product_certificates: ProductCertificateRow;
  shop_certificate_events: CertificateEventRow;
  shop_alerts: AlertRow;
  shop_draft_attachments: DraftAttachmentRow;
  shop_flow_triggers: AlertRow;
}

export interface ShopRow {
  shop: string;
  family: string;
  installed_at: number;
  uninstalled_at: number | null;
  reinstalled_at: number | null;
  name: string | null;
  time_zone: string | null;
  primary_host: string | null;
  locale: string | null;
  /** Access scopes as a JSON array of strings. */
  scopes: string;
  /** JSON object with all settings except the schedule. */
  settings: string;
  schedule: 'off' | 'daily' | 'weekly';
  next_scan_at: number | null;
  needs_reopening_at: number | null;
  /** ID that changes with the shop's variants and product certificates, or null before the first change. */
  catalog_version: string | null;
}

interface SessionRow {
  id: string;
  shop: string;
  sealed: string;
}

interface WebhookRow {
  shop: string;
  topic: string;
  event_id: string;
  taken_at: number;
}

interface ShopJobRow extends JobRow {
  shop: string;
}

export interface ScanRow {
  shop: string;
  id: string;
  /** Generated ID that sorts the shop's scans by recording time. */
  seq: string;
  trigger: 'merchant' | 'theme_published' | 'schedule' | 'install';
  state: 'complete' | 'partial' | 'failed';
  reason: string | null;
  started_at: number;
  finished_at: number;
  score: number | null;
  score_version: number;
  errors: number;
  warns: number;
  infos: number;
  theme: string | null;
  changes: string;
  breakdown: string;
  coverage: string;
  inventory: string;
  findings: string;
  covered: string;
}

export interface FindingRow {
  shop: string;
  fingerprint: string;
  rule_id: string;
  severity: 'error' | 'warn' | 'info';
  /** Severity rank for sorting lists: 0 for error, 1 for warn, 2 for info. */
  rank: number;
  status: 'open' | 'fixed';
  first_seen: number;
  last_seen: number;
  fixed_at: number | null;
  regressed_at: number | null;
  accepted_at: number | null;
  accepted_until: number | null;
  accepted_by: string | null;
  accepted_reason: string | null;
  detail: string;
  /**
   * Verdict of the latest rendering that opened the storefront, or null if no rendering has evaluated the finding since
   * it last appeared or the theme last changed.
   */
  verdict: 'confirmed' | 'refuted' | 'unseen' | null;
  verdict_at: number | null;
}

interface FindingPlaceRow {
  shop: string;
  fingerprint: string;
  place: string;
}

export interface RenderingRow {
  shop: string;
  /** Job ID, which sorts a shop's renderings by time. */
  id: string;
  state: 'complete' | 'partial' | 'unseen';
  reason: string | null;
  started_at: number;
  finished_at: number;
  score: number | null;
  detail: string;
}

interface ThemeFileRow {
  shop: string;
  theme_id: string;
  name: string;
  checksum: string;
}

export interface VariantRow {
  shop: string;
  variant_id: string;
  product_id: string;
  product_title: string;
  variant_title: string;
  sku: string | null;
  hts_code: string | null;
  origin: string | null;
  digits: string;
  status: string;
  list_version: string;
  checked_at: number;
  changed_at: number | null;
  /** Most recent changes to the variant, as a JSON array. */
  changes: string;
  /**
   * Data set version that changed the lookup result even though the HTS code and country of origin stayed the same, or
   * null.
   */
  changed_by: string | null;
  run: string;
  /** Lowercase titles for sorting lists, with numbers encoded so that they sort by value. */
  sort_key: string;
  /** All searchable text in lowercase. */
  search: string;
  answer: string;
  /** Product type in the merchant's words, or null if unknown. */
  product_type: string | null;
  /** URL of a small image of the product, or null. */
  image_url: string | null;
  /** Selling price as a decimal number, or null if unknown. */
  price: string | null;
  /** Estimated duty range in hundredths of the shop's currency, or null if unknown. */
  duty_min: number | null;
  duty_max: number | null;
  /**
   * Key that sorts products by their highest possible duty, highest first: the highest duty of the product's variants
   * multiplied by -2. If no variant has a duty above zero, the key is -1 if a variant's duty is unknown, and 0
   * otherwise.
   */
  product_cost: number;
}

/** The latest check of a variant. Most checks don't change the variant. */
interface VariantCheckRow {
  shop: string;
  variant_id: string;
  checked_at: number;
  /** Catalog run that checked the variant. */
  run: string;
}

export interface ProductCertificateRow {
  shop: string;
  product_id: string;
  state: 'draft' | 'issued' | 'voided';
  gcc_id: string | null;
  updated_at: number;
  draft: string | null;
  /** Status of the newest certificate when the app last checked it, or null if the app hasn't checked it. */
  gcc_status: string | null;
  /**
   * Due date (YYYY-MM-DD) of the product's next test, as of the app's last check of the newest certificate, or null.
   */
  retest_due: string | null;
  /** Sort key of the product's first variant, or an empty string if the product was never in the catalog. */
  sort_key: string;
}

export interface CertificateEventRow {
  shop: string;
  id: string;
  product_id: string;
  event: 'issued' | 'voided';
  gcc_id: string;
  supersedes: string | null;
  reason: string | null;
  by: string;
  at: number;
}

/** File attached to a certificate draft. Its content is in blob storage. */
export interface DraftAttachmentRow {
  shop: string;
  draft_id: string;
  id: string;
  product_id: string;
  filename: string;
  media_type: 'application/pdf' | 'image/png' | 'image/jpeg';
  size: number;
  sha256: string;
  created_at: number;
}

export interface AlertRow {
  shop: string;
  key: string;
  kind: string;
  at: number;
  /** ID of the message that contains the alert, or null until the message is prepared. */
  message: string | null;
  /** Time when the message was sent or the alert was discarded, or null while the alert is waiting. */
  ended_at: number | null;
  detail: string;
}

/** Database connection for statements on the shop tables. */
export type ShopDatabase = Kysely<ShopSchema>;

/** Returns the same connection, typed for statements on the shop tables. */
export function withShopTables(db: Database): ShopDatabase {
  return db as unknown as ShopDatabase;
}
