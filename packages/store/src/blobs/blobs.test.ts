import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type S3, startS3 } from '../testing/index.ts';
import { type BlobBackend, createBlobs } from './blobs.ts';
import { createFolderBackend } from './folder-backend.ts';
import { createS3Backend } from './s3-backend.ts';

/** SHA-256 hash of the three bytes `abc`, from the example in FIPS 180-4. */
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

function registerBlobs(backend: BlobBackend, overwrite: (path: string, bytes: Buffer) => void): void {
  const blobs = createBlobs(backend);

  it('returns stored bytes by their SHA-256 hash', async () => {
    expect(await blobs.has(ABC)).toBe(false);
    expect(await blobs.get(ABC)).toBeNull();
    expect(await blobs.put(Buffer.from('abc'))).toBe(ABC);
    expect(await blobs.has(ABC)).toBe(true);
    expect(Buffer.from((await blobs.get(ABC)) ?? [])).toEqual(Buffer.from('abc'));
  });

  it('stores arbitrary bytes and accepts the same bytes twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async bytes => {
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        expect([await blobs.put(bytes), await blobs.put(bytes)]).toEqual([sha256, sha256]);
        expect(Buffer.from((await blobs.get(sha256)) ?? [])).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 50 },
    );
  });

  it('stores the bytes passed to `put`, even if the caller changes the buffer afterward', async () => {
    const bytes = Buffer.alloc(3_000_000, 'a');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const putting = blobs.put(bytes);
    bytes.fill('b');
    expect(await putting).toBe(sha256);
    expect((await blobs.get(sha256))?.every(byte => byte === 0x61)).toBe(true);
  });

  it('accepts the same bytes from many concurrent callers', async () => {
    const bytes = Buffer.from('many at once');
    const puts = await Promise.all(Array.from({ length: 20 }, () => blobs.put(bytes)));
    expect(new Set(puts).size).toBe(1);
    expect(await blobs.has(puts[0] ?? '')).toBe(true);
  });

  it.each(['', 'abc', ABC.toUpperCase(), `${ABC} `, `../${ABC}`, `${ABC}/..`, '../../compliance.sqlite', '\0'])(
    "returns null for %j, which isn't a valid SHA-256 hash",
    async text => {
      await blobs.put(Buffer.from('abc'));
      expect(await blobs.get(text)).toBeNull();
      expect(await blobs.has(text)).toBe(false);
    },
  );

  it('deletes a single file or all files in a folder', async () => {
    const { files } = blobs;
    const bytes = new Uint8Array([1]);
    const names = ['job/in-1', 'job/in-2', 'job/in-3', 'job/out-1', 'job2/in-1', 'other/in-1'];
    for (const name of names) await files.write(name, bytes);
    const remaining = async () => {
      const contents = await Promise.all(names.map(files.read));
      return names.filter((_, i) => contents[i]);
    };
    await files.remove('job/in-2');
    await files.remove('job/in-2');
    expect(await remaining()).toEqual(['job/in-1', 'job/in-3', 'job/out-1', 'job2/in-1', 'other/in-1']);
    await files.removeFolder('job');
    await files.removeFolder('job');
    expect(await remaining()).toEqual(['job2/in-1', 'other/in-1']);
  });

  it.each(['abd', 'ab', ''])(
    'rejects stored bytes that were changed to %j, and repairs the blob when the original bytes are stored again',
    async other => {
      await blobs.put(Buffer.from('abc'));
      overwrite(`ba/78/${ABC}.pdf`, Buffer.from(other));
      await expect(blobs.get(ABC)).rejects.toMatchObject({
        code: 'blob_damaged',
        message: expect.stringContaining(`ba/78/${ABC}.pdf`),
      });
      await expect(blobs.has(ABC)).rejects.toMatchObject({ code: 'blob_damaged' });
      await blobs.put(Buffer.from('abc'));
      expect(await blobs.has(ABC)).toBe(true);
    },
  );
}

describe('blobs in a folder', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'compliance-blobs-'));
  afterAll(() => rmSync(dataDir, { recursive: true }));

  registerBlobs(createFolderBackend(dataDir), (path, bytes) => writeFileSync(join(dataDir, 'blobs', path), bytes));
});

const s3: S3 = await startS3();
describe('blobs on S3', () => {
  afterAll(() => s3.stop());

  registerBlobs(createS3Backend(s3.options), (path, bytes) => void s3.objects.set(`blobs/${path}`, bytes));
});

describe('blobs without a backend', () => {
  const blobs = createBlobs(null);

  it.each([
    ['put', () => blobs.put(Buffer.from('abc'))],
    ['get', () => blobs.get(ABC)],
    ['has', () => blobs.has(ABC)],
  ])('reports that no PDF location is configured when %s is called', async (_, call) => {
    await expect(call()).rejects.toMatchObject({ code: 'config_invalid', message: expect.stringContaining('S3') });
  });
});
