import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, fileError } from '../cli-error.ts';

/** Journal entry for a certificate, written before the PDF so that a repeated run issues the same certificate. */
export interface JournalEntry {
  readonly key: string;
  readonly id: string;
  readonly issued_at: string;
  /** SHA-256 hash of the row's request and attachments. */
  readonly request: string;
}

/** The certificates in a folder, by row key. */
export interface Journal {
  get(key: string): JournalEntry | undefined;
  /** Adds a certificate and resolves when the entry is on disk. */
  add(key: string, request: string): Promise<JournalEntry>;
  close(): Promise<void>;
}

/**
 * Opens the journal in a folder and locks the folder for this process. An incomplete last line left by a killed process
 * is ignored.
 *
 * @throws CliError if another process is using the folder, or if the journal can't be read or written
 */
export async function openJournal(folder: string): Promise<Journal> {
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, '.lock');
  acquire(lock);
  const file = join(folder, 'journal.ndjson');
  const { entries, needsNewline } = read(file);
  const handle: FileHandle = await open(file, 'a').catch(error => {
    throw fileError(`Can't write ${file}`, error);
  });
  if (needsNewline) await handle.appendFile('\n');
  return {
    get: key => entries.get(key),
    async add(key, request) {
      const entry = { key, id: randomUUID(), issued_at: new Date().toISOString(), request };
      await handle.appendFile(`${JSON.stringify(entry)}\n`);
      await handle.datasync();
      entries.set(key, entry);
      return entry;
    },
    async close() {
      await handle.close();
      await rm(lock, { force: true });
    },
  };
}

function read(file: string): { entries: Map<string, JournalEntry>; needsNewline: boolean } {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError(`Can't read ${file}`, error);
  }
  const entries = new Map<string, JournalEntry>();
  for (const line of text.split('\n')) {
    try {
      const entry = JSON.parse(line) as JournalEntry;
      entries.set(entry.key, entry);
    } catch {
      // The line is incomplete, so its certificate wasn't rendered.
    }
  }
  return { entries, needsNewline: text !== '' && !text.endsWith('\n') };
}

/**
 * Creates a lock file. Replaces a stale lock, whose process has exited. Only one process at a time can replace a lock.
 * Otherwise, two processes could find the stale lock, and both would write to the folder.
 */
function acquire(lock: string): void {
  if (create(lock)) return;
  const replacing = `${lock}.replacing`;
  if (!create(replacing)) throw isStarting(replacing);
  try {
    const owner = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : null;
    if (owner !== null && isRunning(owner)) {
      throw new CliError(`Process ${owner} is writing to this folder. Wait until it finishes.`);
    }
    // The lock file is empty until the process that created it writes its ID.
    if (owner !== 0) rmSync(lock, { force: true });
    if (!create(lock)) throw isStarting(lock);
  } finally {
    rmSync(replacing, { force: true });
  }
}

const isStarting = (file: string) =>
  new CliError(
    `Another process is starting to write to this folder. If no other process is using this folder, delete ${file}.`,
  );

/** Creates a file with this process's ID. Returns false if the file already exists. */
function create(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw fileError(`Can't write ${file}`, error);
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
