import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBlobs } from './blobs.ts';
import { createFolderBackend } from './folder-backend.ts';

const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('the blobs folder', () => {
  let parent: string;
  let dataDir: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'compliance-folder-'));
    dataDir = join(parent, 'new', 'data');
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('creates a private folder for the first blob and leaves no temporary files', async () => {
    const blobs = createBlobs(createFolderBackend(dataDir));
    expect(readdirSync(parent)).toEqual([]);
    await blobs.put(Buffer.from('abc'));
    const found = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).sort();
    const modes = found.map(path => [path, (statSync(join(dataDir, path)).mode & 0o777).toString(8)]);
    expect(Object.fromEntries(modes)).toEqual({
      blobs: '700',
      'blobs/.unfinished': '700',
      'blobs/ba': '700',
      'blobs/ba/78': '700',
      [`blobs/ba/78/${ABC}.pdf`]: '600',
    });
  });

  it("reports only an error code if the blobs folder can't be created or read", async () => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'blobs'), 'a file in the way');
    const blobs = createBlobs(createFolderBackend(dataDir));
    await expect(blobs.put(Buffer.from('abc'))).rejects.toMatchObject({
      name: 'StoreError',
      code: 'blobs_unavailable',
      message: expect.stringMatching(/ in the blobs folder in the data folder \(E[A-Z]+\)/),
    });
    await expect(blobs.get(ABC)).rejects.toMatchObject({ code: 'blobs_unavailable' });
  });

  it('leaves no temporary file if renaming a blob to its final path fails', async () => {
    mkdirSync(join(dataDir, 'blobs', 'ba', '78', `${ABC}.pdf`, 'in the way'), { recursive: true });
    const blobs = createBlobs(createFolderBackend(dataDir));
    await expect(blobs.put(Buffer.from('abc'))).rejects.toMatchObject({ code: 'blobs_unavailable' });
    expect(readdirSync(join(dataDir, 'blobs', '.unfinished'))).toEqual([]);
  });
});
