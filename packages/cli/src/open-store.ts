import { openStore, readS3Settings, type Store, StoreError, type StoreLocation } from '@compliance/store';
import { CliError } from './cli-error.ts';

/** Opens the store in `dataDir`, or in the database at `DATABASE_URL` if set, runs `work`, and closes the store. */
export async function withStore<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStoreFor(dataDir);
  try {
    return await reportStoreErrors(() => work(store));
  } finally {
    await store.close();
  }
}

/** Opens the store in `dataDir`, or in the database at `DATABASE_URL` if set. The caller must close the store. */
export async function openStoreFor(dataDir: string): Promise<Store> {
  return await reportStoreErrors(() => openStore({ clock: Date.now, ...storeLocation(dataDir) }));
}

/** Returns the store location based on the data folder and the environment variables. */
export function storeLocation(dataDir: string): StoreLocation {
  return { dataDir, databaseUrl: process.env.DATABASE_URL, s3: readS3Settings(process.env) };
}

/** Runs `work` and converts store errors to `CliError`, because store error messages tell the user what to do. */
export async function reportStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreError ? new CliError(error.message) : error;
  }
}
