import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedBinaries, POSTGRES_PASSWORD, POSTGRES_USER, startPostgresServer } from './postgres-server.ts';

const isRoot = process.getuid?.() === 0;

describe('the PostgreSQL server for tests', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'compliance-server-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Creates a folder with shell scripts that mimic the PostgreSQL binaries. */
  async function fakeBinaries(scripts: { initdb: string; postgres: string }): Promise<string> {
    await mkdir(join(folder, 'bin'));
    await chmod(folder, 0o755);
    for (const [name, script] of Object.entries(scripts)) {
      await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    return folder;
  }

  it.runIf(isRoot)("starts as root from a folder that other users can't access", async () => {
    await cp(installedBinaries(), folder, { recursive: true, verbatimSymlinks: true });
    await chmod(folder, 0o700);
    const { port, stop } = await startPostgresServer({ binaries: folder });
    const connection = { host: '127.0.0.1', port, user: POSTGRES_USER, password: POSTGRES_PASSWORD };
    const client = new pg.Client({ ...connection, database: 'postgres' });
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    const [{ data_directory: data }] = (await client.query('show data_directory')).rows;
    await client.end();
    await stop();
    expect(existsSync(data)).toBe(false);
    await expect(new pg.Client(connection).connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it("reports that initdb can't be started", async () => {
    await expect(startPostgresServer({ binaries: join(folder, 'nowhere') })).rejects.toThrow(/ENOENT/);
  });

  it('reports the last lines of output when initdb fails', async () => {
    const binaries = await fakeBinaries({ initdb: 'echo "no space left" >&2; exit 3', postgres: '' });
    await expect(startPostgresServer({ binaries })).rejects.toThrow("PostgreSQL's initdb failed (3).\nno space left");
  });

  it('stops waiting for initdb after the time limit', async () => {
    const binaries = await fakeBinaries({ initdb: 'exec sleep 600', postgres: '' });
    await expect(startPostgresServer({ binaries, timeoutMs: 500 })).rejects.toThrow(
      "PostgreSQL's initdb didn't finish within 500 ms.",
    );
  });

  it('reports the last log lines when the server exits before it’s ready', async () => {
    const postgres = '[ "$1" = --version ] && exit; echo "FATAL: out of memory" >&2; exit 1';
    const binaries = await fakeBinaries({ initdb: '', postgres });
    await expect(startPostgresServer({ binaries })).rejects.toThrow(
      'PostgreSQL exited with code 1 before it was ready.\nFATAL: out of memory',
    );
  });

  it("kills a server that doesn't become ready within the time limit, and removes its files", async () => {
    const postgres = '[ "$1" = --version ] && exit; echo "in $PWD" >&2; exec sleep 600';
    const binaries = await fakeBinaries({ initdb: '', postgres });
    const error: Error = await startPostgresServer({ binaries, timeoutMs: 500 }).catch(error => error);
    expect(error.message).toMatch(/^PostgreSQL wasn't ready within 500 ms\.\nin \//);
    expect(existsSync(error.message.split('\nin ')[1]!)).toBe(false);
  });
});
