import type { Kysely } from 'kysely';
import type { KeyScope } from '../keys/key-text.ts';
import type { ShopSchema } from '../shop/schema.ts';

/**
 * The tables, as the newest migration leaves them. One schema for both engines: columns are text, integer or bigint;
 * booleans are 0 or 1, times are ms since epoch, JSON is text, ids are our own strings that sort by time.
 */
export interface Schema extends ShopSchema {
  keys: KeyRow;
  rate_limits: RateLimitRow;
  usage_daily: UsageRow;
  audit: AuditTableRow;
  nomenclatures: NomenclatureRow;
  certificates: CertificateRow;
  certificate_words: CertificateWordsRow;
  idempotency: IdempotencyRow;
  waitlist: WaitlistRow;
  operator_secret: OperatorSecretRow;
  operator_sessions: OperatorSessionRow;
  attempts: AttemptRow;
}

export interface KeyRow {
  id: string;
  family: string;
  sha256: string;
  prefix: string;
  last4: string;
  scope: KeyScope;
  note: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

/** Both windows in one row, so that one statement can count a request in both or in neither. */
export interface RateLimitRow {
  family: string;
  minute_count: number;
  minute_reset_at: number;
  day_count: number;
  day_reset_at: number;
}

export interface UsageRow {
  key_id: string;
  day: string;
  operation: string;
  count: number;
  last_at: number;
}

export interface AuditTableRow {
  id: string;
  at: number;
  actor: string;
  action: string;
  subject: string;
  before: string | null;
  after: string | null;
  request_id: string | null;
}

interface NomenclatureRow {
  id: string;
  edition: string;
  sha256: string;
  body: string;
  imported_at: number;
}

/** Only the last two columns ever change, once: the database refuses everything else, and every delete. */
export interface CertificateRow {
  id: string;
  family: string;
  sha256: string;
  size: number;
  record: string;
  created_at: number;
  supersedes: string | null;
  voided_at: number | null;
  void_reason: string | null;
}

/** What a certificate is searched by, in the form that `searchable` gives, a line for each name. */
interface CertificateWordsRow {
  id: string;
  words: string;
}

interface IdempotencyRow {
  family: string;
  operation: string;
  key: string;
  id: string;
  attempt: number;
  fingerprint: string;
  response: string | null;
  leased_until: number;
  expires_at: number;
}

export interface WaitlistRow {
  id: string;
  status: 'waiting' | 'approved' | 'declined';
  company: string;
  use_case: string;
  expected_volume: string;
  email: string;
  founding: number;
  asked_at: number;
  decided_at: number | null;
  key_id: string | null;
}

interface OperatorSecretRow {
  id: string;
  hash: string;
  set_at: number;
}

interface OperatorSessionRow {
  sha256: string;
  secret_sha256: string;
  created_at: number;
  last_used_at: number;
}

interface AttemptRow {
  name: string;
  count: number;
  reset_at: number;
}

export type Database = Kysely<Schema>;

/** How a repository reaches the database. Which one it takes says what a power cut may cost. */
export interface Connections {
  readonly engine: 'sqlite' | 'postgres';
  /** For what must survive a power cut once acknowledged: keys, audit, nomenclatures, certificates. */
  readonly ledger: Database;
  /**
   * For what every request asks, in single statements, which go together: a power cut may lose the last moments of what they
   * wrote, never the order of it.
   */
  readonly counters: Database;
  /** Where the database is, for error messages; holds no secret. */
  readonly place: string;
}
