import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp, restore, type StoreLocation } from '../index.ts';
import { openShopStore, type ShopStore } from '../shop/index.ts';
import { newScan, newVariant, ONE, observed } from '../shop/testing/fixtures.ts';
import { startChild } from '../testing/child-processes.ts';
import { describeWithPostgres, startS3 } from '../testing/index.ts';
import { COMPLETE } from '../testing/records.ts';
import { BACKED_UP, NOT_BACKED_UP } from './tables.ts';

const root = mkdtempSync(join(tmpdir(), 'compliance-backup-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const freshFolder = () => join(root, `${folders++}`);
const sqlite = async (): Promise<StoreLocation> => ({ dataDir: freshFolder() });

const NOW = Date.UTC(2026, 10, 21, 6, 31);
const clock = () => NOW;
const pdfOf = (text: string) => Buffer.from(`%PDF-1.7\n${text}`);

async function using<T>(location: StoreLocation, work: (store: ShopStore) => Promise<T>): Promise<T> {
  const store = await openShopStore({ ...location, clock });
  return await work(store).finally(() => store.close());
}

/** Fills every table with text that is easily corrupted. */
async function fill(store: ShopStore) {
  const awkward = 'Ünal "馬"\u2028\n\\u0000 \'; drop table keys; --';
  const { key, record } = await store.keys.issue({ scope: 'all', note: awkward, actor: 'test' });
  await store.keys.rotate(record.id, { overlap: '1h', actor: 'test' });
  await store.usage.record({ keyId: record.id, operation: 'tariff.hts.lookup' });
  await store.nomenclatures.put({ edition: 'one', sha256: 'a', body: `["${'x'.repeat(3_000_000)}"]` });
  await store.nomenclatures.put({ edition: 'two', sha256: 'b', body: '[]' });
  const form = { company: awkward, useCase: 'u', expectedVolume: 'v', email: 'buyer@acme.test' };
  await store.waitlist.ask(form);
  const [request] = await store.waitlist.list({ status: 'waiting', limit: 1 });
  await store.waitlist.approve(request!.id, { scope: 'all', delegate: true, actor: 'test' });
  await store.waitlist.ask({ ...form, email: 'other@acme.test' });
  const begun = await store.idempotency.begin({ family: 'f', operation: 'o', key: 'k', fingerprint: 'p' });
  if (begun.state === 'new') await store.idempotency.finish(begun.run, 'answer');
  // Issue more than one page of certificates, many with the same issue time. Every third certificate supersedes a
  // certificate that isn't adjacent in ID order.
  for (let i = 0; i < 210; i++) {
    const id = createHash('sha256').update(`${i}`).digest('hex').slice(0, 32);
    const before = createHash('sha256')
      .update(`${i - 1}`)
      .digest('hex')
      .slice(0, 32);
    const made = {
      id,
      record: JSON.stringify({ ...JSON.parse(COMPLETE), n: i }),
      pdf: pdfOf(`${i % 40}`),
      names: [`Lamp ${i}`],
      actor: record.id,
    };
    await (i % 3 === 2
      ? store.certificates.supersede(before, made)
      : store.certificates.issue({ ...made, family: record.family }));
    if (i % 9 === 0) await store.certificates.void(id, { reason: awkward, actor: 'test' });
  }
  await store.shops.install(ONE, { scopes: ['read_products'] });
  const shop = store.shop(ONE);
  await store.webhooks.take({ eventId: 'e', topic: 'THEMES_PUBLISH', shop: ONE }, [{ kind: 'scan' }]);
  await shop.scans.record(newScan({ findings: [observed('f')] }));
  await shop.themeFiles.replace('1', [{ name: 'layout/theme.liquid', checksum: 'c' }]);
  await shop.variants.upsert(
    'run',
    Array.from({ length: 450 }, (_, n) => newVariant(n)),
  );
  await shop.productCertificates.saveDraft('p', { note: awkward });
  await shop.productCertificates.issued('p', { gccId: 'g', by: '42' });
  await store.sessions.put({ id: `offline_${ONE}`, shop: ONE, sealed: 'sealed tokens' });
  await store.attempts.take('sign-in 203.0.113.7', { quota: 5, windowMs: 1e9 });
  await store.operator.replaceSecretHash({ known: null, next: '$scrypt$hash-of-the-secret' });
  await store.operator.openSession('$scrypt$hash-of-the-secret');
  return key;
}

let filledOnce: Promise<{ location: StoreLocation; key: string }> | undefined;

/**
 * Creates a store with data in every table. On SQLite, copies an existing store, because filling a new store is slow.
 */
async function filled(make: () => Promise<StoreLocation>): Promise<{ location: StoreLocation; key: string }> {
  const location = await make();
  if (location.databaseUrl) return { location, key: await using(location, fill) };
  filledOnce ??= sqlite().then(async first => ({ location: first, key: await using(first, fill) }));
  const { location: first, key } = await filledOnce;
  cpSync(first.dataDir!, location.dataDir!, { recursive: true });
  return { location, key };
}

/** Returns all data that a backup should contain. */
async function contents(store: ShopStore) {
  const certificates = await store.certificates.list({ limit: 1000 });
  const waiting = ['waiting', 'approved', 'declined'] as const;
  return {
    keys: await store.keys.list({ includeEnded: true }),
    audit: await store.audit.list({ limit: 10_000 }),
    usage: await store.usage.daily({ days: 7 }),
    nomenclature: await store.nomenclatures.latest(),
    waitlist: await Promise.all(waiting.map(status => store.waitlist.list({ status, limit: 100 }))),
    idempotency: await store.idempotency.begin({ family: 'f', operation: 'o', key: 'k', fingerprint: 'p' }),
    certificates,
    shop: (await linesOf(store)).filter(line => !line.includes('shop_sessions')),
    found: await store.certificates.search({ text: 'lamp 17', limit: 1000 }),
    pdfs: await Promise.all(
      certificates.map(async ({ id }) => Buffer.from(await store.certificates.pdf(id)).toString()),
    ),
  };
}

async function linesOf(store: ShopStore): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of store.shop(ONE).export()) lines.push(line);
  return lines;
}

