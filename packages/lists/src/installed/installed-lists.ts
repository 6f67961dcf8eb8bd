import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** A data set that an update installed, with the metadata used to verify it. */
export interface InstalledLists {
  /** Filename of the data set, or null if only the metadata was verified. */
  readonly dataset: string | null;
  /** Name of the folder with the verified metadata. */
  readonly metadata: string;
  /** Calendar version of the data set, or null if only the metadata was verified. */
  readonly version: string | null;
  /** URL or folder of the repository. */
  readonly from: string;
  /** Time of the last successful update, ISO 8601. */
  readonly updated_at: string;
}

/** Error thrown if the lists folder can't be used. The message explains the problem. */
export class InstalledListsError extends Error {
  override name = 'InstalledListsError';
}

/** The file that names the installed data set. Updates replace it atomically. */
const POINTER = 'current.json';

/** Time to keep files that are no longer needed, in milliseconds. */
const KEEP_MS = 600_000;

/**
 * Returns the installed lists, or null if no update has installed any.
 *
 * @param folder the lists folder, for example `data/lists`
 * @throws InstalledListsError if the folder is damaged
 */
export function readInstalled(folder: string): InstalledLists | null {
  const path = join(folder, POINTER);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new InstalledListsError(`Can't read ${path} (${(error as NodeJS.ErrnoException).code}).`);
  }
  const installed = parse(text);
  if (!installed)
    throw new InstalledListsError(
      `${path} is damaged. Delete ${folder}, and then run: compliance lists update --from URL --root FILE`,
    );
  return installed;
}

/** Replaces the installed lists atomically, and deletes files that are no longer needed. */
export function writeInstalled(folder: string, installed: InstalledLists): void {
  const previous = existsSync(join(folder, POINTER)) ? readInstalled(folder) : null;
  const temporary = join(folder, `.${POINTER}.${randomBytes(6).toString('hex')}`);
  writeSynced(temporary, Buffer.from(`${JSON.stringify(installed, null, 2)}\n`));
  renameSync(temporary, join(folder, POINTER));
  const needed = new Set([POINTER, installed.dataset, installed.metadata, previous?.dataset, previous?.metadata]);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (needed.has(name) || !isOurs(name)) continue;
    // Another update might still be using recent files.
    const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.parse(installed.updated_at) - mtimeMs > KEEP_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Writes a file and waits until it's on disk. */
export function writeSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Compares two calendar versions, such as `2026.11.2` and `2026.11.10`. Returns a negative number if the first version
 * is older.
 *
 * @example compareVersions('2026.11.10', '2026.11.2') > 0 // true
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map(version => version.split('.').map(Number)) as [number[], number[]];
  for (const [index, part] of left.entries()) if (part !== right[index]) return part - right[index]!;
  return 0;
}

/** Returns whether an update could have created a file with this name. Only these files are ever deleted. */
function isOurs(name: string): boolean {
  return /^(metadata-[0-9a-f]+|dataset-[0-9a-f]{64}\.json|\.current\.json\.[0-9a-f]+)$/.test(name);
}

function parse(text: string): InstalledLists | null {
  try {
    const { dataset, metadata, version, from, updated_at } = JSON.parse(text);
    const isValid =
      (dataset === null || /^dataset-[0-9a-f]{64}\.json$/.test(dataset)) &&
      /^metadata-[0-9a-f]+$/.test(metadata) &&
      (version === null || /^\d+\.\d+\.\d+$/.test(version)) &&
      typeof from === 'string' &&
      typeof updated_at === 'string';
    return isValid ? { dataset, metadata, version, from, updated_at } : null;
  } catch {
    return null;
  }
}
