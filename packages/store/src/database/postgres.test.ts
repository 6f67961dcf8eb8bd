import { inspect } from 'node:util';
import pg from 'pg';
import { expect, it } from 'vitest';
import { openStore, StoreError } from '../index.ts';
import { describeWithPostgres } from '../testing/index.ts';

const refusalOf = (databaseUrl: string): Promise<unknown> =>
  openStore({ databaseUrl, clock: Date.now }).catch((error: unknown) => error);

it.each([
  ['unreachable', 'postgres://bob:s3cret@127.0.0.1:1/db', 'database_unavailable', 'PostgreSQL at 127.0.0.1:1/db'],
  ['not PostgreSQL', 'mysql://bob:s3cret@127.0.0.1:1/db', 'config_invalid', 'postgres://'],
  ['not a URL', 's3cret', 'config_invalid', 'postgres://'],
  ['raw / in the password', 'postgres://bob:p/s3cret@127.0.0.1:1/db', 'config_invalid', 'percent-encoded'],
  ['raw / after digits', 'postgres://127.0.0.1:1/s3cret@127.0.0.1:1/db', 'database_unavailable', "PostgreSQL doesn't"],
  ['raw ? in the password', 'postgres://bob:p?s3cret@127.0.0.1:1/db', 'config_invalid', 'percent-encoded'],
  ['raw @ in the password', 'postgres://bob:p@s3cret/x@127.0.0.1:1/db', 'database_unavailable', "PostgreSQL doesn't"],
  [
    'in the query',
    'postgres://127.0.0.1:1/db?user=bob&password=s3cret',
    'database_unavailable',
    "127.0.0.1:1/db doesn't",
  ],
  ['@ in the query', 'postgres://127.0.0.1:1/db?password=s3cret@1', 'database_unavailable', "PostgreSQL doesn't"],
  ['a broken escape', 'postgres://bob:s3cret%zz@127.0.0.1:1/db', 'database_unavailable', '127.0.0.1:1/db'],
])('rejects an unusable database URL without showing its password: %s', async (_, url, code, message) => {
  const refusal = await refusalOf(url);
  expect(refusal).toBeInstanceOf(StoreError);
  expect(refusal).toMatchObject({ code, message: expect.stringContaining(message) });
  expect(inspect(refusal, { depth: 20, showHidden: true })).not.toContain('s3cret');
});

it('refuses to open a store without a location', async () => {
  await expect(openStore({ dataDir: '', databaseUrl: '', clock: Date.now })).rejects.toMatchObject({
    code: 'config_invalid',
  });
});

await describeWithPostgres('PostgreSQL', startFresh => {
  it("reports PostgreSQL's error code for an incorrect password without showing the password", async () => {
    const { url, stop } = await startFresh();
    const wrong = new URL(url);
    wrong.password = 's3cret';
    const refusal = await refusalOf(wrong.href);
    expect(refusal).toMatchObject({ code: 'database_unavailable', message: expect.stringContaining('28P01') });
    expect(inspect(refusal, { depth: 20, showHidden: true })).not.toContain('s3cret');
    await stop();
  });

  it('loses no more than the requests in progress if an idle or busy connection is terminated', async () => {
    const { url, stop } = await startFresh();
    const store = await openStore({ databaseUrl: url, clock: Date.now });
    const killer = new pg.Client(url);
    await killer.connect();
    const killAll = async () => {
      const { rowCount } = await killer.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'compliance' and datname = current_database()",
      );
      return rowCount ?? 0;
    };

    await Promise.all([store.ready(), store.ready(), store.ready()]);
    expect(await killAll()).toBeGreaterThan(0);
    await expect
      .poll(() =>
        store.ready().then(
          () => 'ready',
          () => 'not yet',
        ),
      )
      .toBe('ready');

    let acknowledged = 0;
    let lost = 0;
    const work = async () => {
      for (let i = 0; i < 30; i++) {
        await store.keys.issue({ scope: 'all', actor: 'operator' }).then(
          () => acknowledged++,
          () => lost++,
        );
      }
    };
    const working = Promise.all(Array.from({ length: 6 }, work));
    let killed = 0;
    while (lost === 0 && acknowledged < 100) killed += await killAll();
    await working;
    expect(killed).toBeGreaterThan(0);
    expect(lost).toBeGreaterThan(0);

    await store.ready();
    const stored = (await store.keys.list()).length;
    // A commit can be stored without being acknowledged if its response is lost, but every acknowledged commit is
    // stored.
    expect(stored).toBeGreaterThanOrEqual(acknowledged);
    expect(stored).toBeLessThanOrEqual(acknowledged + lost);

    await killer.end();
    await store.close();
    await stop();
  });

  it('continues counting on a new connection after the old connection is lost, and keeps all acknowledged counts', async () => {
    const { url, stop } = await startFresh();
    const store = await openStore({ databaseUrl: url, clock: Date.now, limits: { minute: 1e6, day: 1e6 } });
    const killer = new pg.Client(url);
    await killer.connect();

    let acknowledged = 0;
    let lost = 0;
    let isStopped = false;
    const work = async () => {
      while (!isStopped) {
        await store.limits.take('family').then(
          () => acknowledged++,
          () => lost++,
        );
      }
    };
    const working = Promise.all(Array.from({ length: 20 }, work));
    let kills = 0;
    const count100 = async () => {
      const before = acknowledged;
      await expect.poll(() => acknowledged, { interval: 1, timeout: 20_000 }).toBeGreaterThan(before + 100);
    };
    await count100();
    // No requests are lost if the connection is idle when it's terminated.
    while (kills < 3 || (lost === 0 && kills < 50)) {
      await killer.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'compliance' and datname = current_database()",
      );
      kills++;
      await count100();
    }
    isStopped = true;
    await working;
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(70 * kills);

    const { windows } = await store.limits.take('family');
    const counted = 1e6 - windows[1].remaining - 1;
    expect(counted).toBeGreaterThanOrEqual(acknowledged);
    expect(counted).toBeLessThanOrEqual(acknowledged + lost);

    await store.close();
    const connected = async () => {
      const { rowCount } = await killer.query(
        "select 1 from pg_stat_activity where application_name = 'compliance' and datname = current_database()",
      );
      return rowCount;
    };
    await expect.poll(connected).toBe(0);
    await killer.end();
    await stop();
  });
});
