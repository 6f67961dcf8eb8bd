import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the ID of the user who owns a data folder's files: the owner of the database file, or of the folder if it
 * doesn't contain a database. Returns null if the folder doesn't exist or if the platform has no user IDs.
 */
export function dataOwner(dataDir: string): number | null {
  if (!process.getuid) return null;
  const found = [join(dataDir, 'compliance.sqlite'), dataDir]
    .map(path => statSync(path, { throwIfNoEntry: false }))
    .find(entry => entry !== undefined);
  return found?.uid ?? null;
}

/** Describes a user by name and ID, such as `compliance (UID 997)`, or only by ID if the user has no name. */
export function describeUser(uid: number): string {
  const name = nameOf(uid);
  return name === undefined ? `the user with UID ${uid}` : `${name} (UID ${uid})`;
}

function nameOf(uid: number): string | undefined {
  try {
    const users = readFileSync('/etc/passwd', 'utf8').split('\n');
    return users.map(line => line.split(':')).find(([, , id]) => id === String(uid))?.[0];
  } catch {
    return undefined;
  }
}
