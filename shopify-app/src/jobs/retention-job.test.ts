import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanShop } from '../../stand-in/shop/samples.ts';
import { createWorld, type World } from '../scan/testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('the removal of what is old', () => {
  it('goes by what the merchant chose, keeps the newest scans, and needs no token', async () => {
    const given = cleanShop('old');
    const shop = await world.install(given);
    await shop.setSettings({ retentionDays: 30 });
    for (let i = 0; i < 12; i++) {
      await shop.scans.record({
        ...{ id: `scan-${i}`, trigger: 'schedule', state: 'failed', reason: 'unreachable', startedAt: Date.now() },
        ...{ score: null, scoreVersion: 1, breakdown: [], theme: null, coverage: null, inventory: null },
        ...{ findings: [], covered: [] },
      });
    }
    const count = async () => (await shop.scans.list({ limit: 100 })).rows.length;
    const remove = async () => {
      await shop.jobs.enqueue({ kind: 'retention' });
      await world.work(given.domain);
      return await count();
    };
    world.advance(29 * 86_400_000);
    expect(await remove()).toBe(12);
    await shop.sessions.clear();
    world.advance(2 * 86_400_000);
    expect(await remove()).toBe(10);
  });
});
