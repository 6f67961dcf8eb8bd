import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR, type StoreHarness } from './harness.ts';

const SECOND = 1000;

export function registerTargetRate(harness: StoreHarness): void {
  describe('target rate', () => {
    const take = (target = 'shop.example', perMinute = 5) => harness.store.targetRate.take(target, perMinute);

    it('never allows more than the quota in any 70-second window, and rejects a request only if the quota was used up in the last 80 seconds', async () => {
      let run = 0;
      const pause = fc.oneof(
        fc.nat({ max: 3 * SECOND }),
        fc.nat({ max: 30 * SECOND }),
        fc.constantFrom(0, 90 * SECOND),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(pause, { minLength: 10, maxLength: 30 }), async pauses => {
          const target = `${run++}.example`;
          const allowed: number[] = [];
          const inLast = (ms: number) => allowed.filter(at => at > harness.now - ms).length;
          for (const ms of pauses) {
            harness.now += ms;
            const answer = await take(target);
            if (answer.allowed) allowed.push(harness.now);
            else expect(inLast(80 * SECOND)).toBeGreaterThanOrEqual(5);
            expect(answer.retryAt === null).toBe(answer.allowed);
            expect(inLast(70 * SECOND)).toBeLessThanOrEqual(5);
          }
        }),
        { numRuns: 15 },
      );
    });

    it('allows the next request at a rejection’s `retryAt` time, but not earlier', async () => {
      for (const ms of [0, 11, 12, 13, 14]) {
        harness.now += ms * SECOND;
        await take();
      }
      for (let i = 0; i < 5; i++) {
        const { retryAt } = await take();
        harness.now = retryAt! - 1;
        expect(await take()).toEqual({ allowed: false, retryAt });
        harness.now = retryAt!;
        expect(await take()).toEqual({ allowed: true, retryAt: null });
      }
    });

    it('allows exactly as many concurrent requests as the quota permits, and counts each target separately', async () => {
      const takes = await Promise.all(
        Array.from({ length: 80 }, (_, i) => take(i % 2 === 0 ? 'one.example' : 'two.example')),
      );
      expect(takes.filter(({ allowed }) => allowed)).toHaveLength(10);
    });

    it('enforces the rate limit even if two processes’ clocks differ by a few seconds', async () => {
      const allowed: number[] = [];
      for (let i = 0; i < 400; i++) {
        const skew = i % 2 === 0 ? 0 : 4 * SECOND;
        harness.now += skew;
        if ((await take()).allowed) allowed.push(harness.now - skew);
        harness.now += SECOND - skew;
      }
      for (const from of allowed) {
        expect(allowed.filter(at => at >= from && at < from + 66 * SECOND).length).toBeLessThanOrEqual(5);
      }
      expect(allowed.length).toBeGreaterThanOrEqual(20);
    });

    it('recovers within 80 seconds after a clock that was a day ahead is corrected', async () => {
      harness.now += 24 * HOUR;
      for (let i = 0; i < 6; i++) await take();
      harness.now -= 24 * HOUR;
      expect((await take()).allowed).toBe(false);
      const { retryAt } = await take();
      expect(retryAt! - harness.now).toBeLessThanOrEqual(80 * SECOND);
      harness.now = retryAt!;
      expect((await take()).allowed).toBe(true);
    });

    it('rejects requests until `retryAt` after a target has reached its quota, without querying the database', async () => {
      for (let i = 0; i < 6; i++) await take();
      const { retryAt } = await take();
      await harness.store.close();
      harness.now = retryAt! - 1;
      expect(await take()).toEqual({ allowed: false, retryAt });
      harness.now = retryAt!;
      await expect(take()).rejects.toThrow();
    });

    it('rejects a quota that isn’t a whole number from 1 to 63', async () => {
      for (const perMinute of [0, 1.5, 64, Number.NaN]) {
        await expect(take('shop.example', perMinute)).rejects.toThrow(RangeError);
      }
    });
  });
}
