import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleShop } from '../../stand-in/shop/samples.ts';
import { startScan } from './start-scan.ts';
import { createWorld, newestScan, type World } from './testing/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

/** Longer than a silent worker is believed in. */
const LEASE_IS_OVER = 31_000;

/** A scan that another process has begun and is held up in, in the middle of the theme. */
async function begunElsewhere(name: string) {
  const { domain } = await world.install(sampleShop(name));
  world.standIn.faults.plan({ kind: 'slow', ms: 3_000 }, { operation: 'ThemeFiles' });
  const { id } = await startScan(world.app.merchantBehind(domain), 'merchant');
  const program = join(import.meta.dirname, 'testing/child.ts');
  const child = spawn(
    process.execPath,
    ['--conditions=@compliance/source', program, world.dataDir, world.standIn.url, name],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const closed = once(child, 'close');
  while (!world.standIn.calls.some(call => call.shop === domain && call.operation === 'ThemeFiles')) await wait(20);
  return { domain, id, child, closed };
}

/** What is left when another worker has taken the scan up. */
async function takenUp(domain: string, id: string) {
  world.advance(LEASE_IS_OVER);
  await world.work(domain);
  const shop = world.store.shop(domain);
  const job = await shop.jobs.get(id);
  return { job, scans: (await shop.scans.list({ limit: 10 })).rows };
}

const signal = (child: ChildProcess, name: NodeJS.Signals) => process.kill(child.pid!, name);

describe('a worker', () => {
  it('that is killed in the middle of a scan leaves it to another, and one scan is recorded', async () => {
    const { domain, id, child, closed } = await begunElsewhere('killed');
    signal(child, 'SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
    const { job, scans } = await takenUp(domain, id);
    expect(job).toMatchObject({ state: 'done', attempts: 2 });
    expect(scans.map(scan => [scan.id, scan.state])).toEqual([[id, 'complete']]);
  });

  it('that comes back after another took its scan writes nothing', async () => {
    const { domain, id, child, closed } = await begunElsewhere('frozen');
    signal(child, 'SIGSTOP');
    const { job, scans } = await takenUp(domain, id);
    expect(job).toMatchObject({ state: 'done', attempts: 2 });
    const recorded = await newestScan(world.store.shop(domain));
    signal(child, 'SIGCONT');
    expect(await closed).toEqual([0, null]);
    expect(scans.map(scan => scan.id)).toEqual([id]);
    expect(await newestScan(world.store.shop(domain))).toEqual(recorded);
    expect(await world.store.shop(domain).jobs.get(id)).toEqual(job);
  });
});
