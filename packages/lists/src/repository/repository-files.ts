import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Metadata, MetadataKind, type Root, type Snapshot, type Targets, type Timestamp } from '@tufjs/models';

/** Version of the TUF specification that the metadata follows. */
export const TUF_VERSION = '1.0.31';

/** Error thrown if a repository can't be read or published. The message explains the problem. */
export class RepositoryError extends Error {
  override name = 'RepositoryError';
}

/** The roles whose metadata a repository contains. */
export type RoleName = 'root' | 'targets' | 'snapshot' | 'timestamp';

/** Metadata for any role. */
export type AnyMetadata = Metadata<Root> | Metadata<Targets> | Metadata<Snapshot> | Metadata<Timestamp>;

/** Returns a repository's newest root metadata, or null if the repository doesn't have any. */
export function readRoot(folder: string): Metadata<Root> | null {
  const versions = versionsOf(folder, 'root');
  const latest = versions.at(-1);
  return latest === undefined ? null : Metadata.fromJSON(MetadataKind.Root, readJson(folder, `${latest}.root.json`));
}

/** Returns the targets metadata that the current snapshot refers to, or null if no data set has been published. */
export function readTargets(folder: string): Metadata<Targets> | null {
  const snapshot = readSnapshot(folder);
  if (!snapshot) return null;
  const { version } = snapshot.signed.meta['targets.json']!;
  return Metadata.fromJSON(MetadataKind.Targets, readJson(folder, `${version}.targets.json`));
}

/** Returns the snapshot metadata that the timestamp refers to, or null if no data set has been published. */
export function readSnapshot(folder: string): Metadata<Snapshot> | null {
  const timestamp = readTimestamp(folder);
  if (!timestamp) return null;
  return Metadata.fromJSON(
    MetadataKind.Snapshot,
    readJson(folder, `${timestamp.signed.snapshotMeta.version}.snapshot.json`),
  );
}

/** Returns a repository's timestamp metadata, or null if no data set has been published. */
export function readTimestamp(folder: string): Metadata<Timestamp> | null {
  if (!existsSync(join(folder, 'metadata/timestamp.json'))) return null;
  return Metadata.fromJSON(MetadataKind.Timestamp, readJson(folder, 'timestamp.json'));
}

/** Returns metadata as the bytes to write to a file. */
export function metadataBytes(metadata: AnyMetadata): Buffer {
  return Buffer.from(`${JSON.stringify(metadata.toJSON(), null, 1)}\n`);
}

/**
 * Returns the highest version number that a repository uses for a role. Files from an interrupted publication are
 * included, so that a new publication never reuses their version numbers.
 */
export function latestVersion(folder: string, role: 'targets' | 'snapshot'): number {
  return versionsOf(folder, role).at(-1) ?? 0;
}

/** Returns a file's length and hash, which other metadata uses to refer to the file. */
export function lengthAndHash(bytes: Uint8Array): { length: number; hashes: { sha256: string } } {
  return { length: bytes.length, hashes: { sha256: createHash('sha256').update(bytes).digest('hex') } };
}

/** Writes a file so that a reader sees either its previous content or its new content, even after a power failure. */
export function writeAtomically(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = openSync(temporary, 'wx', 0o644);
  try {
    writeSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

function versionsOf(folder: string, role: RoleName): number[] {
  const path = join(folder, 'metadata');
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .flatMap(name => new RegExp(`^(\\d+)\\.${role}\\.json$`).exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

function readJson(folder: string, name: string) {
  const path = join(folder, 'metadata', name);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new RepositoryError(`Can't read ${path}: ${(error as Error).message}`);
  }
}
