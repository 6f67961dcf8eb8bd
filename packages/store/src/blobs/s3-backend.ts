import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { StoreError } from '../errors.ts';
import { storageFull } from '../storage-failure.ts';
import type { BlobBackend } from './blobs.ts';

/**
 * A bucket on Amazon S3 or a compatible service (R2, MinIO, Ceph, …). The access key needs permission to get, put,
 * list, and delete objects. Without list permission, S3 reports a missing PDF as forbidden. Only job files are deleted,
 * never PDFs.
 */
export interface S3Options {
  /**
   * S3 service URL without the bucket, such as `https://s3.eu-central-1.amazonaws.com` or `http://127.0.0.1:9000`. The
   * bucket name is appended to the path.
   */
  readonly endpoint: string;
  readonly bucket: string;
  /**
   * Region name as defined by the service, such as `eu-central-1` or `auto`. The request signature includes the region.
   */
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * Retry policy: at most `attempts` requests with a timeout of `timeoutMs` each, and exponential backoff with jitter.
 * The first pause is at most `pauseMs`.
 */
interface RetryPolicy {
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly pauseMs: number;
}

interface S3Response {
  readonly status: number;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Prefix of all object keys. */
const PREFIX = 'blobs/';

/** Creates a backend that stores blobs in a bucket under `blobs/`. Doesn't connect before the first request. */
export function createS3Backend(
  options: S3Options,
  { attempts, timeoutMs, pauseMs }: RetryPolicy = { attempts: 4, timeoutMs: 10_000, pauseMs: 200 },
): BlobBackend {
  const base = locateBucket(options);
  const { accessKeyId, secretAccessKey, region } = options;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });

  /** Sends one signed request. The signature includes the time, so each attempt is signed separately. */
  async function askOnce(path: string, init: RequestInit): Promise<S3Response> {
    const signal = AbortSignal.timeout(timeoutMs);
    const request = await client.sign(`${base.href}${path}`, { ...init, redirect: 'manual', signal });
    const response = await fetch(request);
    return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
  }

