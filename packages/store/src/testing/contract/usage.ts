import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, type StoreHarness } from './harness.ts';

export function registerUsage(harness: StoreHarness): void {
  describe('usage', () => {
    it('counts key uses per UTC day and operation, for one key or all keys', async () => {
      const [one, two] = [(await harness.issue()).record.id, (await harness.issue()).record.id];
      harness.now = Date.UTC(2026, 10, 20, 23, 59, 59, 999);
      await harness.store.usage.record({ keyId: one, operation: 'tariff' });
      harness.now += 1;
      await harness.store.usage.record({ keyId: one, operation: 'tariff' });
      await harness.store.usage.record({ keyId: one, operation: 'pixel' });
      await harness.store.usage.record({ keyId: two, operation: 'tariff' });
      await harness.store.usage.record({ keyId: two, operation: 'tariff' });

      expect(await harness.store.usage.daily({ days: 2 })).toEqual([
        { day: '2026-11-20', operation: 'tariff', count: 1 },
        { day: '2026-11-21', operation: 'pixel', count: 1 },
        { day: '2026-11-21', operation: 'tariff', count: 3 },
      ]);
      expect(await harness.store.usage.daily({ days: 1, keyId: one })).toEqual([
        { day: '2026-11-21', operation: 'pixel', count: 1 },
        { day: '2026-11-21', operation: 'tariff', count: 1 },
      ]);
      expect(await harness.store.usage.daily({ days: 30, keyId: 'key_nobody' })).toEqual([]);
    });

    it('reports when a key was last used', async () => {
      const { key, record } = await harness.issue();
      await harness.store.usage.record({ keyId: record.id, operation: 'tariff' });
      harness.now += DAY;
      await harness.store.usage.record({ keyId: record.id, operation: 'pixel' });
      harness.now += MINUTE;
      await harness.store.usage.record({ keyId: record.id, operation: 'tariff' });
      const lastUsedAt = harness.now;
      harness.now += DAY;
      expect(await harness.store.keys.list()).toEqual([{ ...record, lastUsedAt }]);
      expect(await harness.store.keys.authenticate(key)).toEqual({ ...record, lastUsedAt });
    });

    it('stores pending usage counts before the store closes', async () => {
      const { store } = harness;
      const { record } = await harness.issue();
      const uses = Array.from({ length: 50 }, () => store.usage.record({ keyId: record.id, operation: 'tariff' }));
      await store.close();
      await Promise.all(uses);
    });

    it('counts every concurrent use of a key', async () => {
      const { record } = await harness.issue();
      await Promise.all(
        Array.from({ length: 50 }, () => harness.store.usage.record({ keyId: record.id, operation: 'tariff' })),
      );
      expect(await harness.store.usage.daily({ days: 1 })).toEqual([
        { day: '2026-11-21', operation: 'tariff', count: 50 },
      ]);
    });
  });
}
