import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Dataset, DatasetError, loadDataset } from '@compliance/core/tariff/dataset';
import { type TargetFile, Updater } from 'tuf-js';
import { BadVersionError, ExpiredMetadataError } from 'tuf-js/dist/error.js';
import {
  compareVersions,
  type InstalledLists,
  readInstalled,
  writeInstalled,
  writeSynced,
} from '../installed/installed-lists.ts';
import { targetName } from '../repository/publish-dataset.ts';
import { RepositoryFetcher } from './repository-fetcher.ts';
import { UpdateError } from './update-error.ts';

/** Options for an update. */
export interface UpdateRequest {
  /** The lists folder, for example `data/lists`. */
  readonly folder: string;
  /** URL or folder of the repository. Defaults to the repository used for the last update. */
  readonly from?: string | undefined;
  /** Root metadata that the caller trusts. Required for the first update, and ignored later. */
  readonly trustedRoot?: Uint8Array | undefined;
  readonly now: Date;
}

/** Result of an update. */
export interface UpdateResult {
  readonly version: string;
  readonly known_through: string;
  readonly sha256: string;
  /** The version that was installed before the update, or null. */
  readonly previous: string | null;
  readonly from: string;
}

/** Maximum size of a data set, in bytes. */
const MAX_BYTES = 50_000_000;

/**
 * Downloads the newest data set from a repository, verifies it with The Update Framework, and installs it atomically.
 * If the update is refused or interrupted, the installed data set stays in use.
 *
 * @throws UpdateError if the update is refused
 * @throws InstalledListsError if the lists folder is damaged
 */
export async function updateLists(request: UpdateRequest): Promise<UpdateResult> {
  const { folder, trustedRoot, now } = request;
  makeFolder(folder);
  const installed = readInstalled(folder);
  const from = request.from ?? installed?.from;
  if (from === undefined) throw new UpdateError('unreachable', 'Specify a repository URL or folder.');
  const base = baseOf(from);
  const staging = `metadata-${randomBytes(8).toString('hex')}`;
  makeFolder(join(folder, staging));
  const fetcher = new RepositoryFetcher(base);
  let isCommitted = false;
  const commit = (lists: Pick<InstalledLists, 'dataset' | 'version' | 'updated_at'>) => {
    requireUnchanged(folder, installed);
    writeInstalled(folder, { ...lists, metadata: staging, from });
    isCommitted = true;
  };
  try {
    prepareMetadata(join(folder, staging), folder, installed, trustedRoot);
    const updater = new Updater({
      metadataDir: join(folder, staging),
      metadataBaseUrl: `${base}metadata`,
      targetBaseUrl: `${base}targets`,
      fetcher,
      // The repository doesn't delegate to other roles, so the update never follows a delegation.
      config: { maxDelegations: 0 },
    });
    await updater.refresh();
    const target = await updater.getTargetInfo(targetName());
    if (!target) {
      throw new UpdateError(
        'unsupported',
        `The repository doesn't have a data set that this release can read (${targetName()}). Install the latest release.`,
      );
    }
    const { dataset, file } = await download(updater, target, folder, installed);
    if (installed?.version && compareVersions(dataset.version, installed.version) < 0) {
      throw new UpdateError(
        'older',
        `The repository contains data set ${dataset.version}, which is older than the installed data set, ${installed.version}.`,
      );
    }
    commit({ dataset: file, version: dataset.version, updated_at: now.toISOString() });
    const { version, known_through, sha256 } = dataset;
    return { version, known_through, sha256, previous: installed?.version ?? null, from };
  } catch (error) {
    const refused = refusalOf(error, fetcher, from, folder);
    // Keep the metadata that was verified before the problem occurred, so that later updates refuse older versions of
    // the repository.
    if (!isCommitted && installed && existsSync(join(folder, staging, 'timestamp.json'))) commit(installed);
    throw refused;
  } finally {
    if (!isCommitted) rmSync(join(folder, staging), { recursive: true, force: true });
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw notWritable(folder, error as NodeJS.ErrnoException);
  }
}

function notWritable(folder: string, { code, message }: NodeJS.ErrnoException): UpdateError {
  const advice = "Check the folder's permissions and the free disk space.";
  return new UpdateError('not_writable', `Can't write to ${folder} (${code}). ${advice}`, message);
}

