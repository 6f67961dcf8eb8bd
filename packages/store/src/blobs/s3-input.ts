import { AwsClient } from 'aws4fetch';
import { StoreError } from '../errors.ts';
import { locateBucket, type S3Options } from './s3-backend.ts';

/** S3 options and the prefix of a location in the bucket, such as `codes/`. */
export interface S3InputOptions extends S3Options {
  /** Prefix of the object keys: empty, or text that ends with a slash. */
  readonly prefix: string;
}

/** A bucket location whose objects every account can use as job input. */
export interface S3Input {
  /** URL of the location, such as `s3://imports/codes/`. */
  readonly location: string;
  /** Returns whether a URL, such as `s3://imports/codes/november.parquet`, names an object in this location. */
  has(url: string): boolean;
  /**
   * Returns the content of an object, or null if the object doesn't exist or the access key can't read it.
   *
   * @param url URL for which `has` returns true
   * @throws StoreError with `input_unavailable`, or the signal's reason
   */
  open(url: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null>;
}

/** Maximum time until the response starts, in milliseconds. */
const RESPONSE_MS = 30_000;

/**
 * Creates a reader for the objects in a location. Doesn't connect before the first request.
 *
 * @throws StoreError with `config_invalid`
 * @example
 * const input = createS3Input({ ...options, bucket: 'imports', prefix: 'codes/' });
 * const content = await input.open('s3://imports/codes/november.parquet', signal);
 */
export function createS3Input({ prefix, ...options }: S3InputOptions): S3Input {
  const base = locateBucket(options);
  const { accessKeyId, secretAccessKey, region } = options;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  const bucketUrl = `s3://${options.bucket}/`;
  const location = `${bucketUrl}${prefix}`;
  const has = (url: string) => url.startsWith(location) && isObjectKey(url.slice(bucketUrl.length));
  return {
    location,
    has,
    async open(url, signal) {
      if (!has(url)) throw new RangeError('The object is outside the configured location.');
      const path = url.slice(bucketUrl.length).split('/').map(encodeURIComponent).join('/');
      try {
        const timeout = new AbortController();
        const timer = setTimeout(() => timeout.abort(), RESPONSE_MS);
        const init = { method: 'GET', redirect: 'manual', signal: AbortSignal.any([signal, timeout.signal]) } as const;
        const response = await fetch(await client.sign(`${base.href}/${path}`, init)).finally(() =>
          clearTimeout(timer),
        );
        if (response.status === 200) return chunksOf(response.body, signal);
        await response.body?.cancel();
        // S3 responds with 403 for a missing object if the access key doesn't have permission to list objects.
        if (response.status === 404 || response.status === 403) return null;
      } catch {
        signal.throwIfAborted();
      }
      throw unavailable();
    },
  };
}

/**
 * Returns whether a key can name an object. Rejects empty path segments, and `.` and `..`, which the URL parser would
 * resolve.
 */
const isObjectKey = (key: string) =>
  key.length <= 1_024 && key.split('/').every(part => part !== '' && part !== '.' && part !== '..');

async function* chunksOf(body: AsyncIterable<Uint8Array> | null, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    if (body) yield* body;
  } catch {
    signal.throwIfAborted();
    throw unavailable();
  }
}

const unavailable = () => new StoreError('input_unavailable', "The object can't be read.");
