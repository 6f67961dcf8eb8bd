import { describe, expect, it } from 'vitest';
import type { DueWatch, NewWatch, WatchDataset } from '../../index.ts';
import { DAY, MINUTE, type StoreHarness } from './harness.ts';

const dataset = (version: string): WatchDataset => ({
  sha256: `sha-${version}`,
  version,
  body: () => `body ${version}`,
});
const OLD = dataset('2026.11.2');
const NEW = dataset('2026.11.10');
const TODAY = '2026-11-21';
const TOMORROW = '2026-11-22';
const CODES = Array.from({ length: 2500 }, (_, index) => ({
  reference: `R${index}`,
  code: '7318.15.2061',
  origin: null,
}));
const WEBHOOK = { url: 'https://hooks.example/', secrets: '[]' };

export function registerWatches(harness: StoreHarness): void {
  /** Creates a watch for a new key family. */
  async function createWatch(values: Partial<NewWatch> = {}) {
    const { record } = await harness.issue();
    const watch = await harness.store.watches.create({
      ...{ family: record.family, name: 'Catalog', codes: CODES, dataset: OLD, evaluatedOn: TODAY, webhook: null },
      ...values,
    });
    return { watch, record };
  }
  const claim = (against = NEW, today = TODAY) => harness.store.watches.claimEvaluation(against, today, MINUTE);
  const codesOf = async (due: DueWatch) => {
    const codes: unknown[] = [];
    for await (const part of due.codes()) codes.push(...part);
    return codes;
  };

  describe('watches', () => {
    it('stores watches with their codes, and shows them only to their key family', async () => {
      const { watch } = await createWatch();
      expect(await harness.store.watches.get(watch.family, watch.id)).toEqual(watch);
      expect(watch).toMatchObject({ name: 'Catalog', codeCount: 2500, lastSeq: 0, evaluatedOn: TODAY });
      const { watch: foreign } = await createWatch();
      expect(await harness.store.watches.list(watch.family)).toEqual([watch]);
      const page = { after: 0, limit: 10 };
      const { watches } = harness.store;
      for (const call of [
        () => watches.get(watch.family, foreign.id),
        () => watches.delete(watch.family, foreign.id),
        () => watches.events(watch.family, foreign.id, page),
        () => watches.setSecrets(watch.family, foreign.id, '[]'),
        () => watches.redeliver(watch.family, foreign.id, { after: 0, onlyFailed: true }),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'watch_unknown' });
      const due = (await claim())!;
      expect(await codesOf(due)).toEqual(CODES);
      expect(await due.previousDataset()).toBe('body 2026.11.2');
    });

    it('limits the number of watches per key family', async () => {
      const { record } = await createWatch({ codes: [] });
      const another = { family: record.family, name: '', codes: [], dataset: OLD, evaluatedOn: TODAY, webhook: null };
      for (let count = 1; count < 20; count++) await harness.store.watches.create(another);
      await expect(harness.store.watches.create(another)).rejects.toMatchObject({ code: 'watch_limit' });
      expect(await harness.store.watches.list(record.family)).toHaveLength(20);
    });

    it('never exceeds the watch limit, even if a key family creates watches concurrently', async () => {
      const { record } = await createWatch({ codes: [] });
      const another = { family: record.family, name: '', codes: [], dataset: OLD, evaluatedOn: TODAY, webhook: null };
      const create = () => harness.store.watches.create(another);
      for (let count = 1; count < 17; count++) await create();
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, create));
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject(Array(7).fill({ reason: { code: 'watch_limit' } }));
      expect(await harness.store.watches.list(record.family)).toHaveLength(20);
    });

    it('claims a watch once for each newer data set and each later date, but never for an older data set', async () => {
      await createWatch();
      expect(await claim(OLD)).toBeNull();
      expect(await claim(dataset('2026.9.30'), TOMORROW)).toBeNull();
      expect(await (await claim(NEW))!.finish([])).toBe(true);
      expect(await claim(NEW)).toBeNull();
      expect(await claim(OLD, TOMORROW)).toBeNull();
      const next = (await claim(NEW, TOMORROW))!;
      expect(next).toMatchObject({ datasetSha256: NEW.sha256, evaluatedOn: TODAY });
      await next.finish([]);
      expect(await claim(NEW, TOMORROW)).toBeNull();
    });

    it('lets exactly one of many concurrent callers evaluate a watch', async () => {
      await createWatch();
      const claims = await Promise.all(Array.from({ length: 20 }, () => claim()));
      expect(claims.filter(due => due !== null)).toHaveLength(1);
    });

    it('stores an evaluation’s events once, numbered without gaps, even if another process takes over', async () => {
      const { watch } = await createWatch();
      const slow = (await claim())!;
      harness.now += MINUTE - 1;
      expect(await claim()).toBeNull();
      expect(await slow.extend()).toBe(true);
      harness.now += MINUTE;
      const next = (await claim())!;
      expect(await slow.extend()).toBe(false);
      expect(await slow.finish(['a'])).toBe(false);
      const events = Array.from({ length: 45 }, (_, index) => `event ${index}`);
      expect(await next.finish(events)).toBe(true);
      expect(await next.finish(['again'])).toBe(false);
      await (await claim(NEW, TOMORROW))!.finish(['last']);
      const stored = await harness.store.watches.events(watch.family, watch.id, { after: 0, limit: 100 });
      expect(stored.map(({ seq, body }) => [seq, body])).toEqual(
        [...events, 'last'].map((body, index) => [index + 1, body]),
      );
      const page = await harness.store.watches.events(watch.family, watch.id, { after: 44, limit: 1 });
      expect(page).toMatchObject([{ seq: 45, delivery: 'none', attempts: 0 }]);
      expect(await harness.store.watches.claimDelivery('w', MINUTE)).toBeNull();
    });

    it('doesn’t evaluate a key family’s watches if the family has no valid key', async () => {
      const { record } = await createWatch();
      await harness.store.keys.revoke(record.id, { actor: 'operator' });
      expect(await claim()).toBeNull();
    });

    it('deletes a watch with its codes and events, and discards an evaluation in progress', async () => {
      const { watch } = await createWatch({ webhook: WEBHOOK });
      await (await claim())!.finish(['a']);
      const running = (await claim(NEW, TOMORROW))!;
      await harness.store.watches.delete(watch.family, watch.id);
      expect(await running.finish(['b'])).toBe(false);
      for (const table of ['watches', 'watch_codes', 'watch_events'])
        expect(await harness.store.sql(`select * from ${table}`)).toEqual([]);
      expect(await harness.store.watches.claimDelivery('w', MINUTE)).toBeNull();
    });

    it('deletes watch events after 90 days', async () => {
      const { watch } = await createWatch();
      await (await claim())!.finish(['a']);
      harness.now += 91 * DAY;
      await (await claim(NEW, '2027-02-20'))!.finish(['b']);
      const stored = await harness.store.watches.events(watch.family, watch.id, { after: 0, limit: 10 });
      expect(stored.map(({ seq, body }) => [seq, body])).toEqual([[2, 'b']]);
    });
  });

  describe('webhook deliveries', () => {
    it('alternates between key families when claiming deliveries', async () => {
      const { watch: busy } = await createWatch({ webhook: WEBHOOK });
      await (await claim())!.finish(Array.from({ length: 30 }, (_, index) => `${index}`));
      const { watch: quiet } = await createWatch({ webhook: WEBHOOK });
      await (await claim())!.finish(['a']);
      const claimed = [await deliver(), await deliver(), await deliver()].map(due => due!.watch.id);
      expect(new Set(claimed)).toEqual(new Set([busy.id, quiet.id]));
    });

    it('counts attempts during which the worker died, and makes the delivery a dead letter after ten such attempts', async () => {
      const { watch } = await createWatch({ webhook: WEBHOOK });
      await (await claim())!.finish(['a']);
      for (let attempt = 1; attempt <= 10; attempt++) {
        expect((await deliver())!.attempt).toBe(attempt);
        harness.now += MINUTE;
      }
      expect(await deliver()).toBeNull();
      expect(await eventsOf(watch)).toMatchObject([{ delivery: 'dead', attempts: 10, error: 'attempts_exhausted' }]);
    });

    it('deletes the deliveries of a deleted watch, even if a delivery is in progress', async () => {
      const { watch } = await createWatch({ webhook: WEBHOOK });
      await (await claim())!.finish(['a', 'b']);
      const due = (await deliver())!;
      await harness.store.watches.delete(watch.family, watch.id);
      await expect(due.complete()).rejects.toMatchObject({ code: 'lease_lost' });
      expect(await deliver()).toBeNull();
    });

    const deliver = () => harness.store.watches.claimDelivery('w', MINUTE);
    const eventsOf = ({ family, id }: { family: string; id: string }) =>
      harness.store.watches.events(family, id, { after: 0, limit: 10 });

    it('lets exactly one of many concurrent callers deliver an event, and lets another caller deliver it after the lease expires', async () => {
      const { watch } = await createWatch({ webhook: WEBHOOK });
      await (await claim())!.finish(['a']);
      const claims = (await Promise.all(Array.from({ length: 10 }, deliver))).filter(due => due !== null);
      expect(claims).toMatchObject([{ event: { seq: 1, body: 'a' }, attempt: 1, watch: { webhookUrl: WEBHOOK.url } }]);
      harness.now += MINUTE;
      const next = (await deliver())!;
      await expect(claims[0]!.fail('late', { retryAt: null })).rejects.toMatchObject({ code: 'lease_lost' });
      expect(await eventsOf(watch)).toMatchObject([{ delivery: 'pending', attempts: 2, error: null }]);
      await next.complete();
      expect(await eventsOf(watch)).toMatchObject([{ delivery: 'delivered', error: null }]);
      expect(await deliver()).toBeNull();
    });

    it('retries a failed delivery at the specified time, doesn’t retry a permanent failure, and redelivers on request', async () => {
      const { watch } = await createWatch({ webhook: WEBHOOK });
      await (await claim())!.finish(['a']);
      await (await deliver())!.fail('status 500', { retryAt: harness.now + 5000 });
      expect(await deliver()).toBeNull();
      harness.now += 5000;
      await (await deliver())!.fail('status 410', { retryAt: null });
      expect(await eventsOf(watch)).toMatchObject([{ delivery: 'dead', attempts: 2, error: 'status 410' }]);
      harness.now += DAY;
      expect(await deliver()).toBeNull();
      const again = (after: number, onlyFailed: boolean) =>
        harness.store.watches.redeliver(watch.family, watch.id, { after, onlyFailed });
      expect(await again(1, true)).toBe(0);
      expect(await again(0, true)).toBe(1);
      const next = (await deliver())!;
      expect(next).toMatchObject({ event: { seq: 1 }, attempt: 1 });
      await next.complete();
      expect(await again(0, true)).toBe(0);
      expect(await again(0, false)).toBe(1);
      const { watch: polled } = await createWatch();
      expect(await harness.store.watches.redeliver(polled.family, polled.id, { after: 0, onlyFailed: false })).toBe(0);
    });
  });
}