const filesOf = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' });

/** Registers the tests that back up one type of store and restore the backup to another type. */
function registerBackup(
  name: string,
  source: () => Promise<StoreLocation>,
  target: () => Promise<StoreLocation>,
): void {
  it(`${name}: restores all backed-up data, including working keys`, async () => {
    const [{ location: from, key }, to, folder] = [await filled(source), await target(), freshFolder()];
    const before = await using(from, contents);
    const { file, rows, pdfs, lacking } = await backUp(from, { folder, clock });
    expect({ pdfs, lacking, certificates: rows.certificates }).toEqual({
      pdfs: 40,
      lacking: [],
      certificates: 210,
    });
    const restored = await restore(to, { file });
    expect(restored).toMatchObject({ madeAt: '2026-11-21T06:31:00.000Z', rows, pdfs: 40 });
    await using(to, async store => {
      expect(await contents(store)).toEqual(before);
      expect(await store.keys.authenticate(key)).not.toBeNull();
      expect(await store.operator.secretHash()).toBeNull();
      // Check that new rows, the audit log, and the triggers work in the restored store.
      const { id } = await store.certificates.issue({ family: 'f', record: '{}', pdf: pdfOf('new'), actor: 'test' });
      await store.certificates.void(id, { reason: 'r', actor: 'test' });
    });
    await expect(restore(to, { file })).rejects.toMatchObject({
      code: 'backup_refused',
      message: expect.stringMatching(/already contains data .*Nothing was changed/),
    });
  });

  it(`${name}: captures a consistent snapshot during writes, including all rows acknowledged before the backup started`, async () => {
    const [from, to, folder] = [await source(), await target(), freshFolder()];
    // The backup reads the large HTS exports between the audit log and the certificates, so in an inconsistent
    // snapshot, the audit log wouldn't match the certificates.
    await using(from, async store => {
      for (const edition of ['a', 'b', 'c'])
        await store.nomenclatures.put({ edition, sha256: edition, body: randomBytes(6_000_000).toString('base64') });
    });
    const children = [await startChild(), await startChild()];
    const said: string[] = [];
    for (const [i, { begin, lines }] of children.entries()) {
      lines.on('line', line => said.push(line));
      begin(from, i === 0 ? 'certifyForever' : 'issueForever');
    }
    while (said.length < 100) await once(children[0]!.lines, 'line');
    const acknowledged = [...said];
    const { file, rows } = await backUp(from, { folder, clock });
    for (const { child, closed } of children) {
      child.kill('SIGKILL');
      await closed;
    }
    expect(said.length).toBeGreaterThan(acknowledged.length);
    await restore(to, { file });
    await using(to, async store => {
      const certificates = await store.certificates.list({ limit: 100_000 });
      const keys = await store.keys.list({ includeEnded: true });
      const audit = await store.audit.list({ limit: 100_000 });
      expect([certificates.length, keys.length]).toEqual([rows.certificates, rows.keys]);
      // A change and its audit entry are stored in one transaction, so the backup must contain both or neither.
      expect(audit.length).toBe(certificates.length + keys.length);
      const ids = new Set(certificates.map(({ id }) => id));
      for (const line of acknowledged) {
        if (line.startsWith('cmpl_')) expect(await store.keys.authenticate(line)).not.toBeNull();
        else expect(ids).toContain(line);
      }
      for (const { id } of certificates) await store.certificates.pdf(id);
    });
  });
}

