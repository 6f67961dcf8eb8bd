import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from './index.ts';
import { keyTraces } from './key-text.ts';
import { connectSqlite } from './sqlite.ts';

describe('the sqlite file', () => {
  let parent: string;
  let dataDir: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'compliance-sqlite-'));
    dataDir = join(parent, 'new', 'data');
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('and its folder are made for their owner alone', async () => {
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

  it('holds no key in plain text, neither while open nor afterwards', async () => {
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
        expect(all).toContain(keyTraces(key).sha256);
        expect(all).not.toContain(key.slice(-38));
        expect(all).not.toContain(key.slice(-38, -6));
      }
    }
    expect(whileOpen.length).toBeGreaterThan(1);
  });

  it('is written through to the disk for keys and audit, and waits for other processes', async () => {
    const { ledger, counters } = connectSqlite(dataDir);
    for (const [db, synchronous] of [
      [ledger, 2],
      [counters, 1],
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
    await Promise.all([ledger.destroy(), counters.destroy()]);
  });

  it('keeps what it holds when opened again', async () => {
    const first = await openStore({ dataDir, clock: Date.now });
    const { key, record } = await first.keys.issue({ scope: 'all', actor: 'operator' });
    await first.close();
    const second = await openStore({ dataDir, clock: Date.now });
    expect(await second.keys.authenticate(key)).toEqual(record);
    await second.close();
  });
});
