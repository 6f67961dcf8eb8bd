import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { StoreError } from '../errors.ts';
import type { BackupRow } from './tables.ts';

const FORMAT = 'compliance-backup-1';

/**
 * Origin of a backup, which helps operators choose a backup to restore. Backups from earlier releases don't include an
 * origin.
 */
export interface BackupOrigin {
  /** ID of the service, as stored in the service's data folder. */
  readonly service?: string | undefined;
  /** Release version of the software that created the backup. */
  readonly release?: string | undefined;
  /** Date through which the service's tariff lists were current, YYYY-MM-DD. */
  readonly lists?: string | undefined;
}

/** The first line of a backup. */
export interface BackupHeader extends BackupOrigin {
  /** Time of the backup in UTC, in RFC 3339 format. */
  readonly madeAt: string;
  readonly engine: 'sqlite' | 'postgres';
  /** Names of the migrations that were applied to the tables. */
  readonly migrations: readonly string[];
}

/** The last line of a backup. */
export interface BackupFooter {
  /** Number of rows per table. */
  readonly rows: Readonly<Record<string, number>>;
  /** SHA-256 hash of each PDF that was already missing or damaged at the time of the backup. */
  readonly lacking: readonly string[];
  /** SHA-256 hash of all preceding lines, including their line endings. */
  readonly sha256: string;
}

/**
 * Writes a gzip-compressed backup: a JSON header line, a line for each row, and a footer line with a checksum. After
 * `end` resolves, the file has been written to disk. Only the file's owner can read it.
 */
export async function createFile(path: string, facts: BackupHeader) {
  const gzip = createGzip();
  const file = gzip.pipe(createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  const written = finished(file);
  // Prevent an unhandled rejection. A later `write` or `end` reports the error.
  written.catch(() => {});
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};

  async function write(value: unknown): Promise<void> {
    const text = `${JSON.stringify(value)}\n`;
    hash.update(text);
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), written]);
  }

  await write({ format: FORMAT, ...facts });
  return {
    async add(table: string, row: BackupRow): Promise<void> {
      rows[table] = (rows[table] ?? 0) + 1;
      await write([table, row]);
    },
    async end(lacking: readonly string[]): Promise<BackupFooter> {
      const facts: BackupFooter = { rows, lacking: [...lacking], sha256: hash.digest('hex') };
      gzip.end(`${JSON.stringify(facts)}\n`);
      await written;
      return facts;
    },
    async abandon(): Promise<void> {
      gzip.destroy();
      file.destroy();
      await written.catch(() => {});
    },
  };
}

/**
 * Reads only the header of a backup, without verifying the backup.
 *
 * @throws StoreError with `backup_damaged` or `backup_refused`
 */
export async function readHeader(path: string): Promise<BackupHeader> {
  try {
    for await (const line of linesOf(path)) {
      const header = JSON.parse(line);
      if (header?.format === FORMAT && Array.isArray(header.migrations)) return header;
      break;
    }
  } catch (error) {
    throw unreadable(path, error) ?? notABackup(path);
  }
  throw notABackup(path);
}

/**
 * Reads a backup, passes its header and rows to the callbacks, and returns the footer after verifying the whole file.
 *
 * @throws StoreError with `backup_damaged`, or with `backup_refused` if the file can't be read. Damage might not be
 * detected until the end of the file, so don't rely on any row until this function returns.
 */
export async function readFile(
  path: string,
  onHead: (head: BackupHeader) => Promise<void> | void,
  onRow: (table: string, row: BackupRow) => Promise<void> | void,
): Promise<BackupFooter> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  let number = 0;
  let ended: BackupFooter | null = null;
  try {
    for await (const text of linesOf(path)) {
      if (ended) throw damaged(path, 'has extra data after the footer');
      const value = JSON.parse(text);
      if (number++ === 0) {
        if (value?.format !== FORMAT || !Array.isArray(value.migrations)) throw new SyntaxError();
        await onHead(value);
      } else if (Array.isArray(value)) {
        const [table, row] = value;
        rows[table] = (rows[table] ?? 0) + 1;
        await onRow(table, row);
      } else {
        ended = value as BackupFooter;
        continue;
      }
      hash.update(`${text}\n`);
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const explained = unreadable(path, error);
    if (explained) throw explained;
    const { code } = error as NodeJS.ErrnoException;
    const isOurs = error instanceof SyntaxError || code?.startsWith('Z_');
    if (!isOurs) throw error;
    throw number <= 1 ? notABackup(path) : damaged(path, `is damaged near line ${number}`);
  }
  if (!ended) throw damaged(path, 'is truncated');
  const isWhole = ended.sha256 === hash.digest('hex') && JSON.stringify(ended.rows) === JSON.stringify(rows);
  if (!isWhole) throw damaged(path, "doesn't match its row counts or SHA-256 hash");
  return ended;
}

/**
 * Yields the lines of a gzip-compressed file. Splits only at `\n`, whereas `readline` also splits at other characters
 * that JSON text can contain.
 */
async function* linesOf(path: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const file = createReadStream(path);
  file.on('error', error => gunzip.destroy(error));
  file.pipe(gunzip).setEncoding('utf8');
  // A line can be many megabytes long, so join its chunks only once, when the line is complete.
  let pieces: string[] = [];
  try {
    for await (const chunk of gunzip as AsyncIterable<string>) {
      const [first, ...others] = chunk.split('\n');
      pieces.push(first!);
      for (const next of others) {
        yield pieces.join('');
        pieces = [next];
      }
    }
    const rest = pieces.join('');
    if (rest !== '') yield rest;
  } finally {
    file.destroy();
  }
}

/**
 * Converts a missing-file or permission error to an error that explains the problem. Returns null for any other error.
 */
function unreadable(path: string, error: unknown): StoreError | null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new StoreError('backup_damaged', `${path} doesn't exist.`);
  if (code !== 'EACCES' && code !== 'EPERM') return null;
  return new StoreError('backup_refused', `${path} can't be read (${code}). ${adviceOnPermission(path)}`);
}

/** Returns advice on how to give the current user access to a folder or file. */
export function adviceOnPermission(path: string): string {
  const uid = process.getuid?.();
  return uid === undefined
    ? 'Give this user access to the folder.'
    : `This command runs as UID ${uid}. To give this user access, run as root: chown -R ${uid} ${path}`;
}

function notABackup(path: string): StoreError {
  return damaged(path, "isn't a backup, or its header is damaged");
}

function damaged(path: string, how: string): StoreError {
  return new StoreError('backup_damaged', `${path} ${how}. Nothing was restored. Use another backup.`);
}