  /**
   * Sends a request and retries it after a lost connection, a timeout, or a status that S3 documents as temporary (5xx,
   * 429). Doesn't retry if the storage is full.
   */
  async function ask(path: string, init: RequestInit): Promise<S3Response> {
    for (let attempt = 1; ; attempt++) {
      const response = await askOnce(path, init).catch((error: unknown) => new S3RequestError(codeOf(error)));
      const isTemporary = response instanceof S3RequestError || response.status >= 500 || response.status === 429;
      if (!isTemporary || isFull(response)) return response as S3Response;
      if (attempt === attempts) throw response instanceof S3RequestError ? response : refusal(response);
      await pause(pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
    }
  }

  const urlOf = (path: string) => `/${PREFIX}${path}`;

  async function remove(path: string): Promise<void> {
    const response = await ask(urlOf(path), { method: 'DELETE' });
    if (response.status !== 204 && response.status !== 200 && response.status !== 404) throw refusal(response);
  }

  /** Returns the paths of at most 1,000 objects below a path. */
  async function list(path: string): Promise<string[]> {
    const query = new URLSearchParams({ 'list-type': '2', prefix: `${PREFIX}${path}/` });
    const response = await ask(`?${query}`, { method: 'GET' });
    if (response.status !== 200) throw refusal(response);
    const keys = new TextDecoder().decode(response.body).matchAll(/<Key>([^<]+)<\/Key>/g);
    return Array.from(keys, ([, key]) => key!.slice(PREFIX.length));
  }

  const location = `the bucket ${options.bucket} at ${base.host}`;
  const accept = (response: S3Response) => {
    if (isFull(response)) throw storageFull(location, refusal(response).code);
    if (response.status !== 200) throw refusal(response);
  };

  return {
    location,

    async write(path, bytes) {
      accept(
        await ask(
          urlOf(path),
          putRequest(bytes, path.endsWith('.pdf') ? 'application/pdf' : 'application/octet-stream'),
        ),
      );
    },

    async check() {
      const response = await askOnce(urlOf('health-check.txt'), putRequest(TEST_BYTES)).catch((error: unknown) => {
        throw new S3RequestError(codeOf(error));
      });
      accept(response);
    },

    remove,

    async removeFolder(path) {
      for (let paths = await list(path); paths.length > 0; paths = await list(path))
        for (const each of paths) await remove(each);
    },

    async read(path) {
      const response = await ask(urlOf(path), { method: 'GET' });
      if (response.status === 200) return response.body;
      // S3 also returns 404 if the bucket is missing, so the status code alone doesn't show that the PDF is missing.
      if (response.status === 404 && errorCode(response) === 'NoSuchKey') return null;
      throw refusal(response);
    },
  };
}

/**
 * Error for a failed request. The error contains only a short code, because the original error or response can contain
 * the access key or the signature.
 */
class S3RequestError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

function refusal(response: S3Response): S3RequestError {
  return new S3RequestError(`${response.status} ${errorCode(response)}`.trim());
}

/** Bytes that `check` writes. */
const TEST_BYTES = Buffer.from('This file was written to check that PDFs can be stored.\n');

/** Error codes of S3-compatible services (MinIO, Ceph, and others) for a full disk or an exhausted quota. */
const FULL_CODES =
  /^(XMinio(StorageFull|AdminBucketQuotaExceeded)|QuotaExceeded\w*|StorageQuotaExceeded|InsufficientStorage\w*)$/;
const INSUFFICIENT_STORAGE = 507;

function isFull(response: S3Response | S3RequestError): boolean {
  if (response instanceof S3RequestError) return false;
  return response.status === INSUFFICIENT_STORAGE || FULL_CODES.test(errorCode(response));
}

function putRequest(bytes: Uint8Array<ArrayBuffer>, type = 'text/plain'): RequestInit {
  const digest = createHash('sha256').update(bytes).digest();
  return {
    method: 'PUT',
    body: bytes,
    headers: {
      'content-type': type,
      // S3 checks the received object against the hash in the first header, and stores the second header's checksum
      // with the object.
      'x-amz-content-sha256': digest.toString('hex'),
      'x-amz-checksum-sha256': digest.toString('base64'),
    },
  };
}

/** Returns S3's error code, such as `SignatureDoesNotMatch`. */
function errorCode({ body }: S3Response): string {
  return /<Code>([A-Za-z]{1,60})<\/Code>/.exec(new TextDecoder().decode(body))?.[1] ?? '';
}

/**
 * Returns a code for a failed request: the code of the network error that made `fetch` throw a `TypeError`, or
 * otherwise the name of the thrown error, such as `TimeoutError`.
 */
function codeOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : name;
}

/** Names of the S3 options in error messages, such as environment variable names. */
export type S3Names = Readonly<Record<keyof S3Options, string>>;

const OWN_NAMES: S3Names = {
  endpoint: 's3.endpoint',
  bucket: 's3.bucket',
  region: 's3.region',
  accessKeyId: 's3.accessKeyId',
  secretAccessKey: 's3.secretAccessKey',
};

/**
 * Returns the bucket's URL. Error messages name the invalid option but omit its value, which might be a secret that was
 * assigned to the wrong option.
 *
 * @throws StoreError with `config_invalid`
 * @example
 * locateBucket({ endpoint: 'https://s3.example', bucket: 'pdfs', region: 'auto', ...key }).href // https://s3.example/pdfs
 */
export function locateBucket(options: S3Options, names: S3Names = OWN_NAMES): URL {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = options;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : new URL('none:');
  const isPlain = /^https?:$/.test(url.protocol) && ![url.username, url.password, url.search, url.hash].some(Boolean);
  const rules: [boolean, keyof S3Options, string][] = [
    [isPlain, 'endpoint', 'an HTTP or HTTPS URL without a username, query, or fragment'],
    [
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket),
      'bucket',
      'a name with 3 to 63 characters that contains only a-z, 0-9, dots, and hyphens',
    ],
    [/^[\w-]+$/.test(region), 'region', 'a region name, such as us-east-1'],
    [/^[\x21-\x7e]+$/.test(accessKeyId), 'accessKeyId', 'a string of printable ASCII characters without spaces'],
    [
      /^[\x21-\x7e]+$/.test(secretAccessKey),
      'secretAccessKey',
      'a string of printable ASCII characters without spaces',
    ],
  ];
  for (const [holds, part, rule] of rules)
    if (!holds) throw new StoreError('config_invalid', `${names[part]} must be ${rule}.`);

  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${bucket}`;
  return url;
}
