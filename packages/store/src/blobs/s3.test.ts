import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, StoreError } from '../index.ts';
import { type S3, type S3Trouble, startS3 } from '../testing/index.ts';
import { createBlobs } from './blobs.ts';
import { createS3Shelf, type S3Options } from './s3.ts';

const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const PATH = `/test/blobs/ba/78/${ABC}.pdf`;

const failureOf = (work: Promise<unknown>): Promise<unknown> => work.then(String, (error: unknown) => error);

describe('blobs on S3', () => {
  let s3: S3;
  beforeEach(async () => {
    s3 = await startS3();
  });
  afterEach(() => s3.stop());

  const blobsWith = (change: Partial<S3Options> = {}, timeoutMs = 1000) =>
    createBlobs(createS3Shelf({ ...s3.options, ...change }, { attempts: 4, timeoutMs, pauseMs: 1 }));

  it.each([
    ['secretAccessKey', { secretAccessKey: 'only/for+testS' }, '403 SignatureDoesNotMatch'],
    ['accessKeyId', { accessKeyId: 'AKIDOFANOTHER' }, '403 InvalidAccessKeyId'],
    ['region', { region: 'eu-central-1' }, '400 AuthorizationHeaderMalformed'],
    ['bucket', { bucket: 'another' }, '404 NoSuchBucket'],
  ])('a wrong %s is refused at once, and nothing is taken for missing', async (_, change, word) => {
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

  it.each<[string, S3Trouble[]]>([
    ['a server that fails three times', [500, 503, 502]],
    ['too many requests', [429]],
    ['a connection that is cut', ['cut', 'cut']],
    ['silence', ['silence']],
    ['all of these', ['silence', 'cut', 500]],
  ])('%s is borne, in both directions', async (_, troubles) => {
    const blobs = blobsWith();
    s3.troubles.push(...troubles);
    expect(await blobs.put(Buffer.from('abc'))).toBe(ABC);
    s3.troubles.push(...troubles);
    expect(Buffer.from((await blobs.get(ABC)) ?? []).toString()).toBe('abc');
    expect(s3.log.filter(line => line.endsWith('200'))).toEqual([`PUT ${PATH} 200`, `GET ${PATH} 200`]);
    expect(s3.log).toHaveLength(2 * (troubles.length + 1));
  });

  it('an answer that is cut short is asked for again, not given', async () => {
    const blobs = blobsWith();
    await blobs.put(Buffer.from('abc'));
    s3.troubles.push('cut within');
    expect(Buffer.from((await blobs.get(ABC)) ?? []).toString()).toBe('abc');
  });

  it.each<[string, S3Trouble, string]>([
    ['a failing server', 503, '503 SlowDown'],
    ['silence', 'silence', 'TimeoutError'],
    ['a lost connection', 'cut', 'UND_ERR_SOCKET'],
  ])('%s is asked four times and no more, then named', async (_, trouble, word) => {
    const blobs = blobsWith({}, 300);
    s3.troubles.push(...Array.from({ length: 100 }, () => trouble));
    await expect(blobs.put(Buffer.from('abc'))).rejects.toMatchObject({
      code: 'blobs_unavailable',
      message: `The bucket test at ${new URL(s3.options.endpoint).host} does not take or give PDFs (${word}). Check that it is there and lets you in.`,
    });
    expect(s3.log).toHaveLength(4);
    await expect(blobs.get(ABC)).rejects.toMatchObject({ message: expect.stringContaining(word) });
    expect(s3.log).toHaveLength(8);
  });

  it('nobody there is named', async () => {
    await s3.stop();
    await expect(blobsWith().put(Buffer.from('abc'))).rejects.toMatchObject({
      code: 'blobs_unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    s3 = await startS3();
  });

  it.each([301, 307, 400, 403, 409, 412])('a %s is neither followed nor asked again', async status => {
    s3.troubles.push(status, status);
    await expect(blobsWith().put(Buffer.from('abc'))).rejects.toMatchObject({
      message: expect.stringContaining(`${status}`),
    });
    await expect(blobsWith().get(ABC)).rejects.toMatchObject({ message: expect.stringContaining(`${status}`) });
    expect(s3.log).toHaveLength(2);
  });

  it('works below a path of the endpoint, with or without a last slash', async () => {
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
  ])('a store with an unusable %s is refused by name and without showing it: %j', async (name, change) => {
    const options = { dataDir: '/nowhere/at/all', s3: { ...s3.options, ...change }, clock: Date.now };
    const refusal = await failureOf(openStore(options));
    expect(refusal).toBeInstanceOf(StoreError);
    expect(refusal).toMatchObject({ code: 'config_invalid', message: expect.stringContaining(`s3.${name}`) });
    expect(inspect(refusal, { depth: 20, showHidden: true })).not.toContain('fT0ps3cret');
  });
});
