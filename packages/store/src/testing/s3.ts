import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type { S3Options } from '../blobs/s3.ts';

/** What goes wrong with a request: a status, a connection that is cut before or within the answer, or silence. */
export type S3Trouble = number | 'cut' | 'cut within' | 'silence';

/** A bucket on a server of its own. */
export interface S3 {
  /** What a store needs to use the bucket. */
  readonly options: S3Options;
  /** The bytes by key: `blobs/ab/cd/abcd….pdf`. A test may change them. */
  readonly objects: Map<string, Buffer>;
  /** Method, path and answer of each request so far, such as `GET /test/blobs/… 200`. */
  readonly log: string[];
  /** What befalls the next requests, one each. */
  readonly troubles: S3Trouble[];
  stop(): Promise<void>;
}

const BUCKET = 'test';
const REGION = 'us-east-1';
const ACCESS_KEY_ID = 'AKIDONLYFORTESTS';
const SECRET_ACCESS_KEY = 'only/for+tests';
const SKEW_MS = 15 * 60_000;

/**
 * Starts a server that puts and gets objects as S3 does. It believes nobody: AWS's own implementation signs each
 * request again, and every header that means something must be signed.
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
  const troubles: S3Trouble[] = [];

  async function answer(request: IncomingMessage, body: Buffer): Promise<{ status: number; body: Buffer | string }> {
    const refusal = await refuse(request, body);
    if (refusal) return refusal;
    const [bucket, key] = splitPath(request);
    if (bucket !== BUCKET) return failure(404, 'NoSuchBucket');
    if (request.method === 'PUT') {
      objects.set(key, body);
      return { status: 200, body: '' };
    }
    if (request.method !== 'GET') return failure(405, 'MethodNotAllowed');
    const object = objects.get(key);
    return object ? { status: 200, body: object } : failure(404, 'NoSuchKey');
  }

  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const trouble = troubles.shift();
    const { method, url, socket } = request;
    if (trouble === 'silence') return void log.push(`${method} ${url} silence`);
    if (trouble === 'cut') {
      log.push(`${method} ${url} cut`);
      return void socket.destroy();
    }
    const given = typeof trouble === 'number' ? failure(trouble, 'SlowDown') : await answer(request, body);
    log.push(`${method} ${url} ${given.status}`);
    response.writeHead(given.status, { 'content-length': Buffer.byteLength(given.body), location: '/elsewhere' });
    if (trouble !== 'cut within') return void response.end(given.body);
    response.write(given.body.slice(0, 1), () => socket.destroy());
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
    troubles,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Why S3 would not do this for whoever sends it; null when it is signed by the key. */
async function refuse(request: IncomingMessage, body: Buffer) {
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

/** S3 repeats what it was sent, the key's id and the signature with it. */
function failure(status: number, code: string, echo = '') {
  return { status, body: `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${echo}</Message></Error>` };
}

function splitPath(request: IncomingMessage): [bucket: string, key: string] {
  const [, bucket = '', ...key] = (request.url ?? '').split('/');
  return [bucket, key.join('/')];
}
