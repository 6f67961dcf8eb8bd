import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../index.ts';
import { storedKeyParts } from '../../keys/key-text.ts';
import { connectSqlite } from './sqlite.ts';

describe('the SQLite file', () => {
  let parent: string;
  let dataDir: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'compliance-sqlite-'));
    dataDir = join(parent, 'new', 'data');
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('creates a database file and folder that only their owner can access', async () => {
    const store = await openStore({ dataDir, clock: Date.now });
    await store.limits.take('fam');
    const modes = [dataDir, ...readdirSync(dataDir).map(name => join(dataDir, name))].map(path => [
      path.slice(dataDir.length),
      (statSync(path).mode & 0o777).toString(8),
    ]);
    expect(Object.fromEntries(modes)).toEqual({
      '': '700',
      '/compliance.sqlite': '600',
      '/compliance.sqlite-shm': '600',
      '/compliance.sqlite-wal': '600',
    });
    await store.close();
  });

  it('doesn’t block the event loop while a write waits for another program', async () => {
    const store = await openStore({ dataDir, clock: Date.now });
    const other = new DatabaseSync(join(dataDir, 'compliance.sqlite'));
    other.exec('begin immediate');
    const writing = store.keys.issue({ scope: 'all', actor: 'test' });
    await pause(50);
    // If the write blocked this thread, this statement would run only after the write had failed.
    other.exec('commit');
    const { record } = await writing;
    expect((await store.keys.list()).map(({ id }) => id)).toEqual([record.id]);
    other.close();
    await store.close();
  });

  it('allows reads while a transaction is open', async () => {
    const { durable, bestEffort } = connectSqlite(dataDir);
    await sql`create table notes (text text)`.execute(durable);
    await durable.transaction().execute(async trx => {
      await sql`insert into notes values ('unfinished')`.execute(trx);
      // biome-ignore lint/suspicious/noExplicitAny: the test's table isn't in the schema.
      const notes = (db: typeof durable) => (db as any).selectFrom('notes').select('text').execute();
      expect(await notes(durable)).toEqual([]);
      expect(await notes(bestEffort)).toEqual([]);
      expect(await notes(trx)).toEqual([{ text: 'unfinished' }]);
    });
    await Promise.all([durable.destroy(), bestEffort.destroy()]);
  });

  it.each(['durable', 'bestEffort'] as const)(
    'makes %s writes wait for a transaction in another store in this process',
    async user => {
      const [one, other] = [connectSqlite(dataDir), connectSqlite(dataDir)];
      await sql`create table notes (text text)`.execute(one.durable);
      const write = sql`insert into notes values ('waiting')`;
      let waiting: Promise<unknown> | undefined;
      await one.durable.transaction().execute(async trx => {
        await sql`insert into notes values ('first')`.execute(trx);
        waiting = write.execute(other[user]);
        await pause(20);
      });
      await waiting;
      const { rows } = await sql<{ text: string }>`select text from notes`.execute(one.durable);
      expect(rows.map(({ text }) => text)).toEqual(['first', 'waiting']);
      await Promise.all([one, other].flatMap(({ durable, bestEffort }) => [durable.destroy(), bestEffort.destroy()]));
    },
  );

  it('keeps the write-ahead log short, even if all writes only update counts', async () => {
    const store = await openStore({ dataDir, clock: Date.now });
    const log = join(dataDir, 'compliance.sqlite-wal');
    for (let i = 0; i < 6_000; i++) await store.limits.take(`fam_${i}`);
    expect(statSync(log).size).toBeLessThan(20e6);
    await store.close();
  });

  it('stores no plaintext keys in its files, whether the store is open or closed', async () => {
    const store = await openStore({ dataDir, clock: Date.now });
    const first = await store.keys.issue({ scope: 'entry', note: 'a note', actor: 'operator' });
    const second = await store.keys.rotate(first.record.id, { overlap: '1h', actor: 'operator' });
    for (const { key, record } of [first, second]) {
      await store.keys.authenticate(key);
      await store.usage.record({ keyId: record.id, operation: 'entry' });
      await store.limits.take(record.family);
      await store.keys.update(record.id, { scope: 'all', actor: 'operator' });
    }
    await store.keys.revoke(first.record.id, { actor: 'operator' });

    const bytes = () => readdirSync(dataDir).map(name => readFileSync(join(dataDir, name), 'latin1'));
    const whileOpen = bytes();
    await store.close();
    for (const files of [whileOpen, bytes()]) {
      const all = files.join('\n');
      for (const { key } of [first, second]) {
        expect(all).toContain(storedKeyParts(key).sha256);
        expect(all).not.toContain(key.slice(-38));
        expect(all).not.toContain(key.slice(-38, -6));
      }
    }
    expect(whileOpen.length).toBeGreaterThan(1);
  });

  it('syncs keys and audit entries to disk, and waits for other processes to release their locks', async () => {
    const { durable, bestEffort } = connectSqlite(dataDir);
    for (const [db, synchronous] of [
      [durable, 2],
      [bestEffort, 1],
    ] as const) {
      const read = async (name: string) => {
        const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
        return Object.values(rows[0] ?? {})[0];
      };
      expect(await read('synchronous')).toBe(synchronous);
      expect(await read('journal_mode')).toBe('wal');
      expect(await read('busy_timeout')).toBe(5000);
      expect(await read('foreign_keys')).toBe(1);
    }
    await Promise.all([durable.destroy(), bestEffort.destroy()]);
  });

  it('stores concurrent counts in one transaction, but lets each count fail separately', async () => {
    const store = await openStore({ dataDir, clock: Date.now });
    const { record } = await store.keys.issue({ scope: 'all', actor: 'operator' });
    const file = join(dataDir, 'compliance.sqlite-wal');
    const written = async (work: () => Promise<unknown>) => {
      const before = statSync(file).size;
      await work();
      return statSync(file).size - before;
    };
    await store.limits.take('fam');
    const one = await written(() => store.limits.take('fam'));
    expect(await written(() => Promise.all(Array.from({ length: 20 }, () => store.limits.take('fam'))))).toBe(one);

    const uses = ['key_nobody', record.id, 'key_nobody', record.id];
    const recorded = await Promise.allSettled(uses.map(keyId => store.usage.record({ keyId, operation: 'x' })));
    expect(recorded.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await store.usage.daily({ days: 1 })).toMatchObject([{ count: 2 }]);
    await store.close();
  });

  it('rejects a count if another process locks the file for more than 5 seconds, and accepts counts again afterward', async () => {
    const store = await openStore({ dataDir, clock: Date.now });
    const other = new DatabaseSync(join(dataDir, 'compliance.sqlite'));
    other.exec('begin immediate');
    const refused = await Promise.allSettled([store.limits.take('fam'), store.limits.take('fam')]);
    const locked = { reason: { code: 'database_unavailable', message: expect.stringContaining('SQLITE_BUSY') } };
    expect(refused).toMatchObject([locked, locked]);
    other.exec('rollback');
    other.close();
    expect((await store.limits.take('fam')).windows[0].remaining).toBe(99);
    await store.close();
  });

  it('deletes the request counts for key families that were idle for a day, and keeps all other counts', async () => {
    const HOUR = 3_600_000;
    let now = Date.UTC(2026, 10, 21);
    const store = await openStore({ dataDir, clock: () => now });
    await store.limits.take('fam_old');
    now += 24 * HOUR;
    await store.limits.take('fam_new');
    now += HOUR + 1;
    await store.limits.take('fam_newest');
    await store.close();
    const file = new DatabaseSync(join(dataDir, 'compliance.sqlite'));
    expect(file.prepare('select family from rate_limits order by family').all()).toEqual([
      { family: 'fam_new' },
      { family: 'fam_newest' },
    ]);
    file.close();
  });

  it('keeps the stored data when the file is reopened', async () => {
    const first = await openStore({ dataDir, clock: Date.now });
    const { key, record } = await first.keys.issue({ scope: 'all', actor: 'operator' });
    await first.close();
    const second = await openStore({ dataDir, clock: Date.now });
    expect(await second.keys.authenticate(key)).toEqual(record);
    await second.close();
  });
});
