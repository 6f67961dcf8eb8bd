import { describe, expect, it } from 'vitest';
import { URGENT } from '../../../jobs/job.ts';
import { HOUR, MINUTE, START, type StoreHarness } from '../../../testing/contract/harness.ts';
import type { ClaimedJob, NewJob, ShopStore } from '../../index.ts';
import { installed, ONE, TWO } from '../fixtures.ts';

const THREE = 'three.myshopify.com';

/** Registers the tests that check how shops share the workers. */
export function registerFairness(harness: StoreHarness<ShopStore>): void {
  describe('fairness', () => {
    const claim = (options = {}) => harness.store.jobs.claim('w', ['work', 'scan'], MINUTE, options);
    const claimAll = async (limit: number): Promise<ClaimedJob[]> => {
      const claimed: ClaimedJob[] = [];
      for (let job = await claim(); job; job = await claim()) {
        claimed.push(job);
        if (claimed.length === limit) break;
      }
      return claimed;
    };
    let events = 0;
    /** Enqueues many jobs in one transaction, as a webhook does. */
    const enqueueMany = (shop: string, count: number, more: Partial<NewJob> = {}) =>
      harness.store.webhooks.take(
        { eventId: `${++events}`, topic: 'T', shop },
        Array.from({ length: count }, (_, i) => ({ kind: 'work', key: `${i}`.padStart(4, '0'), ...more })),
      );

    it('starts another shop’s job after only one job from a shop with 1,000 due jobs', async () => {
      await installed(harness);
      const two = await installed(harness, TWO);
      await enqueueMany(ONE, 1_000);
      expect((await claim())?.key).toBe('0000');
      harness.now += 1;
      await two.jobs.enqueue({ kind: 'scan' });
      expect((await claimAll(2)).map(({ domain }) => domain)).toEqual([ONE, TWO]);
    });

    it('alternates between shops, regardless of how many jobs they have and when the jobs are due', async () => {
      for (const shop of [ONE, TWO, THREE]) await installed(harness, shop);
      await enqueueMany(ONE, 4);
      await enqueueMany(TWO, 2, { runAt: START + 1 });
      harness.now += 2;
      const order = (await claimAll(3)).map(({ domain, key }) => `${domain[1]}${key.at(-1)}`);
      await enqueueMany(THREE, 2);
      order.push(...(await claimAll(9)).map(({ domain, key }) => `${domain[1]}${key.at(-1)}`));
      expect(order).toEqual(['n0', 'w0', 'n1', 'w1', 'h0', 'n2', 'h1', 'n3']);
    });

    it('doesn’t let a shop that always has one new job overtake another shop’s waiting jobs', async () => {
      await installed(harness);
      const two = await installed(harness, TWO);
      await enqueueMany(ONE, 4);
      const order: string[] = [];
      for (let i = 0; i < 8; i++) {
        await two.jobs.enqueue({ kind: 'scan' });
        const job = (await claim())!;
        order.push(job.domain);
        await job.complete();
      }
      expect(order.filter(domain => domain === ONE)).toHaveLength(4);
      expect(order.slice(0, 2).sort()).toEqual([ONE, TWO]);
    });

    it('doesn’t let a job that repeatedly becomes due move ahead of another shop’s waiting jobs', async () => {
      await installed(harness);
      const two = await installed(harness, TWO);
      await two.jobs.enqueue({ kind: 'scan' });
      harness.now += 1;
      await enqueueMany(ONE, 4);
      const order: string[] = [];
      for (let i = 0; i < 8; i++) {
        const job = (await claim())!;
        order.push(job.domain);
        await (job.domain === TWO ? job.wait(harness.now) : job.complete());
      }
      expect(order).toEqual([TWO, ONE, TWO, ONE, TWO, ONE, TWO, ONE]);
    });

    it('claims urgent jobs first, and reserves a slot for them', async () => {
      await installed(harness);
      const two = await installed(harness, TWO);
      await enqueueMany(ONE, 3);
      expect(await claim({ minPriority: URGENT })).toBeNull();
      await two.jobs.enqueue({ kind: 'scan', priority: URGENT });
      expect(await claim({ minPriority: URGENT })).toMatchObject({ domain: TWO, kind: 'scan' });
      await enqueueMany(TWO, 1, { key: 'urgent', priority: URGENT });
      expect((await claimAll(9)).map(({ key }) => key)).toEqual(['urgent', '0000', '0001', '0002']);
    });

    it('raises the priority of a live job that becomes urgent, but never lowers it', async () => {
      const one = await installed(harness);
      await enqueueMany(ONE, 2);
      await one.jobs.enqueue({ kind: 'scan' });
      await claim();
      await one.jobs.enqueue({ kind: 'scan', priority: URGENT });
      await one.jobs.enqueue({ kind: 'scan' });
      const scan = (await claim())!;
      expect(scan.kind).toBe('scan');
      await one.jobs.enqueue({ kind: 'scan', whileRunning: 'again' });
      await scan.complete();
      expect((await claim({ minPriority: URGENT }))?.kind).toBe('scan');
    });

    it('replaces a queued job’s payload if a caller makes the job urgent, but never changes a running job’s payload', async () => {
      const one = await installed(harness);
      const enqueue = (payload: string, priority = 0) => one.jobs.enqueue({ kind: 'scan', payload, priority });
      await enqueue('schedule');
      await enqueue('theme');
      await enqueue('merchant', URGENT);
      const scan = (await claim())!;
      expect(scan.payload).toBe('merchant');
      await enqueue('support', URGENT + 1);
      expect((await one.jobs.get(scan.id))?.payload).toBe('merchant');
    });

    it('doesn’t use a slot or count an attempt while a job waits for an external system', async () => {
      const one = await installed(harness);
      const { job } = await one.jobs.enqueue({ kind: 'scan', maxAttempts: 1, payload: 'p' });
      for (let polls = 1; polls <= 3; polls++) {
        const held = (await claim())!;
        expect(held).toMatchObject({ id: job.id, attempt: 1, payload: 'p' });
        await held.wait(harness.now + MINUTE, { polls });
        await expect(held.complete()).rejects.toMatchObject({ code: 'lease_lost' });
        expect(await claim()).toBeNull();
        expect(await one.jobs.get(job.id)).toMatchObject({ state: 'queued', runAt: START, progress: { polls } });
        harness.now += MINUTE;
      }
      expect((await claim())?.progress).toEqual({ polls: 3 });
    });

    it('wakes a waiting job if the same job is enqueued again', async () => {
      const one = await installed(harness);
      const { job } = await one.jobs.enqueue({ kind: 'scan' });
      await (await claim())!.wait(START + HOUR);
      harness.now += 1;
      expect(await one.jobs.enqueue({ kind: 'scan' })).toMatchObject({ made: false, job: { id: job.id } });
      expect((await claim())?.id).toBe(job.id);
    });

    it('doesn’t claim a job with an expired lease if its worker sends a heartbeat first', async () => {
      const one = await installed(harness);
      await one.jobs.enqueue({ kind: 'scan' });
      const held = (await claim())!;
      harness.now += MINUTE;
      // A worker for another job kind assigns the expired job its turn, but doesn't claim the job.
      expect(await harness.store.jobs.claim('other', ['other'], MINUTE)).toBeNull();
      expect(await held.heartbeat()).toBe('held');
      expect(await claim()).toBeNull();
    });
  });

  describe('dead letters', () => {
    it('lists failed jobs for all shops, and resets a failed job’s attempt count when the job is redriven', async () => {
      const [one, two] = [await installed(harness), await installed(harness, TWO)];
      for (const shop of [one, two]) await shop.jobs.enqueue({ kind: 'scan', maxAttempts: 1, payload: shop.domain });
      const claim = () => harness.store.jobs.claim('w', ['scan'], MINUTE);
      for (let i = 0; i < 2; i++) await (await claim())!.fail('no_theme', { retryAt: START });
      const letters = await harness.store.jobs.deadLetters({ limit: 9 });
      expect(letters.map(({ tenant, error }) => `${tenant} ${error}`).sort()).toEqual([
        `${ONE} no_theme`,
        `${TWO} no_theme`,
      ]);
      const { id } = letters.find(({ tenant }) => tenant === TWO)!;
      expect(await one.jobs.redrive(id)).toBe(false);
      expect(await two.jobs.redrive(id)).toBe(true);
      expect(await two.jobs.redrive(id)).toBe(false);
      const again = (await claim())!;
      expect(again).toMatchObject({ id, attempt: 1, payload: TWO });
      await again.complete();
      expect(await harness.store.jobs.deadLetters({ limit: 9 })).toMatchObject([{ tenant: ONE }]);
    });

    it('doesn’t redrive a failed job if a live job of the same kind and key exists', async () => {
      const one = await installed(harness);
      const { job } = await one.jobs.enqueue({ kind: 'scan' });
      await (await harness.store.jobs.claim('w', ['scan'], MINUTE))!.fail('no_theme', { retryAt: null });
      await one.jobs.enqueue({ kind: 'scan' });
      expect(await one.jobs.redrive(job.id)).toBe(false);
      await one.uninstall();
      await expect(one.jobs.redrive(job.id)).rejects.toMatchObject({ code: 'shop_uninstalled' });
    });
  });
}
