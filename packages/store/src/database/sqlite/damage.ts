import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { sqlite } from './node-sqlite.ts';
import { sqliteFile } from './sqlite.ts';

/** First bytes of every SQLite database (https://www.sqlite.org/fileformat2.html#the_database_header). */
const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;

/**
 * Describes the damage to a data folder's database file, or returns null if the file is intact. Checks the header, the
 * file size, and the structure of all tables. Doesn't write to the file.
 *
 * @example findSqliteDamage('/var/lib/compliance') // 'is truncated: it should have 52 pages but has 20'
 */
export function findSqliteDamage(dataDir: string): string | null {
  const path = sqliteFile(dataDir);
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const { size } = fstatSync(file);
    if (size === 0) return null; // An empty file is an empty database.
    if (readSync(file, header) < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
      return "isn't an SQLite database, or its first page is damaged";
    }
    const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    const pages = header.readUInt32BE(28);
    if (size < pages * pageSize) {
      return `is truncated: it should have ${pages} pages but has ${Math.floor(size / pageSize)}`;
    }
  } finally {
    closeSync(file);
  }
  return findDamagedPage(path);
}

function findDamagedPage(path: string): string | null {
  const db = new sqlite.DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const [row] = db.prepare('pragma quick_check(1)').all();
    const result = String(row?.quick_check ?? 'no result');
    return result === 'ok' ? null : `has damaged pages (${result.replaceAll('\n', ' ')})`;
  } catch (error) {
    return `can't be read (${(error as Error).message})`;
  } finally {
    db.close();
  }
}
