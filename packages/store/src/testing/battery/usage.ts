import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, type World } from './world.ts';

export function registerUsage(world: World): void {
  describe('usage', () => {
    it('counts per UTC day and operation, for one key or all, within the days asked for', async () => {
      const [one, two] = [(await world.issue()).record.id, (await world.issue()).record.id];
      world.now = Date.UTC(2026, 10, 20, 23, 59, 59, 999);
      await world.store.usage.record({ keyId: one, operation: 'tariff' });
      world.now += 1;
      await world.store.usage.record({ keyId: one, operation: 'tariff' });
      await world.store.usage.record({ keyId: one, operation: 'pixel' });
      await world.store.usage.record({ keyId: two, operation: 'tariff' });
      await world.store.usage.record({ keyId: two, operation: 'tariff' });

      expect(await world.store.usage.daily({ days: 2 })).toEqual([
        { day: '2026-11-20', operation: 'tariff', count: 1 },
        { day: '2026-11-21', operation: 'pixel', count: 1 },
        { day: '2026-11-21', operation: 'tariff', count: 3 },
      ]);
      expect(await world.store.usage.daily({ days: 1, keyId: one })).toEqual([
        { day: '2026-11-21', operation: 'pixel', count: 1 },
        { day: '2026-11-21', operation: 'tariff', count: 1 },
      ]);
      expect(await world.store.usage.daily({ days: 30, keyId: 'key_nobody' })).toEqual([]);
    });

    it('tells when a key was last used', async () => {
      const { key, record } = await world.issue();
      await world.store.usage.record({ keyId: record.id, operation: 'tariff' });
      world.now += DAY;
      await world.store.usage.record({ keyId: record.id, operation: 'pixel' });
      world.now += MINUTE;
      await world.store.usage.record({ keyId: record.id, operation: 'tariff' });
      const lastUsedAt = world.now;
      world.now += DAY;
      expect(await world.store.keys.list()).toEqual([{ ...record, lastUsedAt }]);
      expect(await world.store.keys.authenticate(key)).toEqual({ ...record, lastUsedAt });
    });

    it('stores what nobody waited for before it closes', async () => {
      const { store } = world;
      const { record } = await world.issue();
      const uses = Array.from({ length: 50 }, () => store.usage.record({ keyId: record.id, operation: 'tariff' }));
      await store.close();
      await Promise.all(uses);
    });

    it('loses no count when recorded at once', async () => {
      const { record } = await world.issue();
      await Promise.all(
        Array.from({ length: 50 }, () => world.store.usage.record({ keyId: record.id, operation: 'tariff' })),
      );
      expect(await world.store.usage.daily({ days: 1 })).toEqual([
        { day: '2026-11-21', operation: 'tariff', count: 50 },
      ]);
    });
  });
}