/** Returns the URL of a repository, with a trailing slash. */
function baseOf(from: string): string {
  if (/^https?:\/\//.test(from)) {
    if (!URL.canParse(from)) throw new UpdateError('unreachable', `${from} isn't a valid URL.`);
    return from.endsWith('/') ? from : `${from}/`;
  }
  if (!statSync(from, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UpdateError('unreachable', `${from} is neither a folder nor an HTTP URL.`);
  }
  return `${pathToFileURL(resolve(from)).href}/`;
}

function prepareMetadata(
  staging: string,
  folder: string,
  installed: InstalledLists | null,
  trustedRoot: Uint8Array | undefined,
): void {
  if (installed) {
    cpSync(join(folder, installed.metadata), staging, { recursive: true });
    return;
  }
  if (!trustedRoot) {
    throw new UpdateError(
      'no_root',
      "The first update requires the repository's trusted root metadata. Pass it with --root.",
    );
  }
  writeSynced(join(staging, 'root.json'), trustedRoot);
}

/** Downloads and loads a data set, unless it's already installed. */
async function download(
  updater: Updater,
  target: TargetFile,
  folder: string,
  installed: InstalledLists | null,
): Promise<{ dataset: Dataset; file: string }> {
  const file = `dataset-${target.hashes.sha256}.json`;
  const path = join(folder, file);
  if (!/^dataset-[0-9a-f]{64}\.json$/.test(file)) {
    throw new UpdateError('tampered', "The repository's metadata doesn't contain the SHA-256 hash of the data set.");
  }
  if (target.length > MAX_BYTES) {
    throw new UpdateError('invalid', `The data set is larger than ${MAX_BYTES / 1_000_000} MB.`);
  }
  const isInstalled = installed?.dataset === file && (await updater.findCachedTarget(target, path)) !== undefined;
  if (isInstalled) return { dataset: loadDataset(readFileSync(path, 'utf8')), file };
  const temporary = join(folder, `.current.json.${randomBytes(6).toString('hex')}`);
  try {
    await updater.downloadTarget(target, temporary);
    const bytes = readFileSync(temporary);
    const dataset = loadDataset(bytes.toString('utf8'));
    writeSynced(temporary, bytes);
    renameSync(temporary, path);
    return { dataset, file };
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Checks that no other update finished in the meantime. Another update might have installed a newer data set. */
function requireUnchanged(folder: string, before: InstalledLists | null): void {
  if (readInstalled(folder)?.metadata !== before?.metadata) {
    throw new UpdateError('older', 'Another update finished first. Run the update again.');
  }
}

function refusalOf(error: unknown, { failure }: RepositoryFetcher, from: string, folder: string): UpdateError {
  if (error instanceof UpdateError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof DatasetError) {
    const reason =
      error.reason === 'newer_format' ? 'unsupported' : error.reason === 'damaged' ? 'tampered' : 'invalid';
    return new UpdateError(reason, `The data set in ${from} can't be used. ${error.message}`, detail);
  }
  if (failure) {
    return failure.isMissing
      ? new UpdateError('incomplete', `The repository ${from} is incomplete: ${failure.path} is missing.`, detail)
      : new UpdateError('unreachable', `Can't read ${failure.path} from ${from} (${failure.detail}).`, detail);
  }
  // The fetcher records its own failures, so any other file system error comes from the lists folder.
  if (error instanceof Error && 'syscall' in error) return notWritable(folder, error as NodeJS.ErrnoException);
  if (error instanceof ExpiredMetadataError || detail.includes('is expired')) {
    const [name = 'metadata'] = /\w+\.json/.exec(detail) ?? [];
    return new UpdateError(
      'expired',
      `The metadata in the repository ${from} has expired (${name}). The repository’s operator must renew the metadata.`,
      detail,
    );
  }
  if (error instanceof BadVersionError || /less than current version|Missing file \S+ in new snapshot/.test(detail)) {
    return new UpdateError(
      'older',
      `The repository ${from} contains an older version than the one used for the last update. (${detail})`,
      detail,
    );
  }
  return new UpdateError('tampered', `The repository ${from} failed verification. (${detail})`, detail);
}
