import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, StoreError } from '../index.ts';
import { type S3, type S3Fault, startS3 } from '../testing/index.ts';
import { createBlobs } from './blobs.ts';
import { createS3Backend, type S3Options } from './s3-backend.ts';

const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const PATH = `/test/blobs/ba/78/${ABC}.pdf`;

/** Timeout that is long enough for every request, even on a busy machine. */
const PATIENT_MS = 30_000;

const failureOf = (work: Promise<unknown>): Promise<unknown> => work.then(String, (error: unknown) => error);

describe('blobs on S3', () => {
  let s3: S3;
  beforeEach(async () => {
    s3 = await startS3();
  });
  afterEach(() => s3.stop());

  const blobsWith = (change: Partial<S3Options> = {}, timeoutMs = PATIENT_MS) =>
    createBlobs(createS3Backend({ ...s3.options, ...change }, { attempts: 4, timeoutMs, pauseMs: 1 }));

  it.each([
    ['secretAccessKey', { secretAccessKey: 'only/for+testS' }, '403 SignatureDoesNotMatch'],
    ['accessKeyId', { accessKeyId: 'AKIDOFANOTHER' }, '403 InvalidAccessKeyId'],
    ['region', { region: 'eu-central-1' }, '400 AuthorizationHeaderMalformed'],
    ['bucket', { bucket: 'another' }, '404 NoSuchBucket'],
  ])('rejects a wrong %s immediately instead of reporting the PDF as missing', async (_, change, word) => {
    const blobs = blobsWith(change);
    for (const work of [() => blobs.put(Buffer.from('abc')), () => blobs.get(ABC), () => blobs.has(ABC)]) {
      const refusal = await failureOf(work());
      expect(refusal).toBeInstanceOf(StoreError);
      expect(refusal).toMatchObject({ code: 'blobs_unavailable', message: expect.stringContaining(`(${word})`) });
      const shown = inspect(refusal, { depth: 20, showHidden: true });
      const { accessKeyId, secretAccessKey } = { ...s3.options, ...change };
      for (const secret of [accessKeyId, secretAccessKey, 'Signature=']) expect(shown).not.toContain(secret);
    }
    expect(s3.objects.size).toBe(0);
    expect(s3.log).toHaveLength(3);
  });

  it.each<[string, S3Fault[]]>([
    ['a server that fails three times', [500, 503, 502]],
    ['too many requests', [429]],
    ['a closed connection', ['cut', 'cut']],
    ['no response', ['silence']],
    ['all of these failures', ['silence', 'cut', 500]],
  ])('retries reads and writes after %s', async (_, faults) => {
    const blobs = blobsWith({}, faults.includes('silence') ? 1_000 : PATIENT_MS);
    s3.faults.push(...faults);
    expect(await blobs.put(Buffer.from('abc'))).toBe(ABC);
    s3.faults.push(...faults);
    expect(Buffer.from((await blobs.get(ABC)) ?? []).toString()).toBe('abc');
    expect(s3.log.filter(line => line.endsWith('200'))).toEqual([`PUT ${PATH} 200`, `GET ${PATH} 200`]);
    expect(s3.log).toHaveLength(2 * (faults.length + 1));
  });

  it('retries the request after a truncated response', async () => {
    const blobs = blobsWith();
    await blobs.put(Buffer.from('abc'));
    s3.faults.push('cut within');
    expect(Buffer.from((await blobs.get(ABC)) ?? []).toString()).toBe('abc');
  });

  it.each<[string, S3Fault, string]>([
    ['a failing server', 503, '503 SlowDown'],
    ['no response', 'silence', 'TimeoutError'],
    ['a lost connection', 'cut', 'UND_ERR_SOCKET'],
  ])('reports %s after four attempts', async (_, fault, word) => {
    const blobs = blobsWith({}, fault === 'silence' ? 300 : PATIENT_MS);
    s3.faults.push(...Array.from({ length: 100 }, () => fault));
    await expect(blobs.put(Buffer.from('abc'))).rejects.toMatchObject({
      code: 'blobs_unavailable',
      message: `Can't read or write files in the bucket test at ${new URL(s3.options.endpoint).host} (${word}). Make sure that the location exists and that the service has access to it.`,
    });
    expect(s3.log).toHaveLength(4);
    await expect(blobs.get(ABC)).rejects.toMatchObject({ message: expect.stringContaining(word) });
    expect(s3.log).toHaveLength(8);
  });

  it('reports a refused connection', async () => {
    await s3.stop();
    await expect(blobsWith().put(Buffer.from('abc'))).rejects.toMatchObject({
      code: 'blobs_unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    s3 = await startS3();
  });

  it.each([301, 307, 400, 403, 409, 412])(
    'reports status %s without retrying or following a redirect',
    async status => {
      s3.faults.push(status, status);
      await expect(blobsWith().put(Buffer.from('abc'))).rejects.toMatchObject({
        message: expect.stringContaining(`${status}`),
      });
      await expect(blobsWith().get(ABC)).rejects.toMatchObject({ message: expect.stringContaining(`${status}`) });
      expect(s3.log).toHaveLength(2);
    },
  );

  it('supports an endpoint with a path, with or without a trailing slash', async () => {
    for (const end of ['/', '']) {
      await failureOf(blobsWith({ endpoint: `${s3.options.endpoint}/storage/v1${end}` }).get(ABC));
      expect(s3.log.at(-1)).toBe(`GET /storage/v1${PATH} 404`);
    }
  });

  it.each([
    ['endpoint', { endpoint: 'fT0ps3cret' }],
    ['endpoint', { endpoint: 'ftp://127.0.0.1' }],
    ['endpoint', { endpoint: 'https://bob:fT0ps3cret@127.0.0.1' }],
    ['endpoint', { endpoint: 'https://127.0.0.1?key=fT0ps3cret' }],
    ['bucket', { bucket: '' }],
    ['bucket', { bucket: '../fT0ps3cret' }],
    ['region', { region: '' }],
    ['accessKeyId', { accessKeyId: '' }],
    ['accessKeyId', { accessKeyId: 'AKID\r\nX: fT0ps3cret' }],
    ['secretAccessKey', { secretAccessKey: '' }],
    ['secretAccessKey', { secretAccessKey: ' fT0ps3cret' }],
  ])('reports an invalid %s by name without showing its value: %j', async (name, change) => {
    const options = { dataDir: '/nowhere/at/all', s3: { ...s3.options, ...change }, clock: Date.now };
    const refusal = await failureOf(openStore(options));
    expect(refusal).toBeInstanceOf(StoreError);
    expect(refusal).toMatchObject({ code: 'config_invalid', message: expect.stringContaining(`s3.${name}`) });
    expect(inspect(refusal, { depth: 20, showHidden: true })).not.toContain('fT0ps3cret');
  });
});
