/**
 * The tables of shops. Every one has a column `shop`: what is erased with a shop is found by it. Rules as in `../database/schema.ts`.
 */
export interface ShopSchema {
  shops: ShopRow;
  shop_sessions: SessionRow;
  shop_webhooks: WebhookRow;
  shop_jobs: JobRow;
  shop_scans: ScanRow;
  shop_findings: FindingRow;
  shop_finding_places: FindingPlaceRow;
  shop_theme_files: ThemeFileRow;
  shop_variants: VariantRow;
  shop_product_certificates: ProductCertificateRow;
  shop_certificate_events: CertificateEventRow;
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
  /** JSON array of texts. */
  scopes: string;
  /** JSON object, all but the schedule. */
  settings: string;
  schedule: 'off' | 'daily' | 'weekly';
  next_scan_at: number | null;
  needs_reopening_at: number | null;
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

export interface JobRow {
  id: string;
  shop: string;
  kind: string;
  key: string;
  /** The key while the job is live, then null: what makes it the only live one. */
  live_key: string | null;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** When a worker may take it: its time while it waits, the end of its lease while it runs, then null. */
  due_at: number | null;
  /** Whoever holds the job knows this random text; a new one each time. */
  lease: string | null;
  worker: string | null;
  attempts: number;
  max_attempts: number;
  run_at: number;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  error: string | null;
  payload: string;
  progress: string | null;
  result: string | null;
  /** The payload of the job that is to follow this one, or null. */
  again: string | null;
}

export interface ScanRow {
  shop: string;
  id: string;
  /** Sorts the shop's scans by the time they were recorded. */
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
  /** 0 for an error, 1, 2: the order of a list. */
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
}

interface FindingPlaceRow {
  shop: string;
  fingerprint: string;
  place: string;
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
  /** JSON array of changes. */
  changes: string;
  /** The version of the lists that made the answer another one, code and origin being the same. */
  changed_by: string | null;
  run: string;
  /** Titles in lower case, the order of a list. */
  sort_key: string;
  /** All that a search looks at, in lower case. */
  search: string;
  answer: string;
}

export interface ProductCertificateRow {
  shop: string;
  product_id: string;
  state: 'draft' | 'issued' | 'voided';
  gcc_id: string | null;
  updated_at: number;
  draft: string | null;
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
