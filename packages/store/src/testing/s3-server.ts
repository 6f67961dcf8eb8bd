import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type { S3Options } from '../blobs/s3-backend.ts';

/**
 * A simulated request failure: an HTTP status with an S3 error code (default: `SlowDown`), a connection closed before
 * or during the response, or no response.
 */
export type S3Fault = number | { readonly status: number; readonly code: string } | 'cut' | 'cut within' | 'silence';

/** S3 bucket on a local test server. */
export interface S3 {
  /** Options for a store that uses the bucket. */
  readonly options: S3Options;
  /** Stored bytes, by object key, such as `blobs/ab/cd/abcd….pdf`. Tests can change these bytes. */
  readonly objects: Map<string, Buffer>;
  /** Method, path, and status or fault of each request received so far, such as `GET /test/blobs/… 200`. */
  readonly log: string[];
  /** Failures to simulate for the next requests, one failure per request. */
  readonly faults: S3Fault[];
  stop(): Promise<void>;
}

const BUCKET = 'test';
const REGION = 'us-east-1';
const ACCESS_KEY_ID = 'AKIDONLYFORTESTS';
const SECRET_ACCESS_KEY = 'only/for+tests';
const SKEW_MS = 15 * 60_000;
/** Maximum number of keys in a list response. S3's limit is 1,000. */
const MAX_KEYS = 2;

/**
 * Starts a server that stores and returns objects as S3 does. The server verifies every signature with AWS's own
 * signing code and requires all relevant headers to be signed.
 *
 * @example
 * const s3 = await startS3();
 * const store = await openStore({ databaseUrl, s3: s3.options, clock: Date.now });
 * // …
 * await s3.stop();
 */
export async function startS3(): Promise<S3> {
  const objects = new Map<string, Buffer>();
  const log: string[] = [];
  const faults: S3Fault[] = [];

  async function respond(request: IncomingMessage, body: Buffer): Promise<{ status: number; body: Buffer | string }> {
    const rejection = await rejectUnsigned(request, body);
    if (rejection) return rejection;
    const [bucket, key] = splitPath(request);
    if (bucket !== BUCKET) return failure(404, 'NoSuchBucket');
    if (request.method === 'PUT') {
      objects.set(key, body);
      return { status: 200, body: '' };
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return { status: 204, body: '' };
    }
    if (request.method !== 'GET') return failure(405, 'MethodNotAllowed');
    const prefix = new URL(request.url ?? '', 'http://s3').searchParams.get('prefix');
    if (prefix !== null)
      return { status: 200, body: listing([...objects.keys()].filter(key => key.startsWith(prefix))) };
    const object = objects.get(key);
    return object ? { status: 200, body: object } : failure(404, 'NoSuchKey');
  }

  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const fault = faults.shift();
    const { method, url, socket } = request;
    if (fault === 'silence') return void log.push(`${method} ${url} silence`);
    if (fault === 'cut') {
      log.push(`${method} ${url} cut`);
      return void socket.destroy();
    }
    const { status, body: responseBody } =
      typeof fault === 'number'
        ? failure(fault, 'SlowDown')
        : typeof fault === 'object'
          ? failure(fault.status, fault.code)
          : await respond(request, body);
    log.push(`${method} ${url} ${status}`);
    response.writeHead(status, { 'content-length': Buffer.byteLength(responseBody), location: '/elsewhere' });
    if (fault !== 'cut within') return void response.end(responseBody);
    response.write(responseBody.slice(0, 1), () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    options: {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      bucket: BUCKET,
      region: REGION,
      accessKeyId: ACCESS_KEY_ID,
      secretAccessKey: SECRET_ACCESS_KEY,
    },
    objects,
    log,
    faults,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns an error response if a request's signature or checksum is invalid, otherwise null. */
async function rejectUnsigned(request: IncomingMessage, body: Buffer) {
  const { authorization = '', ...headers } = request.headers as Record<string, string>;
  const [, id, day, region, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  if (!id || !day || !region || !names || !signature) return failure(403, 'AccessDenied');
  if (id !== ACCESS_KEY_ID) return failure(403, 'InvalidAccessKeyId', authorization);
  if (region !== REGION) return failure(400, 'AuthorizationHeaderMalformed', authorization);

  const stamp = headers['x-amz-date'] ?? '';
  const date = new Date(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!stamp.startsWith(day) || !(Math.abs(date.getTime() - Date.now()) < SKEW_MS)) {
    return failure(403, 'RequestTimeTooSkewed', authorization);
  }
  const signed = new Set(names.split(';'));
  const meaningful = Object.keys(headers).filter(name => name === 'host' || name.startsWith('x-amz-'));
  if (!meaningful.every(name => signed.has(name))) return failure(403, 'AccessDenied', authorization);

  const url = new URL(request.url ?? '', `http://${headers.host}`);
  const signer = new SignatureV4({
    credentials: { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY },
    service: 's3',
    region: REGION,
    sha256: Sha256,
    uriEscapePath: false,
  });
  const expected = await signer.sign(
    {
      method: request.method ?? '',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => signed.has(name))),
      body,
    },
    { signingDate: date, signableHeaders: signed },
  );
  const expectedSignature = expected.headers.authorization?.slice(-64) ?? '';
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expectedSignature))) {
    return failure(403, 'SignatureDoesNotMatch', authorization);
  }

  const digest = createHash('sha256').update(body).digest();
  if (request.method === 'PUT' && headers['x-amz-content-sha256'] !== digest.toString('hex')) {
    return failure(400, 'XAmzContentSHA256Mismatch');
  }
  if (request.method === 'PUT' && headers['x-amz-checksum-sha256'] !== digest.toString('base64')) {
    return failure(400, 'BadDigest');
  }
  return null;
}

/** Returns a list response. As in S3, the number of keys in the response is limited. */
function listing(keys: readonly string[]): string {
  const contents = keys.slice(0, MAX_KEYS).map(key => `<Contents><Key>${key}</Key></Contents>`);
  return `<?xml version="1.0"?>\n<ListBucketResult>${contents.join('')}</ListBucketResult>`;
}

/** Returns an error response. As in S3, the response can include the received key ID and signature. */
function failure(status: number, code: string, echo = '') {
  return { status, body: `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${echo}</Message></Error>` };
}

function splitPath(request: IncomingMessage): [bucket: string, key: string] {
  const [, bucket = '', ...key] = new URL(request.url ?? '', 'http://s3').pathname.split('/');
  return [bucket, key.map(decodeURIComponent).join('/')];
}
