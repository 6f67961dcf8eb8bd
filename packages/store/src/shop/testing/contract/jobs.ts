import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, START, type StoreHarness } from '../../../testing/contract/harness.ts';
import type { ClaimedJob, ShopStore } from '../../index.ts';
import { installed, newScan, newVariant, ONE, TWO } from '../fixtures.ts';

const LEASE = MINUTE;

export function registerJobs(harness: StoreHarness<ShopStore>): void {
  describe('jobs', () => {
    const claim = (kinds = ['scan'], worker = 'w1') => harness.store.jobs.claim(worker, kinds, LEASE);
    const mustClaim = async (kinds?: string[], worker?: string): Promise<ClaimedJob> => {
      const job = await claim(kinds, worker);
      if (!job) throw new Error('no job was due');
      return job;
    };

    it('runs a job once with its payload, and reports its progress and result', async () => {
      const shop = await installed(harness);
      const { job, made } = await shop.jobs.enqueue({ kind: 'scan', payload: { trigger: 'merchant' } });
      expect({ job, made }).toMatchObject({ made: true, job: { state: 'queued', attempts: 0, runAt: START } });
      const held = await mustClaim();
      expect(held).toMatchObject({
        id: job.id,
        domain: ONE,
        payload: { trigger: 'merchant' },
        attempt: 1,
        progress: null,
      });
      expect(await claim()).toBeNull();
      expect(await held.heartbeat({ done: 3, total: 9 })).toBe('held');
      expect(await shop.jobs.get(job.id)).toMatchObject({ state: 'running', progress: { done: 3, total: 9 } });
      await held.complete({ score: 90 });
      expect(await shop.jobs.latest('scan')).toMatchObject({
        ...{ id: job.id, state: 'done', result: { score: 90 }, error: null },
        ...{ startedAt: START, finishedAt: START },
      });
      expect(await claim()).toBeNull();
    });

    it('allows only one live job per shop, kind, and key, even with concurrent calls', async () => {
      const [one, two] = [await installed(harness), await installed(harness, TWO)];
      const asked = await Promise.all(Array.from({ length: 10 }, () => one.jobs.enqueue({ kind: 'scan' })));
      expect(new Set(asked.map(({ job }) => job.id)).size).toBe(1);
      expect(asked.filter(({ made }) => made)).toHaveLength(1);
      expect((await one.jobs.enqueue({ kind: 'catalog' })).made).toBe(true);
      expect((await one.jobs.enqueue({ kind: 'scan', key: 'x' })).made).toBe(true);
      expect((await two.jobs.enqueue({ kind: 'scan' })).made).toBe(true);
      const held = await mustClaim();
      expect((await harness.store.shop(held.domain).jobs.enqueue({ kind: 'scan', key: held.key })).made).toBe(false);
      await held.complete();
      expect((await harness.store.shop(held.domain).jobs.enqueue({ kind: 'scan', key: held.key })).made).toBe(true);
    });

    it('moves a queued job to an earlier time, but never to a later time', async () => {
      const shop = await installed(harness);
      await shop.jobs.enqueue({ kind: 'scan', runAt: START + HOUR });
      expect(await claim()).toBeNull();
      expect((await shop.jobs.enqueue({ kind: 'scan', runAt: START + 2 * HOUR })).job.runAt).toBe(START + HOUR);
      expect((await shop.jobs.enqueue({ kind: 'scan', runAt: START })).job.runAt).toBe(START);
      expect(await claim()).not.toBeNull();
      // Enqueuing a job doesn't change when a lease expires.
      await shop.jobs.enqueue({ kind: 'scan', runAt: START - HOUR });
      expect(await claim()).toBeNull();
    });

    it('runs a job again if a caller requests another run while the job is running', async () => {
      const shop = await installed(harness);
      await shop.jobs.enqueue({ kind: 'scan', payload: 1, maxAttempts: 2 });
      const first = await mustClaim();
      await shop.jobs.enqueue({ kind: 'scan', payload: 2, whileRunning: 'again' });
      await shop.jobs.enqueue({ kind: 'scan', payload: 3, whileRunning: 'again' });
      await shop.jobs.enqueue({ kind: 'scan', payload: 4 });
      expect(await claim()).toBeNull();
      await first.complete();
      const second = await mustClaim();
      expect(second).toMatchObject({ payload: 3, attempt: 1 });
      await shop.jobs.enqueue({ kind: 'scan', payload: 5, whileRunning: 'again' });
      expect(await second.fail('throttled', { retryAt: START })).toBe('queued');
      const third = await mustClaim();
      expect(third).toMatchObject({ id: second.id, payload: 5, attempt: 2 });
      await third.complete();
      expect(await claim()).toBeNull();
    });

    it('skips a job’s wait if a caller requests another run while the job is running', async () => {
      const shop = await installed(harness);
      const { job } = await shop.jobs.enqueue({ kind: 'scan', payload: 1 });
      const first = await mustClaim();
      await shop.jobs.enqueue({ kind: 'scan', payload: 2, whileRunning: 'again' });
      await first.wait(START + HOUR, { done: 3 });
      const second = await mustClaim();
      expect(second).toMatchObject({ id: job.id, payload: 2, progress: { done: 3 }, attempt: 1 });
      await second.wait(START + HOUR);
      expect(await claim()).toBeNull();
    });

    it('claims the job that has been due the longest among the requested kinds', async () => {
      const shop = await installed(harness);
      await shop.jobs.enqueue({ kind: 'scan', key: 'late', runAt: START - 1 });
      await shop.jobs.enqueue({ kind: 'scan', key: 'early', runAt: START - 2 });
      await shop.jobs.enqueue({ kind: 'retention', runAt: START - 3 });
      expect((await mustClaim(['scan', 'catalog'])).key).toBe('early');
      expect((await mustClaim(['scan', 'catalog'])).key).toBe('late');
      expect(await claim(['scan', 'catalog'])).toBeNull();
      expect((await mustClaim(['retention'])).kind).toBe('retention');
    });

    it('retries a failed job at the requested time, and marks the job as failed after its last attempt', async () => {
      const shop = await installed(harness);
      const { job } = await shop.jobs.enqueue({ kind: 'scan', maxAttempts: 2 });
      expect(await (await mustClaim()).fail('throttled', { retryAt: START + MINUTE })).toBe('queued');
      expect(await shop.jobs.get(job.id)).toMatchObject({ state: 'queued', error: 'throttled', attempts: 1 });
      expect(await claim()).toBeNull();
      harness.now += MINUTE;
      const second = await mustClaim();
      expect(second.attempt).toBe(2);
      expect(await second.fail('throttled', { retryAt: START + HOUR })).toBe('failed');
      expect(await shop.jobs.get(job.id)).toMatchObject({ state: 'failed', error: 'throttled', attempts: 2 });
      await shop.jobs.enqueue({ kind: 'scan' });
      expect(await (await mustClaim()).fail('no_theme', { retryAt: null })).toBe('failed');
    });

    it('returns a released job to the queue immediately, without counting the attempt', async () => {
      const shop = await installed(harness);
      const { job } = await shop.jobs.enqueue({ kind: 'scan', maxAttempts: 1, payload: { first: true } });
      const first = await mustClaim(['scan'], 'w1');
      await first.heartbeat({ done: 3 });
      await shop.jobs.enqueue({ kind: 'scan', payload: { first: false }, whileRunning: 'again' });
      await first.release();
      expect(await shop.jobs.get(job.id)).toMatchObject({ state: 'queued', attempts: 0, progress: { done: 3 } });
      await expect(first.complete()).rejects.toMatchObject({ code: 'lease_lost' });
      await expect(first.release()).rejects.toMatchObject({ code: 'lease_lost' });
      const second = await mustClaim(['scan'], 'w2');
      expect(second).toMatchObject({ id: job.id, attempt: 1, payload: { first: false } });
      await second.complete();
      expect(await claim()).toBeNull();
    });

    it('lets another worker claim a job only after the lease expires without a heartbeat', async () => {
      const shop = await installed(harness);
      await shop.jobs.enqueue({ kind: 'scan' });
      const first = await mustClaim(['scan'], 'w1');
      for (let beat = 0; beat < 3; beat++) {
        harness.now += LEASE - 1;
        expect(await first.heartbeat()).toBe('held');
      }
      await first.heartbeat({ at: 7 });
      harness.now += LEASE - 1;
      expect(await claim()).toBeNull();
      harness.now += 1;
      const second = await mustClaim(['scan'], 'w2');
      expect(second).toMatchObject({ id: first.id, attempt: 2, progress: { at: 7 } });
    });

    it('doesn’t delay a dead worker’s job by a day if that worker’s clock was a day ahead', async () => {
      const shop = await installed(harness);
      const { job } = await shop.jobs.enqueue({ kind: 'scan' });
      harness.now += DAY;
      await mustClaim(['scan'], 'w1');
      harness.now -= DAY;
      expect(await mustClaim(['scan'], 'w2')).toMatchObject({ id: job.id, attempt: 2 });
    });

    it('rejects every write from a worker that lost its lease', async () => {
      const shop = await installed(harness);
      await shop.jobs.enqueue({ kind: 'scan' });
      const first = await mustClaim();
      await first.shop.variants.upsert('run', [newVariant(1)]);
      harness.now += LEASE;
      // The lease has expired, but no other worker has claimed the job, so writes still succeed.
      await first.shop.variants.upsert('run', [newVariant(2)]);
      const second = await mustClaim();

      expect(await first.heartbeat({ at: 'lost' })).toBe('lost');
      for (const write of [
        () => first.complete(),
        () => first.fail('x', { retryAt: null }),
        () => first.shop.scans.record(newScan()),
        () => first.shop.variants.upsert('run', [newVariant(3)]),
        () => first.shop.variants.sweep('another'),
        () => first.shop.findings.accept(['f'], { reason: 'r', until: null, by: 'b' }),
        () => first.shop.themeFiles.replace('t', []),
        () => first.shop.productCertificates.saveDraft('p', {}),
        () => first.shop.setNeedsReopening(true),
        () => first.shop.jobs.enqueue({ kind: 'other' }),
        () => first.shop.sessions.clear(),
        () => first.shop.uninstall(),
        () => first.shop.retain({ olderThan: harness.now, keepScans: 1 }),
        () => first.shop.erase(),
      ]) {
        await expect(write()).rejects.toMatchObject({ code: 'lease_lost' });
      }
      expect(await shop.variants.counts()).toMatchObject({ total: 2 });
      expect(await shop.jobs.get(second.id)).toMatchObject({ state: 'running', progress: null });
      await second.shop.scans.record(newScan());
      await second.complete();
    });

    it('fails a job after its maximum number of attempts if the worker dies during every attempt', async () => {
      const shop = await installed(harness);
      const { job } = await shop.jobs.enqueue({ kind: 'scan', maxAttempts: 2 });
      for (let attempt = 1; attempt <= 2; attempt++) {
        expect((await mustClaim()).attempt).toBe(attempt);
        harness.now += LEASE;
      }
      expect(await claim()).toBeNull();
      expect(await shop.jobs.get(job.id)).toMatchObject({ state: 'failed', error: 'attempts_exhausted', attempts: 2 });
    });

    it('cancels all jobs, including running ones, when the app is uninstalled', async () => {
      const [one, two] = [await installed(harness), await installed(harness, TWO)];
      const { job: running } = await one.jobs.enqueue({ kind: 'scan' });
      const held = await mustClaim();
      await one.jobs.enqueue({ kind: 'scan', whileRunning: 'again' });
      await one.jobs.enqueue({ kind: 'catalog' });
      await two.jobs.enqueue({ kind: 'scan' });
      await one.uninstall();
      expect(await held.heartbeat({ at: 1 })).toBe('cancelled');
      await expect(held.complete()).rejects.toMatchObject({ code: 'lease_lost' });
      await expect(held.shop.scans.record(newScan())).rejects.toMatchObject({ code: 'lease_lost' });
      expect((await one.jobs.list({ limit: 9 })).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
      expect(await one.jobs.get(running.id)).toMatchObject({ finishedAt: START, progress: null });
      expect((await mustClaim(['scan', 'catalog'])).domain).toBe(TWO);
      expect(await claim(['scan', 'catalog'])).toBeNull();

      await expect(one.jobs.enqueue({ kind: 'scan' })).rejects.toMatchObject({ code: 'shop_uninstalled' });
      await one.jobs.enqueue({ kind: 'redact', afterUninstall: true });
      const redact = await mustClaim(['redact']);
      await redact.shop.erase();
      expect(await redact.heartbeat()).toBe('lost');
      await expect(one.jobs.enqueue({ kind: 'scan' })).rejects.toMatchObject({ code: 'shop_unknown' });
    });

    it('cancels only jobs of the given kinds', async () => {
      const shop = await installed(harness);
      for (const kind of ['scan', 'catalog', 'theme_check']) await shop.jobs.enqueue({ kind });
      expect(await shop.jobs.cancel(['scan', 'theme_check'])).toBe(2);
      expect(await shop.jobs.cancel(['scan'])).toBe(0);
      expect((await mustClaim(['scan', 'catalog', 'theme_check'])).kind).toBe('catalog');
    });
  });
}
