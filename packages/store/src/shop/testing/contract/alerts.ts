import { describe, expect, it } from 'vitest';
import { MINUTE, START, type StoreHarness } from '../../../testing/contract/harness.ts';
import type { NewAlert, ShopStore } from '../../index.ts';
import { installed } from '../fixtures.ts';

const JOB = { kind: 'alert_email', whileRunning: 'again' } as const;

export function registerAlerts(harness: StoreHarness<ShopStore>): void {
  const alert = (key: string): NewAlert => ({ key, kind: 'error', detail: { title: key } });
  const keysOf = (message: { readonly alerts: readonly NewAlert[] } | null) => message?.alerts.map(({ key }) => key);

  describe('alerts', () => {
    it('records one alert per event, no matter how often the event is reported or how many callers report it', async () => {
      const shop = await installed(harness);
      const reports = await Promise.all([1, 2, 3].map(() => shop.alerts.record([alert('a'), alert('b')], JOB)));
      expect(reports.sort()).toEqual([0, 0, 2]);
      expect(await shop.jobs.list({ limit: 9 })).toHaveLength(1);
      const message = await shop.alerts.nextMessage(9);
      expect(message?.alerts).toEqual(['a', 'b'].map(key => ({ ...alert(key), at: START })));
      expect(await shop.alerts.end({ message: message!.id })).toBe(2);
      expect(await shop.alerts.record([alert('a')], JOB)).toBe(0);
      expect(await shop.alerts.nextMessage(9)).toBeNull();
    });

    it('returns the same message until it’s marked as sent, even if more alerts arrive', async () => {
      const shop = await installed(harness);
      await shop.alerts.record([alert('a'), alert('b'), alert('c')], JOB);
      const first = await shop.alerts.nextMessage(2);
      await shop.alerts.record([alert('d')], JOB);
      expect(await shop.alerts.nextMessage(2)).toEqual(first);
      await shop.alerts.end({ message: first!.id });
      const second = await shop.alerts.nextMessage(2);
      expect([keysOf(first), keysOf(second)]).toEqual([
        ['a', 'b'],
        ['c', 'd'],
      ]);
      expect(second?.id).not.toBe(first?.id);
    });

    it('deletes an alert’s content once the alert is sent or discarded', async () => {
      const shop = await installed(harness);
      await shop.alerts.record([alert('a')], JOB);
      await shop.alerts.end('all');
      const rows = await harness.store.sql('select detail, ended_at from shop_alerts');
      expect(rows.map(row => [row.detail, Number(row.ended_at)])).toEqual([['null', START]]);
    });

    it('enqueues another job for an alert that arrives while the job is running', async () => {
      const shop = await installed(harness);
      await shop.alerts.record([alert('a')], JOB);
      const running = await harness.store.jobs.claim('w', [JOB.kind], MINUTE);
      await shop.alerts.record([alert('b')], JOB);
      await running!.complete();
      expect(await harness.store.jobs.claim('w', [JOB.kind], MINUTE)).not.toBeNull();
    });

    it('rejects a worker that lost its lease, so that only one worker sends a message', async () => {
      const shop = await installed(harness);
      await shop.alerts.record([alert('a')], JOB);
      const slow = await harness.store.jobs.claim('slow', [JOB.kind], MINUTE);
      harness.now += 2 * MINUTE;
      const next = await harness.store.jobs.claim('next', [JOB.kind], MINUTE);
      await expect(slow!.shop.alerts.nextMessage(9)).rejects.toMatchObject({ code: 'lease_lost' });
      expect(keysOf(await next!.shop.alerts.nextMessage(9))).toEqual(['a']);
    });

    it('keeps Shopify Flow events separate from email alerts', async () => {
      const shop = await installed(harness);
      await shop.alerts.record([alert('a')], JOB);
      expect(await shop.flowTriggers.nextMessage(9)).toBeNull();
      expect(await shop.flowTriggers.record([alert('a')], { kind: 'flow_triggers' })).toBe(1);
      await shop.alerts.end('all');
      expect(keysOf(await shop.flowTriggers.nextMessage(9))).toEqual(['a']);
    });

    it('doesn’t record alerts for a shop that has uninstalled the app', async () => {
      const shop = await installed(harness);
      await shop.uninstall();
      expect(await shop.alerts.record([alert('a')], JOB)).toBe(0);
    });
  });
}
