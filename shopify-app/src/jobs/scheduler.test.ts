import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@compliance/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enqueueNightly, enqueueScans, startScheduler } from './scheduler.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let now: number;
let dataDir: string;
let store: Store;
beforeEach(async () => {
  now = Date.parse('2026-07-01T12:00:00Z');
  dataDir = await mkdtemp(join(tmpdir(), 'scheduler-'));
  store = await openStore({ dataDir, clock: () => now });
});
afterEach(async () => {
  await store.close();
  await rm(dataDir, { recursive: true });
});

const DOMAIN = 'a.myshopify.com';
const install = (domain = DOMAIN, scopes = ['read_products', 'read_themes']) => store.shops.install(domain, { scopes });
const kinds = async (domain = DOMAIN) =>
  (await store.shop(domain).jobs.list({ limit: 100 })).map(({ kind }) => kind).sort();

/** Takes and ends what is due, as workers do. */
async function work(): Promise<string[]> {
  const done: string[] = [];
  for (;;) {
    const job = await store.jobs.claim('test', ['scan', 'theme_check', 'retention', 'catalog_night'], 60_000);
    if (!job) return done.sort();
    await job.complete();
    done.push(job.kind);
  }
}

describe('scans as the merchant chose', () => {
  it('come once a period, however often it is asked', async () => {
    await install();
    await store.shop(DOMAIN).setSettings({ schedule: 'daily' });
    const ask = () => Promise.all([enqueueScans(store), enqueueScans(store)]);
    await ask();
    expect(await work()).toEqual([]);
    for (let day = 0; day < 3; day++) {
      now += DAY_MS;
      await ask();
      await ask();
      expect(await work()).toEqual(['scan']);
      await ask();
      expect(await work()).toEqual([]);
    }
    const [job] = await store.shop(DOMAIN).jobs.list({ limit: 1 });
    expect(job?.payload).toEqual({ trigger: 'schedule' });
  });

  it('come for every shop, however many are due', async () => {
    for (let i = 0; i < 120; i++) {
      await install(`shop-${i}.myshopify.com`);
      await store.shop(`shop-${i}.myshopify.com`).setSettings({ schedule: 'weekly' });
    }
    now += 7 * DAY_MS;
    await enqueueScans(store);
    expect(await work()).toHaveLength(120);
  });

  it('do not come when they are off', async () => {
    await install();
    await store.shop(DOMAIN).setSettings({ schedule: 'off' });
    now += 30 * DAY_MS;
    await enqueueScans(store);
    expect(await work()).toEqual([]);
  });
});

describe('nightly work', () => {
  it('is done once a night, however often it is asked', async () => {
    await install();
    const done: string[] = [];
    for (let hour = 0; hour < 72; hour++) {
      await Promise.all([enqueueNightly(store, now), enqueueNightly(store, now)]);
      now += HOUR_MS / 2;
      done.push(...(await work()));
      now += HOUR_MS / 2;
      done.push(...(await work()));
    }
    expect(done.filter(kind => kind === 'theme_check')).toHaveLength(3);
    expect(done.filter(kind => kind === 'retention')).toHaveLength(3);
    expect(done.filter(kind => kind === 'catalog_night')).toHaveLength(3);
  });

  it('leaves a theme alone that the app may not read, and one whose merchant must open the app first', async () => {
    await install('no-scope.myshopify.com', ['read_products']);
    await install('dead.myshopify.com');
    await store.shop('dead.myshopify.com').setNeedsReopening(true);
    await enqueueNightly(store, now);
    expect([await kinds('no-scope.myshopify.com'), await kinds('dead.myshopify.com')]).toEqual([
      ['catalog_night', 'retention'],
      ['retention'],
    ]);
  });

  it('goes by a shop that has removed the app', async () => {
    await install();
    await install('b.myshopify.com');
    await store.shop(DOMAIN).uninstall();
    await enqueueNightly(store, now);
    expect([await kinds(), await kinds('b.myshopify.com')]).toEqual([
      [],
      ['catalog_night', 'retention', 'theme_check'],
    ]);
  });

  it('waits from the moment a process starts', async () => {
    await install();
    const scheduler = startScheduler(store, { clock: () => now });
    while ((await kinds()).length < 3) await new Promise(done => setTimeout(done, 10));
    scheduler.stop();
    expect(await kinds()).toEqual(['catalog_night', 'retention', 'theme_check']);
  });
});

describe('several processes', () => {
  it('enqueue each job once between them', async () => {
    const domains = Array.from({ length: 150 }, (_, i) => `shop-${i}.myshopify.com`);
    for (const domain of domains) {
      await install(domain);
      await store.shop(domain).setSettings({ schedule: 'daily' });
    }
    now += DAY_MS;
    const program = join(import.meta.dirname, 'testing/schedule.ts');
    const child = () =>
      spawn(process.execPath, ['--conditions=@compliance/source', program, dataDir, `${now}`], { stdio: 'inherit' });
    const ended = await Promise.all([child(), child(), child()].map(process => once(process, 'close')));
    expect(ended).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ]);
    for (const domain of domains)
      expect(await kinds(domain)).toEqual(['catalog_night', 'retention', 'scan', 'theme_check']);
  });
});