describe('a backup', () => {
  registerBackup('from SQLite to SQLite', sqlite, sqlite);

  it('includes or explicitly excludes every table', async () => {
    const location = await sqlite();
    await using(location, async () => {});
    const file = new DatabaseSync(join(location.dataDir!, 'compliance.sqlite'));
    const tables = file
      .prepare("select name from sqlite_master where type = 'table' and name not like 'kysely_%'")
      .all();
    file.close();
    expect(tables.map(({ name }) => name).sort()).toEqual([...Object.keys(BACKED_UP), ...NOT_BACKED_UP].sort());
  });

  it('creates a file that contains no secrets and that only the owner can read', async () => {
    const [{ location: from, key }, folder] = [await filled(sqlite), freshFolder()];
    const { file } = await backUp(from, { folder, clock });
    const text = gunzipSync(readFileSync(file)).toString();
    for (const secret of [key, '$scrypt$', '203.0.113.7', 'sealed tokens']) expect(text).not.toContain(secret);
    for (const path of ['', ...filesOf(folder)]) {
      const { mode } = statSync(join(folder, path));
      expect([path, (mode & 0o077).toString(8)]).toEqual([path, '0']);
    }
  });

  it('writes each backup to a new file, copies only new PDFs, and replaces a damaged PDF', async () => {
    const [{ location: from }, folder] = [await filled(sqlite), freshFolder()];
    const first = await backUp(from, { folder, clock });
    const pdfs = filesOf(folder).filter(path => path.endsWith('.pdf'));
    writeFileSync(join(folder, pdfs[0]!), 'damaged');
    const untouched = statSync(join(folder, pdfs[1]!)).mtimeMs;
    await using(from, store =>
      store.certificates.issue({ family: 'f', record: '{}', pdf: pdfOf('new'), actor: 'test' }),
    );
    const second = await backUp(from, { folder, clock: () => NOW + 1000 });
    expect([second.pdfs, second.lacking]).toEqual([41, []]);
    expect(statSync(join(folder, pdfs[1]!)).mtimeMs).toBe(untouched);
    expect(readdirSync(folder).sort()).toEqual([
      'blobs',
      'compliance-2026-11-21T06-31-00-000Z.jsonl.gz',
      'compliance-2026-11-21T06-31-01-000Z.jsonl.gz',
    ]);
    for (const { file, rows } of [first, second]) {
      const to = await sqlite();
      await restore(to, { file });
      await using(to, async store => {
        expect(await store.certificates.list({ limit: 1000 })).toHaveLength(rows.certificates!);
        for (const { id } of await store.certificates.list({ limit: 1000 })) await store.certificates.pdf(id);
      });
    }
  });

  it('reports lost and damaged PDFs, and backs up and restores all other data', async () => {
    const [from, to, folder] = [await sqlite(), await sqlite(), freshFolder()];
    const ids = await using(from, async store =>
      Promise.all(
        ['lost', 'damaged', 'whole'].map(async text => {
          const kept = { id: text, family: 'f', record: '{}', pdf: pdfOf(text), actor: 'test' };
          return (await store.certificates.issue(kept)).sha256;
        }),
      ),
    );
    const pathOf = (sha256: string) =>
      join(from.dataDir!, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), `${sha256}.pdf`);
    rmSync(pathOf(ids[0]!));
    writeFileSync(pathOf(ids[1]!), 'damaged');
    const { file, lacking, pdfs } = await backUp(from, { folder, clock });
    expect({ lacking, pdfs }).toEqual({ lacking: [ids[0], ids[1]].sort(), pdfs: 1 });
    expect(await restore(to, { file })).toMatchObject({ lacking, pdfs: 1 });
    await using(to, async store => {
      await store.certificates.pdf('whole');
      await expect(store.certificates.pdf('lost')).rejects.toMatchObject({ code: 'blob_missing' });
    });
  });

  it('migrates a backup from an earlier release and rejects a backup from a newer release', async () => {
    const [from, folder] = [await sqlite(), freshFolder()];
    await using(from, store =>
      store.certificates.issue({
        ...{ id: 'gcc-1', family: 'f', pdf: pdfOf('1'), actor: 'test' },
        record: JSON.stringify({ request: { product_info: { name: 'Lamp' } } }),
      }),
    );
    const tables = new DatabaseSync(join(from.dataDir!, 'compliance.sqlite'));
    tables.exec("drop table certificate_words; delete from kysely_migration where name >= '0005'");
    const { file } = await backUp(from, { folder, clock });
    const to = await sqlite();
    expect((await restore(to, { file })).migrations).not.toContain('0005-certificate-words');
    await using(to, async store => {
      expect(await store.certificates.search({ text: 'lamp', limit: 5 })).toMatchObject([{ id: 'gcc-1' }]);
    });

    // An empty store of this release has more migrations than the backup, so the backup can't be restored to the store.
    const ahead = await sqlite();
    await using(ahead, async () => {});
    await expect(restore(ahead, { file })).rejects.toMatchObject({ code: 'backup_refused' });

    tables.exec("insert into kysely_migration values ('9999-future', '2030')");
    tables.close();
    await expect(backUp(from, { folder, clock })).rejects.toMatchObject({ code: 'backup_refused' });
    const future = join(folder, 'future.jsonl.gz');
    const lines = gunzipSync(readFileSync(file)).toString().replace('"migrations":[', '"migrations":["9999-future",');
    writeFileSync(future, gzipSync(lines));
    await expect(restore(await sqlite(), { file: future })).rejects.toMatchObject({
      code: 'backup_refused',
      message: expect.stringContaining('newer release'),
    });
  });

  it('refuses to back up a nonexistent store, without creating any files', async () => {
    const [from, folder] = [await sqlite(), freshFolder()];
    await expect(backUp(from, { folder, clock })).rejects.toMatchObject({ code: 'store_missing' });
    for (const path of [from.dataDir!, folder]) expect(() => statSync(path)).toThrow('ENOENT');
  });
});

