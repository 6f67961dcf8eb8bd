import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, START, type StoreHarness } from '../../../testing/contract/harness.ts';
import type { NewRendering, Shop, ShopStore } from '../../index.ts';
import { installed, newRendering, newScan, observed } from '../fixtures.ts';

const VERDICTS: NewRendering['verdicts'] = new Map([
  ['a', 'confirmed'],
  ['b', 'refuted'],
  ['c', 'refuted'],
  ['unknown', 'refuted'],
]);

export function registerRenderings(harness: StoreHarness<ShopStore>): void {
  describe('renderings', () => {
    /** Returns a shop with open findings a through d. Finding c is accepted. */
    async function shopWithFindings(): Promise<Shop> {
      const shop = await installed(harness);
      const severity = 'error';
      await shop.scans.record(
        newScan({ findings: ['a', 'b', 'c', 'd'].map(id => observed(id, 'page /', { severity })) }),
      );
      await shop.findings.accept(['c'], { reason: 'A test', until: null, by: 'Anna' });
      return shop;
    }
    const verdictsOf = async (shop: Shop) =>
      Object.fromEntries(
        (await shop.findings.list({ limit: 9 })).rows.map(({ fingerprint, verdict }) => [
          fingerprint,
          verdict?.is ?? null,
        ]),
      );

    it('records a verdict for each open finding, and doesn’t count refuted findings', async () => {
      const shop = await shopWithFindings();
      expect(await verdictsOf(shop)).toEqual({ a: null, b: null, c: null, d: null });
      harness.now += HOUR;
      await shop.renderings.record(newRendering({ verdicts: VERDICTS }));
      expect(await verdictsOf(shop)).toEqual({ a: 'confirmed', b: 'refuted', c: 'refuted', d: 'unseen' });
      expect(await shop.findings.get('b')).toMatchObject({
        verdict: { is: 'refuted', at: harness.now },
        refuted: true,
      });
      expect(await shop.findings.counts()).toMatchObject({
        ...{ open: 4, accepted: 1, refuted: 1, bySeverity: { error: 2, warn: 0, info: 0 } },
      });
      const listed = async (refuted: boolean) =>
        (await shop.findings.list({ limit: 9, accepted: false, refuted })).rows.map(({ fingerprint }) => fingerprint);
      expect([await listed(true), await listed(false)]).toEqual([['b'], ['a', 'd']]);
    });

    it('counts a refuted finding again after a week without another rendering', async () => {
      const shop = await shopWithFindings();
      await shop.renderings.record(newRendering({ verdicts: VERDICTS }));
      harness.now += 7 * DAY - MINUTE;
      expect((await shop.findings.counts()).refuted).toBe(1);
      harness.now += MINUTE;
      expect((await shop.findings.counts()).refuted).toBe(0);
      expect(await shop.findings.get('b')).toMatchObject({ verdict: { is: 'refuted' }, refuted: false });
    });

    it('keeps the verdict on a finding that a scan observes again, unless the finding was fixed or the theme changed', async () => {
      const shop = await shopWithFindings();
      await shop.renderings.record(newRendering({ verdicts: VERDICTS }));
      await shop.scans.record(newScan({ findings: [observed('a'), observed('b'), observed('e')] }));
      expect(await verdictsOf(shop)).toMatchObject({ a: 'confirmed', b: 'refuted', e: null });
      await shop.scans.record(newScan({ findings: [observed('a')] }));
      await shop.scans.record(newScan({ findings: [observed('a'), observed('b')] }));
      expect(await verdictsOf(shop)).toMatchObject({ a: 'confirmed', b: null });
      await shop.scans.record(newScan({ theme: { id: 'another', name: 'Horizon' }, findings: [observed('a')] }));
      expect(await verdictsOf(shop)).toMatchObject({ a: null, b: null });
    });

    it('returns the newest rendering, and keeps earlier verdicts if the browser couldn’t open the storefront', async () => {
      const shop = await shopWithFindings();
      expect([await shop.renderings.latest(), await shop.renderings.latestSeen()]).toEqual([null, null]);
      await shop.renderings.record(newRendering({ id: 'job-1', score: 84, verdicts: VERDICTS }));
      harness.now += DAY;
      const unseen = { id: 'job-2', state: 'unseen', reason: 'password', score: null, detail: null } as const;
      await shop.renderings.record(newRendering({ ...unseen, verdicts: new Map() }));
      expect(await shop.renderings.latest()).toEqual({
        ...{ ...unseen, startedAt: START - 1000, finishedAt: START + DAY },
      });
      expect(await shop.renderings.latestSeen()).toMatchObject({ id: 'job-1', score: 84, detail: { events: 3 } });
      expect(await verdictsOf(shop)).toMatchObject({ a: 'confirmed', b: 'refuted' });
    });

    it('records a rendering once, even if its job runs again', async () => {
      const shop = await shopWithFindings();
      await shop.renderings.record(newRendering({ id: 'job-1', score: 84, verdicts: VERDICTS }));
      await shop.renderings.record(newRendering({ id: 'job-1', score: 50, verdicts: new Map() }));
      expect(await shop.renderings.latest()).toMatchObject({ id: 'job-1', score: 84 });
      expect(await verdictsOf(shop)).toMatchObject({ a: 'confirmed', d: 'unseen' });
    });

    it('deletes renderings and verdicts on request', async () => {
      const shop = await shopWithFindings();
      await shop.renderings.record(newRendering({ verdicts: VERDICTS }));
      expect(await shop.renderings.clear()).toBe(1);
      expect(await shop.renderings.latest()).toBeNull();
      expect(await verdictsOf(shop)).toEqual({ a: null, b: null, c: null, d: null });
      expect((await shop.findings.counts()).bySeverity.error).toBe(3);
    });

    it('deletes old renderings, except the newest rendering and the newest rendering that opened the storefront', async () => {
      const shop = await shopWithFindings();
      for (const [id, state] of [
        ['job-1', 'complete'],
        ['job-2', 'partial'],
        ['job-3', 'unseen'],
        ['job-4', 'unseen'],
      ] as const)
        await shop.renderings.record(newRendering({ id, state }));
      await shop.retain({ olderThan: harness.now + DAY, keepScans: 1 });
      const rows = await harness.store.sql('select id from shop_renderings order by id');
      expect(rows.map(({ id }) => id)).toEqual(['job-2', 'job-4']);
    });
  });
}
