import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { StoreError } from '../errors.ts';
import type { Shelf } from './blobs.ts';

/**
 * A bucket of Amazon S3 or of anything that speaks its protocol (R2, MinIO, Ceph, …). The key must be allowed to get,
 * put and list: without the last one S3 does not tell a missing PDF from a forbidden one.
 */
export interface S3Options {
  /** `https://s3.eu-central-1.amazonaws.com`, `http://127.0.0.1:9000`: without the bucket, which goes into the path. */
  readonly endpoint: string;
  readonly bucket: string;
  /** As the service names it: `eu-central-1`, `auto`, … It is part of the signature. */
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** How long S3 is asked: at most `attempts` times, `timeoutMs` each, with growing pauses from `pauseMs` between. */
interface Patience {
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly pauseMs: number;
}

interface Answer {
  readonly status: number;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Keeps blobs in a bucket under `blobs/`. Nothing is connected before the first of them. */
export function createS3Shelf(
  options: S3Options,
  { attempts, timeoutMs, pauseMs }: Patience = { attempts: 4, timeoutMs: 10_000, pauseMs: 200 },
): Shelf {
  const base = locateBucket(options);
  const { accessKeyId, secretAccessKey, region } = options;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });

  /** One signed request. The signature holds the time of day, so each attempt is signed anew. */
  async function askOnce(path: string, init: RequestInit): Promise<Answer> {
    const signal = AbortSignal.timeout(timeoutMs);
    const request = await client.sign(`${base.href}/blobs/${path}`, { ...init, redirect: 'manual', signal });
    const response = await fetch(request);
    return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
  }

  /** Asks again after a lost connection, a timeout and whatever S3 calls passing (5xx, 429). */
  async function ask(path: string, init: RequestInit): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await askOnce(path, init).catch((error: unknown) => new Trouble(codeOf(error)));
      const passing = answer instanceof Trouble || answer.status >= 500 || answer.status === 429;
      if (!passing) return answer;
      if (attempt === attempts) throw answer instanceof Trouble ? answer : refusal(answer);
      await pause(pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
    }
  }

  return {
    place: `The bucket ${options.bucket} at ${base.host}`,

    async write(path, bytes) {
      const digest = createHash('sha256').update(bytes).digest();
      const answer = await ask(path, {
        method: 'PUT',
        body: bytes,
        headers: {
          'content-type': 'application/pdf',
          // The first is part of the signature and checked on arrival, the second is kept with the object.
          'x-amz-content-sha256': digest.toString('hex'),
          'x-amz-checksum-sha256': digest.toString('base64'),
        },
      });
      if (answer.status !== 200) throw refusal(answer);
    },

    async read(path) {
      const answer = await ask(path, { method: 'GET' });
      if (answer.status === 200) return answer.body;
      // A missing bucket is a 404 as well, and says nothing about the PDF.
      if (answer.status === 404 && errorCode(answer) === 'NoSuchKey') return null;
      throw refusal(answer);
    },
  };
}

/** What went wrong, in a word. It takes nothing else of an error or an answer: they can hold the key or the signature. */
class Trouble extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

function refusal(answer: Answer): Trouble {
  return new Trouble(`${answer.status} ${errorCode(answer)}`.trim());
}

/** S3's own word for an error, such as `SignatureDoesNotMatch`. */
function errorCode({ body }: Answer): string {
  return /<Code>([A-Za-z]{1,60})<\/Code>/.exec(new TextDecoder().decode(body))?.[1] ?? '';
}

/** `fetch` puts what happened into the cause of a `TypeError`. */
function codeOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : name;
}

/** What each part of the options is called where it was set. */
export type S3Names = Readonly<Record<keyof S3Options, string>>;

const OWN_NAMES: S3Names = {
  endpoint: 's3.endpoint',
  bucket: 's3.bucket',
  region: 's3.region',
  accessKeyId: 's3.accessKeyId',
  secretAccessKey: 's3.secretAccessKey',
};

/**
 * The bucket's address. Messages name the option and never its value, which may be in the wrong place.
 *
 * @throws StoreError `config_invalid`
 * @example
 * locateBucket({ endpoint: 'https://s3.example', bucket: 'pdfs', region: 'auto', ...key }).href // https://s3.example/pdfs
 */
export function locateBucket(options: S3Options, names: S3Names = OWN_NAMES): URL {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = options;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : new URL('none:');
  const isPlain = /^https?:$/.test(url.protocol) && ![url.username, url.password, url.search, url.hash].some(Boolean);
  const rules: [boolean, keyof S3Options, string][] = [
    [isPlain, 'endpoint', 'an http or https address without a user, a query or a fragment'],
    [/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket), 'bucket', '3 to 63 of a-z, 0-9, dots and hyphens'],
    [/^[\w-]+$/.test(region), 'region', 'the name of a region, such as us-east-1'],
    [/^[\x21-\x7e]+$/.test(accessKeyId), 'accessKeyId', 'printable characters without spaces'],
    [/^[\x21-\x7e]+$/.test(secretAccessKey), 'secretAccessKey', 'printable characters without spaces'],
  ];
  for (const [holds, part, rule] of rules)
    if (!holds) throw new StoreError('config_invalid', `${names[part]} must be ${rule}.`);

  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${bucket}`;
  return url;
}
