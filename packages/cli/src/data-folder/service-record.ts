import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreLocation } from '@compliance/store';
import { CliError, fileError } from '../cli-error.ts';

const FILE = 'service.json';
const FORMAT = 1;

/** Source of a secret: an environment variable, or a file in the data folder. */
export type SecretOrigin = 'environment' | 'file';

/** Settings from a service's most recent start. Contains no secrets. */
export interface LastStart {
  /** Start time, in RFC 3339 format. */
  readonly at: string;
  readonly release: string;
  /** Whether `NODE_ENV` was `production`. */
  readonly production: boolean;
  /** Locations of the database tables and PDFs, without passwords. */
  readonly tables: string;
  readonly pdfs: string;
  readonly base_url: string | null;
  /** Address and port that the service listened on. */
  readonly host: string;
  readonly port: number;
  readonly operator_secret: SecretOrigin;
  readonly link_keys: {
    readonly origin: SecretOrigin;
    /** ID of the key that signs links. */
    readonly active: string;
    /** Fingerprint of each link key, by key ID. */
    readonly fingerprints: Readonly<Record<string, string>>;
  };
}

/**
 * Record that identifies a data folder and its service, in `<data>/service.json`. `doctor` compares its own settings
 * with this record, because if the settings differ, its checks don't apply to this service.
 */
export interface ServiceRecord {
  readonly format: typeof FORMAT;
  /** Random ID, which is also stored in backups. */
  readonly id: string;
  readonly created_at: string;
  readonly last_start?: LastStart;
  readonly last_backup?: { readonly file: string; readonly made_at: string };
}

/**
 * Returns a data folder's record, or null if the folder doesn't contain a record.
 *
 * @throws `CliError` if the file can't be read or is damaged
 */
export function readServiceRecord(dataDir: string): ServiceRecord | null {
  const file = join(dataDir, FILE);
  try {
    const record = JSON.parse(readFileSync(file, 'utf8'));
    if (record?.format !== FORMAT || typeof record.id !== 'string') throw new SyntaxError();
    return record;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (error instanceof SyntaxError) {
      throw new CliError(`${file} is damaged. Delete the file, and restart the service to recreate it.`);
    }
    throw fileError(`Can't read ${file}`, error, "Run the command under the service's user account.");
  }
}

type Change = Partial<Pick<ServiceRecord, 'id' | 'last_start' | 'last_backup'>>;

/**
 * Changes a data folder's record, or creates a record with a new ID. Makes the file readable only by its owner. If the
 * change fails, returns null for a service that keeps all data in PostgreSQL and S3, because that service doesn't need
 * the folder. For any other service, throws the error.
 *
 * @example updateServiceRecord({ dataDir: './data' }, { last_backup: { file, made_at } }, Date.now())
 */
export function updateServiceRecord(location: StoreLocation, change: Change, now: number): ServiceRecord | null {
  try {
    return writeRecord(location.dataDir!, change, now);
  } catch (error) {
    if (location.databaseUrl && location.s3) return null;
    throw error;
  }
}

function writeRecord(dataDir: string, change: Change, now: number): ServiceRecord {
  const known = readServiceRecord(dataDir) ?? {
    format: FORMAT,
    id: `svc_${randomBytes(8).toString('hex')}`,
    created_at: new Date(now).toISOString(),
  };
  const record: ServiceRecord = { ...known, ...change };
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const temporary = join(dataDir, `.${FILE}.${process.pid}`);
  writeFileSync(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, join(dataDir, FILE));
  return record;
}

/**
 * Returns a fingerprint that identifies a link key. A link key has at least 256 random bits, so its fingerprint doesn't
 * help an attacker guess the key.
 */
export function fingerprintOf(serviceId: string, keyId: string, secret: Uint8Array): string {
  return createHash('sha256').update(`${serviceId}:${keyId}:`).update(secret).digest('hex').slice(0, 16);
}
