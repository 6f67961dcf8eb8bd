import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore, type StoreLocation } from '../../index.ts';
import { connect } from '../../open.ts';
import { describeWithPostgres } from '../../testing/index.ts';
import { migrate } from './index.ts';

function registerMigration(freshLocation: () => Promise<StoreLocation>): void {
  it('keeps the state of each delivery, and delivers waiting events on time', async () => {
    const location = await freshLocation();
    const { durable, bestEffort } = connect(location);
    await migrate(durable, '0012-job-inputs');
    await sql`insert into watch_datasets values ('sha', '{}')`.execute(durable);
    await sql`insert into watches values ('wat_1', 'fam', '', 0, 1, 'sha', '2026', '2026-11-01', 4, null, 0, 'https://hooks.example/', '[]')`.execute(
      durable,
    );
    for (const [seq, delivery, attempts, due, error] of [
      [1, 'delivered', 1, null, null],
      [2, 'dead', 10, null, 'status 500'],
      [3, 'pending', 2, 5_000, 'status 503'],
      [4, 'none', 0, null, null],
    ] as const) {
      const values = sql`('wat_1', ${seq}, 1000, ${`{"seq":${seq}}`}, ${delivery}, ${attempts}, ${due}, ${error})`;
      await sql`insert into watch_events (watch_id, seq, created_at, body, delivery, attempts, due_at, error) values ${values}`.execute(
        durable,
      );
    }
    await Promise.all([durable.destroy(), bestEffort.destroy()]);

    let now = 4_000;
    const { watches, close } = await openStore({ ...location, clock: () => now });
    expect(await watches.events('fam', 'wat_1', { after: 0, limit: 10 })).toEqual([
      { seq: 1, createdAt: 1000, body: '{"seq":1}', delivery: 'delivered', attempts: 1, error: null },
      { seq: 2, createdAt: 1000, body: '{"seq":2}', delivery: 'dead', attempts: 10, error: 'status 500' },
      { seq: 3, createdAt: 1000, body: '{"seq":3}', delivery: 'pending', attempts: 2, error: 'status 503' },
      { seq: 4, createdAt: 1000, body: '{"seq":4}', delivery: 'none', attempts: 0, error: null },
    ]);
    expect(await watches.claimDelivery('w', 60_000)).toBeNull();
    now = 5_000;
    const due = (await watches.claimDelivery('w', 60_000))!;
    expect(due).toMatchObject({ attempt: 3, event: { seq: 3 } });
    await due.complete();
    expect(await watches.redeliver('fam', 'wat_1', { after: 0, onlyFailed: true })).toBe(1);
    expect(await watches.claimDelivery('w', 60_000)).toMatchObject({ attempt: 1, event: { seq: 2 } });
    await close();
  });
}

const dataDirOf = () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'compliance-webhook-jobs-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  return dataDir;
};

describe('the webhook delivery migration on SQLite', () => registerMigration(async () => ({ dataDir: dataDirOf() })));

await describeWithPostgres('the webhook delivery migration on PostgreSQL', startFresh =>
  registerMigration(async () => {
    const { url, stop } = await startFresh();
    onTestFinished(stop);
    return { databaseUrl: url, dataDir: dataDirOf() };
  }),
);
