import { StoreError } from '../../errors.ts';
import { databaseDamaged, fileFailure, storageFull, storageReadOnly } from '../../storage-failure.ts';

/** Location of the database, as shown in messages. */
export const SQLITE_LOCATION = 'compliance.sqlite in the data folder';

type Explain = (location: string, code: string) => StoreError;

const locked: Explain = (location, code) =>
  new StoreError(
    'database_unavailable',
    `Another process has kept ${location} locked for too long (${code}). Try again.`,
  );

const diskError: Explain = (location, code) =>
  new StoreError(
    'database_unavailable',
    `The disk reported an error for ${location} (${code}). Check the disk and the system log.`,
  );

/** Explanations by primary result code (https://www.sqlite.org/rescode.html). */
const PRIMARY: Readonly<Record<number, readonly [string, Explain]>> = {
  3: ['SQLITE_PERM', storageReadOnly],
  5: ['SQLITE_BUSY', locked],
  6: ['SQLITE_LOCKED', locked],
  8: ['SQLITE_READONLY', storageReadOnly],
  10: ['SQLITE_IOERR', diskError],
  11: ['SQLITE_CORRUPT', databaseDamaged],
  13: ['SQLITE_FULL', storageFull],
  14: ['SQLITE_CANTOPEN', storageReadOnly],
  26: ['SQLITE_NOTADB', databaseDamaged],
};

/** Explanations by extended result code, which take precedence. SQLite reports an exceeded quota as a failed write. */
const EXTENDED: typeof PRIMARY = {
  522: ['SQLITE_IOERR_SHORT_READ', databaseDamaged],
  778: ['SQLITE_IOERR_WRITE', storageFull],
  4874: ['SQLITE_IOERR_SHMSIZE', storageFull],
};

const NOT_IN_TRANSACTION = /no transaction is active/;

/**
 * Creates a function that converts one SQLite connection's storage errors to store errors. If the disk is full, SQLite
 * ends the transaction, so `commit` and `rollback` fail too. The function reports the original error instead of the
 * errors from these statements.
 */
export function createSqliteExplainer(location: string): (error: unknown) => unknown {
  let cause: unknown;
  return error => {
    const { errcode, message } = error as Error & { errcode?: number };
    if (errcode === undefined) return fileFailure(error, location) ?? error;
    if (cause && NOT_IN_TRANSACTION.test(message)) return cause;
    const [name, explain] = EXTENDED[errcode] ?? PRIMARY[errcode & 0xff] ?? [];
    cause = name && explain ? explain(location, name) : undefined;
    return cause ?? error;
  };
}
