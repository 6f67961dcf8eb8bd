import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { explainPostgres } from './database/postgres-failure.ts';
import { openBlobs, openStore, StoreError } from './index.ts';
import { startS3 } from './testing/index.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-storage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const open = (dataDir: string) => openStore({ dataDir, clock: Date.now });

const pdfOf = (bytes: number) => Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(bytes, 7)]);

/** Returns the code of the store error that `work` rejects with. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'no error',
    (error: Error) => (error instanceof StoreError ? error.code : `${error}`),
  );
}

/** Runs `storage-child.ts` with a file size limit, to simulate an exceeded quota without root privileges. */
function runWithFileLimit(folder: string, kilobytes: number) {
  const child = fileURLToPath(new URL('./testing/storage-child.ts', import.meta.url));
  // A process that exceeds the limit receives a signal. The process must ignore the signal to get an error instead.
  const script = `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" --conditions=@compliance/source "$1" "$2"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, child, folder], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe.skipIf(process.platform === 'win32')('a full disk', () => {
  it('causes every write to fail with a disk-full error, but doesn’t lose data or affect reads', async () => {
    const folder = temporaryFolder();
    // A new store's tables need about 500 KB and fit within the limit. The PDF is larger than 1 MB and doesn't.
    const outcome = runWithFileLimit(folder, 768);
    expect(outcome).toEqual({
      issuing: 'storage_full',
      putting: 'storage_full',
      health: { database: 'storage_full', pdfs: null },
      acknowledged: expect.any(Number),
      readable: outcome.acknowledged,
      // The limit is 100 requests a minute, counted in memory.
      allowed: 100,
    });
    expect(outcome.acknowledged).toBeGreaterThan(0);
    // Without the limit, the same folder works again.
    const store = await open(folder);
    expect((await store.keys.list()).length).toBeGreaterThanOrEqual(outcome.acknowledged as number);
    await store.keys.issue({ scope: 'all', actor: 'test' });
    expect(await store.health()).toEqual({ database: null, pdfs: null });
    await store.close();
  });

  it('is reported without retries if an S3 service reports a full disk or an exceeded quota', async () => {
    const s3 = await startS3();
    onTestFinished(s3.stop);
    const store = await openStore({ dataDir: temporaryFolder(), s3: s3.options, clock: Date.now });
    onTestFinished(store.close);
    for (const [status, code] of [
      [507, 'XMinioStorageFull'],
      [403, 'QuotaExceeded'],
    ] as const) {
      s3.faults.push({ status, code });
      expect(await codeOf(store.blobs.put(pdfOf(status)))).toBe('storage_full');
    }
    expect(await codeOf(store.blobs.put(pdfOf(1)))).toBe('no error');
    s3.faults.push({ status: 507, code: 'XMinioStorageFull' });
    expect(await store.health()).toMatchObject({ database: null, pdfs: { code: 'storage_full' } });
  });
});

describe('a damaged SQLite file', () => {
  const damaged = {
    'is not a database': (file: string) => writeFileSync(file, 'something else entirely '.repeat(400)),
    'is truncated': (file: string) => truncateSync(file, 4096 + 100),
    'has overwritten pages': (file: string) => {
      const bytes = readFileSync(file);
      bytes.fill(0xaa, 4096);
      writeFileSync(file, bytes);
    },
  };

  it.each(Object.entries(damaged))('is reported with recovery instructions if the file %s', async (_, damage) => {
    const dataDir = temporaryFolder();
    const first = await open(dataDir);
    for (let i = 0; i < 20; i++) await first.keys.issue({ scope: 'all', actor: 'test' });
    await first.close();
    damage(join(dataDir, 'compliance.sqlite'));
    const failure = await open(dataDir).then(
      async store => await store.keys.list().finally(() => store.close()),
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure).toMatchObject({ code: 'database_damaged' });
    expect((failure as StoreError).message).toMatch(
      /^The database is damaged: .* \(SQLITE_\w+\)\. .*compliance restore/,
    );
  });

  it('is reported even if the damage occurs while the store is open', async () => {
    const dataDir = temporaryFolder();
    const store = await open(dataDir);
    for (let i = 0; i < 50; i++) await store.keys.issue({ scope: 'all', actor: 'test' });
    await store.close();
    const reopened = await open(dataDir);
    const file = join(dataDir, 'compliance.sqlite');
    const bytes = readFileSync(file);
    bytes.fill(0xaa, 8192);
    writeFileSync(file, bytes);
    expect(await codeOf(reopened.audit.list({ limit: 100 }))).toBe('database_damaged');
    await reopened.close();
  });
});

describe.skipIf(process.platform !== 'linux')('a read-only folder', () => {
  // Not even root can create files in this folder.
  it('is reported when the store is opened and when a PDF is stored', async () => {
    expect(await codeOf(open('/sys/kernel'))).toBe('storage_read_only');
    const blobs = openBlobs({ dataDir: '/sys/kernel' });
    expect(await codeOf(blobs.put(pdfOf(1)))).toBe('storage_read_only');
    expect(await codeOf(blobs.check())).toBe('storage_read_only');
  });
});

describe('a PostgreSQL error', () => {
  it.each([
    ['53100', 'storage_full'],
    ['25006', 'storage_read_only'],
    ['XX001', 'database_damaged'],
    ['58P01', 'database_damaged'],
    ['57P01', 'database_unavailable'],
    ['57P03', 'database_unavailable'],
    ['08006', 'database_unavailable'],
    ['53300', 'database_unavailable'],
    ['ECONNREFUSED', 'database_unavailable'],
    ['ECONNRESET', 'database_unavailable'],
  ])('is reported as a store error: %s as %s', (code, expected) => {
    const explained = explainPostgres(Object.assign(new Error('secret'), { code }), 'PostgreSQL at db');
    expect(explained).toMatchObject({ code: expected, message: expect.stringContaining(code) });
    expect((explained as Error).message).not.toContain('secret');
  });

  it('is passed through unchanged if the query caused it', () => {
    for (const error of [Object.assign(new Error('duplicate'), { code: '23505' }), new Error('a bug')]) {
      expect(explainPostgres(error, 'PostgreSQL at db')).toBe(error);
    }
  });
});
