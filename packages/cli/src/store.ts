import { openStore, type S3Options, type Store, StoreError, type StorePlace } from '@compliance/store';
import { Failure } from './failure.ts';

/** Opens the store of a data folder, or of `DATABASE_URL` when that is set, for as long as the work takes. */
export async function withStore<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openFor(dataDir);
  try {
    return await asFailure(() => work(store));
  } finally {
    await store.close();
  }
}

/** Opens the same store until it is closed. */
export async function openFor(dataDir: string): Promise<Store> {
  return await asFailure(() => openStore({ clock: Date.now, ...placeFor(dataDir) }));
}

/** Where a store is, by its data folder and the environment. */
export function placeFor(dataDir: string): StorePlace {
  return { dataDir, databaseUrl: process.env.DATABASE_URL, s3: bucket(process.env) };
}

/** Where PDFs are kept when `S3_BUCKET` is set; they are kept in the data folder otherwise. */
function bucket(env: NodeJS.ProcessEnv): S3Options | undefined {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION = 'us-east-1', S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  if (!S3_BUCKET) return undefined;
  if (!S3_ENDPOINT || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    throw new Failure('With S3_BUCKET, set S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too.');
  }
  return {
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  };
}

/** The store's messages say what to do. */
export async function asFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreError ? new Failure(error.message) : error;
  }
}
