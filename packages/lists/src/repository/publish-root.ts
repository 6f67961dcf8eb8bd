import { join } from 'node:path';
import { type Key, Metadata, Root } from '@tufjs/models';
import type { SigningKey } from '../keys/keys.ts';
import {
  metadataBytes,
  RepositoryError,
  type RoleName,
  readRoot,
  TUF_VERSION,
  writeAtomically,
} from './repository-files.ts';

/** A role's keys, and the number of keys that must sign the role's metadata. */
interface RoleKeys {
  readonly keys: readonly Key[];
  readonly threshold: number;
}

/** The roles of a new root, and the keys that sign it. */
export interface RootPlan {
  readonly roles: Readonly<Record<RoleName, RoleKeys>>;
  /**
   * Keys that sign the root. They must meet the new root's signature threshold and, in a rotation, the previous root's
   * threshold as well.
   */
  readonly signers: readonly SigningKey[];
  readonly now: Date;
  /** Number of days until the root expires. */
  readonly days: number;
}

/** A published root. */
export interface PublishedRoot {
  readonly version: number;
  readonly expires: string;
  /** Path of the root metadata. Clients need this file as their initial trusted root. */
  readonly file: string;
}

const DAY_MS = 86_400_000;

/**
 * Creates the first root of a repository, or rotates the keys of an existing repository.
 *
 * @param folder repository folder
 * @throws RepositoryError if a role has too few keys or the root has too few signatures
 */
export function publishRoot(folder: string, { roles, signers, now, days }: RootPlan): PublishedRoot {
  for (const [role, { keys, threshold }] of Object.entries(roles)) {
    const different = new Set(keys.map(({ keyID }) => keyID)).size;
    if (threshold < 1 || different < threshold) {
      throw new RepositoryError(
        `Invalid signature threshold for the ${role} role: ${threshold}. The threshold must be at least 1 and can't exceed the number of keys assigned to the role (${different}).`,
      );
    }
  }
  const previous = readRoot(folder);
  const version = (previous?.signed.version ?? 0) + 1;
  const expires = expiryOf(now, days);
  const all = Object.values(roles).flatMap(({ keys }) => keys);
  const root = Root.fromJSON({
    _type: 'root',
    spec_version: TUF_VERSION,
    version,
    expires,
    consistent_snapshot: true,
    keys: Object.fromEntries(all.map(key => [key.keyID, key.toJSON()])),
    roles: Object.fromEntries(
      Object.entries(roles).map(([role, { keys, threshold }]) => [
        role,
        { keyids: [...new Set(keys.map(({ keyID }) => keyID))], threshold },
      ]),
    ),
  });
  const metadata = new Metadata(root);
  for (const signer of signers) metadata.sign(signer.sign);
  requireSignatures(metadata, 'root', metadata, 'The new root');
  if (previous) requireSignatures(previous, 'root', metadata, 'The previous root');
  const file = join(folder, 'metadata', `${version}.root.json`);
  writeAtomically(file, metadataBytes(metadata));
  return { version, expires, file };
}

/**
 * Checks that metadata has enough valid signatures from a role's keys.
 *
 * @throws RepositoryError if the metadata has too few valid signatures
 */
export function requireSignatures(
  root: Metadata<Root>,
  role: RoleName,
  metadata: Parameters<Metadata<Root>['verifyDelegate']>[1],
  whose = 'The root',
): void {
  try {
    root.verifyDelegate(role, metadata);
  } catch {
    const { keyIDs, threshold } = root.signed.roles[role]!;
    const signed = keyIDs.filter(id => isSignedBy(root.signed.keys[id]!, metadata)).length;
    throw new RepositoryError(
      `${whose} requires ${threshold} ${threshold === 1 ? 'signature' : 'signatures'} for the ${role} role, but the metadata has ${signed}. Pass more ${role} keys.`,
    );
  }
}

function isSignedBy(key: Key, metadata: Parameters<Key['verifySignature']>[0]): boolean {
  try {
    key.verifySignature(metadata);
    return true;
  } catch {
    return false;
  }
}

/** Returns the time when metadata expires, to the second. */
export function expiryOf(now: Date, days: number): string {
  return `${new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 19)}Z`;
}
