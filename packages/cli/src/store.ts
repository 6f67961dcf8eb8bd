import { openStore, readS3Settings, type Store, StoreError, type StorePlace } from '@compliance/store';
import { Failure } from './failure.ts';

/** Opens the store of a data folder, or of `DATABASE_URL` when that is set, for as long as the work takes. */
export async function withStore<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openFor(dataDir);
  try {
    return await asStoreFailure(() => work(store));
  } finally {
    await store.close();
  }
}

/** Opens the same store until it is closed. */
export async function openFor(dataDir: string): Promise<Store> {
  return await asStoreFailure(() => openStore({ clock: Date.now, ...placeFor(dataDir) }));
}

/** Where a store is, by its data folder and the environment. */
export function placeFor(dataDir: string): StorePlace {
  return { dataDir, databaseUrl: process.env.DATABASE_URL, s3: readS3Settings(process.env) };
}

/** The store's messages say what to do. */
export async function asStoreFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreError ? new Failure(error.message) : error;
  }
}
