import { join } from 'node:path';
import { DATASET_FORMAT, type Dataset, loadDataset } from '@compliance/core/tariff/dataset';
import { Metadata, MetaFile, Snapshot, TargetFile, Targets, Timestamp } from '@tufjs/models';
import { compareVersions } from '../installed/installed-lists.ts';
import type { SigningKey } from '../keys/keys.ts';
import { expiryOf, requireSignatures } from './publish-root.ts';
import {
  latestVersion,
  lengthAndHash,
  metadataBytes,
  RepositoryError,
  readRoot,
  readSnapshot,
  readTargets,
  readTimestamp,
  TUF_VERSION,
  writeAtomically,
} from './repository-files.ts';

/** A data set to publish, and the keys that sign it. */
export interface Publication {
  /** JSON text of the data set, or null to renew only the snapshot and the timestamp before they expire. */
  readonly dataset: string | null;
  readonly signers: readonly SigningKey[];
  readonly now: Date;
  /** Number of days until each role's metadata expires. */
  readonly days: { readonly targets: number; readonly snapshot: number; readonly timestamp: number };
}

/** A published data set. */
export interface PublishedDataset {
  readonly version: string;
  readonly known_through: string;
  readonly sha256: string;
  /** Time when clients stop accepting the repository unless it's published again. */
  readonly expires: string;
}

/** Returns the name of the target that contains the newest data set for a major version of the format. */
export function targetName(format: string = DATASET_FORMAT): string {
  return `dataset-${format.split('.')[0]}.json`;
}

/**
 * Signs a data set and writes it to a repository that any static host can serve. The timestamp is written last, so
 * readers see either the previous state of the repository or the new one.
 *
 * @param folder repository folder, with a root from `publishRoot`
 * @throws RepositoryError if the repository doesn't have a root, signatures are missing, or the data set is older than
 * the published one or has the same version but different content
 * @throws DatasetError if the data set is invalid
 */
export function publishDataset(folder: string, { dataset: text, signers, now, days }: Publication): PublishedDataset {
  const root = readRoot(folder);
  if (!root) throw new RepositoryError(`${folder} doesn't have root metadata. Create it with: compliance lists root`);
  const sign = <T extends Targets | Snapshot | Timestamp>(signed: T): Metadata<T> => {
    const metadata = new Metadata(signed);
    const { keyIDs } = root.signed.roles[signed.type]!;
    for (const signer of signers) if (keyIDs.includes(signer.key.keyID)) metadata.sign(signer.sign);
    requireSignatures(root, signed.type, metadata);
    return metadata;
  };
  const common = { specVersion: TUF_VERSION };
  const previous = readTargets(folder);
  const target = text === null ? null : targetOf(text, previous);
  let targets = previous;
  const files: [path: string, bytes: Uint8Array][] = [];
  if (target) {
    const kept = Object.entries(previous?.signed.targets ?? {}).filter(([path]) => path !== target.file.path);
    targets = sign(
      new Targets({
        ...common,
        version: latestVersion(folder, 'targets') + 1,
        expires: expiryOf(now, days.targets),
        targets: Object.fromEntries([...kept, [target.file.path, target.file]]),
      }),
    );
    files.push([`targets/${target.file.hashes.sha256}.${target.file.path}`, target.bytes]);
    files.push([`metadata/${targets.signed.version}.targets.json`, metadataBytes(targets)]);
  }
  if (!targets) throw new RepositoryError(`${folder} doesn't have a data set yet, so there's nothing to renew.`);
  const metaOf = (metadata: Metadata<Targets> | Metadata<Snapshot>) =>
    new MetaFile({ version: metadata.signed.version, ...lengthAndHash(metadataBytes(metadata)) });
  const snapshot = sign(
    new Snapshot({
      ...common,
      version: Math.max(latestVersion(folder, 'snapshot'), readSnapshot(folder)?.signed.version ?? 0) + 1,
      expires: expiryOf(now, days.snapshot),
      meta: { 'targets.json': metaOf(targets) },
    }),
  );
  const timestamp = sign(
    new Timestamp({
      ...common,
      version: (readTimestamp(folder)?.signed.version ?? 0) + 1,
      expires: expiryOf(now, days.timestamp),
      snapshotMeta: metaOf(snapshot),
    }),
  );
  files.push([`metadata/${snapshot.signed.version}.snapshot.json`, metadataBytes(snapshot)]);
  files.push(['metadata/timestamp.json', metadataBytes(timestamp)]);
  for (const [path, bytes] of files) writeAtomically(join(folder, path), bytes);
  const { version, known_through, sha256 } = published(targets);
  const expires = [targets, snapshot, timestamp].map(({ signed }) => signed.expires).sort()[0]!;
  return { version, known_through, sha256, expires };
}

interface Target {
  readonly file: TargetFile;
  readonly bytes: Uint8Array;
}

function targetOf(text: string, previous: Metadata<Targets> | null): Target {
  const dataset: Dataset = loadDataset(text);
  const { format, version, known_through, sha256 } = dataset;
  const path = targetName(format);
  const before = previous?.signed.targets[path];
  if (before) {
    const { version: last, sha256: hash } = datasetIn(before);
    const order = compareVersions(version, last);
    if (order < 0) throw new RepositoryError(`Data set ${version} is older than the published data set, ${last}.`);
    if (order === 0 && sha256 !== hash) {
      throw new RepositoryError(
        `The published data set has the same version, ${last}, but different content. Increase \`version\`.`,
      );
    }
  }
  const bytes = Buffer.from(text);
  const custom = { dataset: { format, version, known_through, sha256 } };
  return { file: new TargetFile({ path, ...lengthAndHash(bytes), unrecognizedFields: { custom } }), bytes };
}

function published(targets: Metadata<Targets>): { version: string; known_through: string; sha256: string } {
  const files = Object.values(targets.signed.targets).map(datasetIn);
  return files.sort((a, b) => compareVersions(a.version, b.version)).at(-1)!;
}

/** Returns the details of the data set that a target contains. */
function datasetIn({ custom }: TargetFile): { version: string; known_through: string; sha256: string } {
  return custom.dataset as { version: string; known_through: string; sha256: string };
}
