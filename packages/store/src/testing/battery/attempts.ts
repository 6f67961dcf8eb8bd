import { describe, expect, it } from 'vitest';
import { MINUTE, type World } from './world.ts';

export function registerAttempts(world: World): void {
  describe('attempts', () => {
    const limit = { quota: 3, windowMs: 10 * MINUTE };

    it('allows the quota, refuses the rest of the window, and starts anew', async () => {
      const { attempts } = world.store;
      const end = world.now + limit.windowMs;
      for (let count = 1; count <= 3; count++) {
        expect(await attempts.take('a', limit)).toEqual({ allowed: true, count, retryAt: null });
        world.now += MINUTE;
      }
      for (let more = 0; more < 3; more++) {
        expect(await attempts.take('a', limit)).toEqual({ allowed: false, count: 4, retryAt: end });
      }
      expect(await attempts.take('b', limit)).toMatchObject({ allowed: true, count: 1 });
      world.now = end - 1;
      expect(await attempts.take('a', limit)).toMatchObject({ allowed: false });
      world.now = end;
      expect(await attempts.take('a', limit)).toEqual({ allowed: true, count: 1, retryAt: null });
    });

    it('forgets what is cleared', async () => {
      for (let i = 0; i < 4; i++) await world.store.attempts.take('a', limit);
      await world.store.attempts.clear('a');
      expect(await world.store.attempts.take('a', limit)).toMatchObject({ count: 1 });
    });

    it('allows exactly the quota when all come at once', async () => {
      const takes = await Promise.all(Array.from({ length: 50 }, () => world.store.attempts.take('a', limit)));
      expect(takes.filter(({ allowed }) => allowed)).toHaveLength(3);
    });
  });
}
