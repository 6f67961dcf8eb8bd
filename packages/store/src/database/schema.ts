import type { InitialStatus } from '@compliance/core/entry/status';
import type { Kysely } from 'kysely';
import type { KeyScope } from '../key-scope.ts';

/**
 * The service's tables after the latest migration. Both engines share one schema with text, integer, and bigint
 * columns. Booleans are 0 or 1, times are ms since the Unix epoch, JSON is stored as text, and most IDs are generated
 * strings that sort by time.
 */
export interface DatabaseSchema {
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
  target_rates: TargetRateRow;
  watch_datasets: WatchDatasetRow;
  watches: WatchRow;
  watch_codes: WatchCodesRow;
  watch_events: WatchEventRow;
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

/**
 * Request counts for one key family. Both windows (minute and day) are in one row, so that a single statement counts a
 * request in both windows or in neither.
 */
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

/**
 * An issued certificate. `voided_at` and `void_reason` can be set only once. Triggers reject all other updates and all
 * deletes.
 */
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

/**
 * Searchable data from a certificate's record. `words` contains the names, one per line, normalized by `searchable`.
 */
export interface CertificateWordsRow {
  id: string;
  words: string;
  initial_status: InitialStatus;
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

/**
 * Request counts for one target in the most recent time slots. `slot` is the newest slot, and `recent` contains six
 * bits per slot.
 */
export interface TargetRateRow {
  target: string;
  slot: number;
  recent: number;
}

/** A data set that was used to evaluate watches, as JSON. */
interface WatchDatasetRow {
  sha256: string;
  body: string;
}

/**
 * An HTS code watch. The watch was last evaluated on `evaluated_on` against the data set `dataset_sha256`.
 * `dataset_order` is that data set's version in a form that sorts correctly as text. `last_seq` is the number of the
 * last event.
 */
export interface WatchRow {
  id: string;
  family: string;
  name: string;
  code_count: number;
  created_at: number;
  dataset_sha256: string;
  dataset_order: string;
  evaluated_on: string;
  last_seq: number;
  lease: string | null;
  leased_until: number;
  webhook_url: string | null;
  webhook_secrets: string | null;
}

/** A part of a watch's list of HTS codes, as JSON. */
interface WatchCodesRow {
  watch_id: string;
  part: number;
  body: string;
}

/** A watch event, numbered from 1 without gaps. Its delivery is a job in `webhook_jobs`. */
export interface WatchEventRow {
  watch_id: string;
  seq: number;
  created_at: number;
  body: string;
}

export type Database = Kysely<DatabaseSchema>;

/** Statistics for monitoring. */
export interface DatabaseFigures {
  /** Size of the database in bytes. On SQLite, this includes the write-ahead log. */
  readonly bytes: number;
  /** Number of this process's connections by state, and the number of callers that are waiting for a connection. */
  readonly connections: { readonly busy: number; readonly idle: number; readonly waiting: number };
}

/** Two connections to the same database, with different guarantees about which writes survive a power failure. */
export interface Connections {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * Connection for data, such as keys, the audit log, and certificates, that must survive a power failure after a write
   * is acknowledged.
   */
  readonly durable: Database;
  /**
   * Connection for the counts that every request writes. Runs only single statements, which are committed in batches. A
   * power failure can lose the most recent writes but doesn't change the order of writes.
   */
  readonly bestEffort: Database;
  /** Location of the database for error messages, without secrets. */
  readonly location: string;
  /** Returns the size of the database and the state of the connections. */
  measure(): Promise<DatabaseFigures>;
}
