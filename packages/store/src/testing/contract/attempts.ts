import { describe, expect, it } from 'vitest';
import { MINUTE, type StoreHarness } from './harness.ts';

export function registerAttempts(harness: StoreHarness): void {
  describe('attempts', () => {
    const limit = { quota: 3, windowMs: 10 * MINUTE };

    it('rejects attempts over the quota until the window ends', async () => {
      const { attempts } = harness.store;
      const end = harness.now + limit.windowMs;
      for (let count = 1; count <= 3; count++) {
        expect(await attempts.take('a', limit)).toEqual({ allowed: true, count, retryAt: null });
        harness.now += MINUTE;
      }
      for (let more = 0; more < 3; more++) {
        expect(await attempts.take('a', limit)).toEqual({ allowed: false, count: 4, retryAt: end });
      }
      expect(await attempts.take('b', limit)).toMatchObject({ allowed: true, count: 1 });
      harness.now = end - 1;
      expect(await attempts.take('a', limit)).toMatchObject({ allowed: false });
      harness.now = end;
      expect(await attempts.take('a', limit)).toEqual({ allowed: true, count: 1, retryAt: null });
    });

    it('starts a new window after a call to `clear`', async () => {
      for (let i = 0; i < 4; i++) await harness.store.attempts.take('a', limit);
      await harness.store.attempts.clear('a');
      expect(await harness.store.attempts.take('a', limit)).toMatchObject({ count: 1 });
    });

    it('allows exactly as many concurrent attempts as the quota permits', async () => {
      const takes = await Promise.all(Array.from({ length: 50 }, () => harness.store.attempts.take('a', limit)));
      expect(takes.filter(({ allowed }) => allowed)).toHaveLength(3);
    });
  });
}
