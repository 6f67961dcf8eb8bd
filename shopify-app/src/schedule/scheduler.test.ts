import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openShopStore, type ShopStore } from '@compliance/store/shop';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enqueueNightly, enqueueScans, startScheduler } from './scheduler.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let now: number;
let dataDir: string;
let store: ShopStore;
beforeEach(async () => {
  now = Date.parse('2026-07-01T12:00:00Z');
  dataDir = await mkdtemp(join(tmpdir(), 'scheduler-'));
  store = await openShopStore({ dataDir, clock: () => now });
});
afterEach(async () => {
  await store.close();
  await rm(dataDir, { recursive: true });
});

const DOMAIN = 'a.myshopify.com';
const install = (domain = DOMAIN, scopes = ['read_products', 'read_themes']) => store.shops.install(domain, { scopes });
const kinds = async (domain = DOMAIN) =>
  (await store.shop(domain).jobs.list({ limit: 100 })).map(({ kind }) => kind).sort();

/** Claims and completes all due jobs, as workers do. */
async function work(): Promise<string[]> {
  const done: string[] = [];
  for (;;) {
    const job = await store.jobs.claim(
      'test',
      ['scan', 'theme_check', 'retention', 'catalog_night', 'certificate_check', 'render'],
      60_000,
    );
    if (!job) return done.sort();
    await job.complete();
    done.push(job.kind);
  }
}

describe('scheduled scans', () => {
  it('enqueues only one scan per period, no matter how often the scheduler runs', async () => {
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

  it('enqueues a scan for every due shop, no matter how many shops are due', async () => {
    for (let i = 0; i < 120; i++) {
      await install(`shop-${i}.myshopify.com`);
      await store.shop(`shop-${i}.myshopify.com`).setSettings({ schedule: 'weekly' });
    }
    now += 7 * DAY_MS;
    await enqueueScans(store);
    expect(await work()).toHaveLength(120);
  });

  it('enqueues every due scan even if another process claims part of each batch', async () => {
    for (let i = 0; i < 250; i++) {
      await install(`shop-${i}.myshopify.com`);
      await store.shop(`shop-${i}.myshopify.com`).setSettings({ schedule: 'daily' });
    }
    now += DAY_MS;
    const shared = { ...store, shops: { ...store.shops } };
    shared.shops.enqueueDue = async (job, limit) => {
      await store.shops.enqueueDue(job, 30);
      return store.shops.enqueueDue(job, limit - 30);
    };
    await enqueueScans(shared);
    expect(await work()).toHaveLength(250);
  });

  it('doesn’t enqueue a scan when the schedule is off', async () => {
    await install();
    await store.shop(DOMAIN).setSettings({ schedule: 'off' });
    now += 30 * DAY_MS;
    await enqueueScans(store);
    expect(await work()).toEqual([]);
  });
});

describe('nightly jobs', () => {
  it('enqueues each nightly job once per night, no matter how often the scheduler runs', async () => {
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

  it('skips the theme check if its scope is missing, and skips every job that calls Shopify if the merchant must reopen the app', async () => {
    await install('no-scope.myshopify.com', ['read_products']);
    await install('dead.myshopify.com');
    await store.shop('dead.myshopify.com').setNeedsReopening(true);
    await enqueueNightly(store, now);
    expect([await kinds('no-scope.myshopify.com'), await kinds('dead.myshopify.com')]).toEqual([
      ['catalog_night', 'certificate_check', 'retention'],
      ['certificate_check', 'retention'],
    ]);
  });

  it('enqueues one browser check per night, only for shops that have turned on browser checks, and only if the app has a browser', async () => {
    await install();
    await install('off.myshopify.com');
    await store.shop(DOMAIN).setSettings({ rendering: true });
    await enqueueNightly(store, now);
    expect(await kinds()).not.toContain('render');
    for (let half = 0; half < 6; half++) {
      await Promise.all([1, 2].map(() => enqueueNightly(store, now, { canRender: true })));
      now += DAY_MS / 2;
      await work();
    }
    const done = (await store.shop(DOMAIN).jobs.list({ limit: 100 })).filter(({ state }) => state === 'done');
    expect(done.filter(({ kind }) => kind === 'render')).toHaveLength(3);
    expect(await kinds('off.myshopify.com')).not.toContain('render');
  });

  it('skips nightly jobs for a shop that has uninstalled the app', async () => {
    await install();
    await install('b.myshopify.com');
    await store.shop(DOMAIN).uninstall();
    await enqueueNightly(store, now);
    expect([await kinds(), await kinds('b.myshopify.com')]).toEqual([
      [],
      ['catalog_night', 'certificate_check', 'retention', 'theme_check'],
    ]);
  });

  it('enqueues nightly jobs as soon as a process starts', async () => {
    await install();
    const scheduler = startScheduler(store, { clock: () => now });
    await expect
      .poll(() => kinds(), { timeout: 10_000 })
      .toEqual(['catalog_night', 'certificate_check', 'retention', 'theme_check']);
    scheduler.stop();
  });
});

describe('multiple scheduler processes', () => {
  it('enqueues each job only once across several processes', async () => {
    const domains = Array.from({ length: 150 }, (_, i) => `shop-${i}.myshopify.com`);
    for (const domain of domains) {
      await install(domain);
      await store.shop(domain).setSettings({ schedule: 'daily' });
    }
    now += DAY_MS;
    const program = join(import.meta.dirname, 'testing/enqueue-due.ts');
    const child = () =>
      spawn(process.execPath, ['--conditions=@compliance/source', program, dataDir, `${now}`], {
        stdio: 'inherit',
        timeout: 110_000,
        killSignal: 'SIGKILL',
      });
    const ended = await Promise.all([child(), child(), child()].map(process => once(process, 'close')));
    expect(ended).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ]);
    for (const domain of domains)
      expect(await kinds(domain)).toEqual(['catalog_night', 'certificate_check', 'retention', 'scan', 'theme_check']);
  }, 120_000);
});
