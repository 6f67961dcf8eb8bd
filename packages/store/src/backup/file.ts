import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { StoreError } from '../errors.ts';
import type { Row } from './tables.ts';

const FORMAT = 'compliance-backup-1';

/** What the first line of a backup says. */
export interface Head {
  /** RFC 3339, in UTC. */
  readonly madeAt: string;
  readonly engine: 'sqlite' | 'postgres';
  /** What the tables had gone through. */
  readonly migrations: readonly string[];
}

/** What the last line of a backup says. */
export interface Foot {
  /** How many of each table. */
  readonly rows: Readonly<Record<string, number>>;
  /** SHA-256 of PDFs that were lost or damaged already when the backup was made. */
  readonly lacking: readonly string[];
  /** Of all lines before, each with its line end. */
  readonly sha256: string;
}

/**
 * Writes a backup, packed by gzip: a line of JSON that says what it is, one for each row, one that proves the others. It is
 * on disk when `end` resolves, and readable by its owner alone.
 */
export async function createFile(path: string, facts: Head) {
  const gzip = createGzip();
  const file = gzip.pipe(createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  const written = finished(file);
  // Whoever writes next learns of it.
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
    async add(table: string, row: Row): Promise<void> {
      rows[table] = (rows[table] ?? 0) + 1;
      await write([table, row]);
    },
    async end(lacking: readonly string[]): Promise<Foot> {
      const facts: Foot = { rows, lacking: [...lacking], sha256: hash.digest('hex') };
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
 * Reads a backup: tells the head, then each row, and gives the foot once all was found to be as it was written.
 *
 * @throws StoreError `backup_damaged` at the latest at the end, so what came before is to be believed only then
 */
export async function readFile(
  path: string,
  onHead: (head: Head) => Promise<void> | void,
  onRow: (table: string, row: Row) => Promise<void> | void,
): Promise<Foot> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  let number = 0;
  let ended: Foot | null = null;
  try {
    for await (const text of linesOf(path)) {
      if (ended) throw damaged(path, 'goes on after its end');
      const value = JSON.parse(text);
      if (number++ === 0) {
        if (value?.format !== FORMAT || !Array.isArray(value.migrations)) throw new SyntaxError();
        await onHead(value);
      } else if (Array.isArray(value)) {
        const [table, row] = value;
        rows[table] = (rows[table] ?? 0) + 1;
        await onRow(table, row);
      } else {
        ended = value as Foot;
        continue;
      }
      hash.update(`${text}\n`);
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new StoreError('backup_damaged', `${path} is not there.`);
    const isOurs = error instanceof SyntaxError || code?.startsWith('Z_');
    if (!isOurs) throw error;
    throw damaged(path, number <= 1 ? 'is no backup, or its beginning is damaged' : `is damaged near line ${number}`);
  }
  if (!ended) throw damaged(path, 'breaks off before its end');
  const isWhole = ended.sha256 === hash.digest('hex') && JSON.stringify(ended.rows) === JSON.stringify(rows);
  if (!isWhole) throw damaged(path, 'holds other rows than were written');
  return ended;
}

/** Lines without `readline`'s habit of taking other signs than `\n` for their end: JSON text may hold those. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const file = createReadStream(path);
  file.on('error', error => gunzip.destroy(error));
  file.pipe(gunzip).setEncoding('utf8');
  // A line can have many megabytes, so its pieces are joined once.
  let pieces: string[] = [];
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
}

function damaged(path: string, how: string): StoreError {
  return new StoreError('backup_damaged', `${path} ${how}. Nothing was restored. Use another backup.`);
}
