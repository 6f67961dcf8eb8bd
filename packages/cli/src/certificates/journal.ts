import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, fileError } from '../cli-error.ts';

/** Journal entry for a certificate, written before the PDF so that a repeated run issues the same certificate. */
export interface JournalEntry {
  readonly key: string;
  readonly id: string;
  readonly issued_at: string;
  /** SHA-256 hash of the row's request. */
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

/** Creates a lock file. A lock whose process has exited is ignored. */
function acquire(lock: string): void {
  for (const attempt of [1, 2]) {
    try {
      const file = openSync(lock, attempt === 1 ? 'wx' : 'w');
      writeSync(file, `${process.pid}`);
      closeSync(file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(`Can't write ${lock}`, error);
      const owner = Number(readFileSync(lock, 'utf8'));
      if (isRunning(owner)) throw new CliError(`Process ${owner} is writing to this folder. Wait until it finishes.`);
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
