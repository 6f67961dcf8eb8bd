import { openStore, readS3Settings, type Store, StoreError, type StoreLocation } from '@compliance/store';
import { CliError } from './cli-error.ts';
import { dataOwner, describeUser } from './data-folder/owner.ts';

/**
 * Opens the service's store, runs `work`, and then closes the store. The store is in the database at `DATABASE_URL` or,
 * if `DATABASE_URL` isn't set, in `dataDir`.
 *
 * @throws `CliError` if the store doesn't exist (only `serve` and `restore` create one) or if its files belong to
 * another user
 */
export async function withStore<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await atExistingStore(dataDir, location => openStore({ clock: Date.now, create: false, ...location }));
  try {
    return await reportStoreErrors(() => work(store));
  } finally {
    await store.close();
  }
}

/**
 * Opens the store in the database at `DATABASE_URL` or, if `DATABASE_URL` isn't set, in `dataDir`. The caller must
 * close the store.
 */
export async function openStoreFor(dataDir: string): Promise<Store> {
  return await reportStoreErrors(() => openStore({ clock: Date.now, ...storeLocation(dataDir) }));
}

/**
 * Runs `work` with the location of the service's store. If the store doesn't exist, the error explains how to select
 * the service's store.
 *
 * @throws `CliError` if a store error occurs or if the data folder belongs to another user
 */
export async function atExistingStore<T>(dataDir: string, work: (location: StoreLocation) => Promise<T>): Promise<T> {
  const location = storeLocation(dataDir);
  refuseOtherOwner(location);
  try {
    return await work(location);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const advice = error.code === 'store_missing' ? ` ${adviceOnLocation(location)}` : '';
    throw new CliError(`${error.message}${advice}`);
  }
}

function adviceOnLocation({ databaseUrl }: StoreLocation): string {
  return databaseUrl
    ? "Set DATABASE_URL to the service's database. The store is created when you run `compliance serve` for the first time."
    : "Specify the service's data folder with --data or COMPLIANCE_DATA, or its database with DATABASE_URL. The store is created when you run `compliance serve` for the first time.";
}

/**
 * Rejects a data folder that belongs to another user. A command that runs as root would create files that the service
 * can't read, and another user's command would fail with a permission error.
 *
 * @throws `CliError`
 */
export function refuseOtherOwner({ dataDir, databaseUrl, s3 }: StoreLocation): void {
  if (!dataDir || (databaseUrl && s3)) return;
  const owner = dataOwner(dataDir);
  if (owner === null || owner === process.getuid?.()) return;
  throw new CliError(
    `${dataDir} belongs to ${describeUser(owner)}, but this command runs as ${describeUser(process.getuid!())}. Run the command as the data folder's owner.`,
  );
}

/** Returns the store location based on the data folder and the environment variables. */
export function storeLocation(dataDir: string): StoreLocation {
  return { dataDir, databaseUrl: process.env.DATABASE_URL, s3: readS3Settings(process.env) };
}

/**
 * Runs `work` and converts store errors to `CliError` so that users see the error messages, which explain what to do.
 */
export async function reportStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreError ? new CliError(error.message) : error;
  }
}