describe('restoring a damaged backup', () => {
  const source = freshFolder();
  let file: string;
  beforeAll(async () => {
    const { location: from } = await filled(sqlite);
    ({ file } = await backUp(from, { folder: source, clock }));
  });

  /** Makes one change to a copy of the backup and then restores the copy. */
  async function restoreChanged(change: (path: string) => void) {
    const folder = freshFolder();
    cpSync(source, folder, { recursive: true });
    const path = join(folder, file.slice(dirname(file).length + 1));
    change(path);
    const to = await sqlite();
    const refusal = await restore(to, { file: path }).catch((error: unknown) => error);
    expect(() => statSync(to.dataDir!)).toThrow('ENOENT');
    return refusal;
  }
  const rewrite = (path: string, change: (text: string) => string) =>
    writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(path)).toString())));

  it.each<[string, (path: string) => void, string]>([
    ['truncated', path => truncateSync(path, statSync(path).size - 100), 'is damaged'],
    ['empty', path => truncateSync(path, 0), "isn't a backup"],
    ['missing', path => rmSync(path), "doesn't exist"],
    ['not gzip', path => writeFileSync(path, 'hello'), "isn't a backup"],
    ['in another format', path => writeFileSync(path, gzipSync('{"format":"other"}\n')), "isn't a backup"],
    ['missing its last line', path => rewrite(path, text => text.split('\n').slice(0, -2).join('\n')), 'is truncated'],
    [
      'missing a row',
      path => rewrite(path, text => text.replace(/\n\["usage_daily"[^\n]*/, '')),
      "doesn't match its row counts",
    ],
    [
      'modified in a key’s scope',
      path => rewrite(path, text => text.replace('"scope":"all"', '"scope":"ALL"')),
      "doesn't match its row counts",
    ],
    ['malformed on one line', path => rewrite(path, text => text.replace('["audit"', '["audit')), 'near line'],
    [
      'followed by extra data',
      path => rewrite(path, text => `${text}["keys",{}]\n`),
      'has extra data after the footer',
    ],
    [
      'from a store with an unknown table',
      path => rewrite(path, text => text.replace('["audit"', '["attempts"')),
      'unknown table',
    ],
    ['missing its PDFs', path => rmSync(join(dirname(path), 'blobs'), { recursive: true }), ': 40. The first is'],
    [
      'damaged in one PDF',
      path => {
        const [pdf] = filesOf(join(dirname(path), 'blobs')).filter(name => name.endsWith('.pdf'));
        writeFileSync(join(dirname(path), 'blobs', pdf!), 'damaged');
      },
      ': 1. The first is',
    ],
  ])('rejects a backup that is %s, and leaves the target store unchanged', async (_, change, sentence) => {
    expect(await restoreChanged(change)).toMatchObject({
      code: 'backup_damaged',
      message: expect.stringContaining(sentence),
    });
  });

  it('rejects a backup if any single byte of the compressed file is changed', async () => {
    const { length } = readFileSync(file);
    for (let i = 0; i < 25; i++) {
      const at = 10 + Math.floor(((length - 18) * i) / 25);
      const refusal = await restoreChanged(path => {
        const bytes = readFileSync(path);
        bytes[at]! ^= 0x10;
        writeFileSync(path, bytes);
      });
      expect([at, refusal]).toEqual([at, expect.objectContaining({ code: 'backup_damaged' })]);
    }
  });
});

await describeWithPostgres('a backup', startFresh => {
  const stops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const stop of stops) await stop();
  });
  const postgres = async (): Promise<StoreLocation> => {
    const { url, stop } = await startFresh();
    const s3 = await startS3();
    stops.push(stop, s3.stop);
    return { databaseUrl: url, s3: s3.options };
  };
  registerBackup('from SQLite to PostgreSQL and S3', sqlite, postgres);
  registerBackup('from PostgreSQL and S3 to SQLite', postgres, sqlite);
  registerBackup('from PostgreSQL and S3 to PostgreSQL and S3', postgres, postgres);
});
