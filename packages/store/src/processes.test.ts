import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore, type StoreOptions } from './index.ts';
import { describeWithPostgres } from './testing/index.ts';

type Place = Pick<StoreOptions, 'dataDir' | 'databaseUrl'>;

/** The children's clock. */
const clock = () => Date.UTC(2026, 10, 21);

const CHILD = fileURLToPath(new URL('./testing/child.ts', import.meta.url));

async function startChild(task: 'open' | 'take' | 'issueForever') {
  const child = spawn(process.execPath, [CHILD, task], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout);
  await once(lines, 'line');
  return {
    lines,
    closed: once(child, 'close'),
    begin: (place: Place) => child.stdin.write(`${JSON.stringify(place)}\n`),
    child,
  };
}

type Child = Awaited<ReturnType<typeof startChild>>;

/** Sets all children off at once and gives the line that each ends with. */
async function together(children: Child[], place: Place): Promise<string[]> {
  const outcomes = children.map(async ({ lines, closed }) => {
    const [outcome] = await Promise.race([once(lines, 'line'), closed.then(([code]) => [`exit ${code}`])]);
    return outcome as string;
  });
  for (const child of children) child.begin(place);
  return await Promise.all(outcomes);
}

async function end(children: Child[]): Promise<void> {
  for (const { child } of children) child.stdin.end();
  for (const { closed } of children) expect(await closed).toEqual([0, null]);
}

function registerTogether(fresh: () => Promise<Place>): void {
  it('6 processes open the same fresh database at once, ten times over', async () => {
    const children = await Promise.all(Array.from({ length: 6 }, () => startChild('open')));
    for (let round = 0; round < 10; round++) {
      const place = await fresh();
      const ids = await together(children, place);
      const store = await openStore({ ...place, clock });
      expect((await store.keys.list()).map(({ id }) => id).sort()).toEqual(ids.sort());
      expect(await store.usage.daily({ days: 1 })).toMatchObject([{ operation: 'open', count: 6 }]);
      await store.close();
    }
    await end(children);
  });

  it('4 processes with 100 tries each on one family are allowed exactly 100', async () => {
    const children = await Promise.all(Array.from({ length: 4 }, () => startChild('take')));
    const allowed = await together(children, await fresh());
    expect(allowed.reduce((sum, each) => sum + Number(each), 0)).toBe(100);
    await end(children);
  });
}

describe('several processes on node:sqlite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-processes-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let count = 0;
  const fresh = async () => ({ dataDir: join(folder, `${count++}`) });

  registerTogether(fresh);

  it('every key that was given out works after kill -9, with its audit entry', async () => {
    const place = await fresh();
    const keys: string[] = [];
    for (let round = 1; round <= 3; round++) {
      const { child, lines, closed, begin } = await startChild('issueForever');
      lines.on('line', line => {
        keys.push(line);
        if (keys.length >= round * 60) child.kill('SIGKILL');
      });
      begin(place);
      expect(await closed).toEqual([null, 'SIGKILL']);
    }

    const store = await openStore({ ...place, clock });
    expect(keys.length).toBeGreaterThanOrEqual(180);
    const subjects = new Set((await store.audit.list({ limit: 100_000 })).map(({ subject }) => subject));
    for (const key of keys) {
      const record = await store.keys.authenticate(key);
      expect(record?.last4).toBe(key.slice(-4));
      expect(subjects).toContain(record?.id);
    }
    await store.close();

    const file = new DatabaseSync(join(place.dataDir, 'compliance.sqlite'));
    expect(file.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    file.close();
  });
});

await describeWithPostgres('several processes on PostgreSQL', startFresh => {
  const stops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  registerTogether(async () => {
    const { url, stop } = await startFresh();
    stops.push(stop);
    return { databaseUrl: url };
  });
});
