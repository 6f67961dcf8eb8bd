import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, type StoreHarness } from './harness.ts';

/**
 * Clock jumps of up to a day, such as after a battery failure or a sync with a time server that has the wrong time,
 * each with the number of requests after the jump.
 */
const jumps = fc.array(
  fc.record({
    by: fc.oneof(fc.constantFrom(-DAY, DAY), fc.integer({ min: -DAY, max: DAY })),
    requests: fc.nat({ max: 8 }),
  }),
  { minLength: 1, maxLength: 6 },
);

export function registerClock(harness: StoreHarness): void {
  describe('the store after clock jumps of up to 24 hours', () => {
    it('allows a rate-limited subject’s next request at the time in `retryAt`, at most one window later', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(jumps, async steps => {
          const family = `fam_clock_${run++}`;
          const take = () => harness.store.limits.take(family);
          for (const { by, requests } of steps) {
            harness.now += by;
            for (let i = 0; i < requests; i++) {
              const { allowed, windows, retryAt } = await take();
              for (const { resetAt, windowSeconds } of windows)
                expect(resetAt).toBeLessThanOrEqual(harness.now + windowSeconds * 1000);
              const [minute, day] = windows;
              if (!allowed) expect(retryAt).toBe(day.remaining === 0 ? day.resetAt : minute.resetAt);
            }
          }
          // The clock is correct from here on, so a subject is within its limits again after both windows end.
          for (let waits = 0; ; waits++) {
            const { allowed, retryAt } = await take();
            if (allowed) break;
            expect(waits).toBeLessThan(2);
            expect(retryAt! - harness.now).toBeLessThanOrEqual(DAY);
            harness.now = retryAt!;
          }
        }),
        { numRuns: 12 },
      );
    });

    it('rejects a subject for a minute, not for a day, if the subject has used up only its per-minute quota', async () => {
      harness.now += DAY;
      for (let i = 0; i < 6; i++) await harness.store.limits.take('fam_1');
      harness.now -= DAY;
      const { allowed, retryAt } = await harness.store.limits.take('fam_1');
      expect([allowed, retryAt]).toEqual([false, harness.now + MINUTE]);
      harness.now += MINUTE - 1;
      expect((await harness.store.limits.take('fam_1')).allowed).toBe(false);
      harness.now += 1;
      expect((await harness.store.limits.take('fam_1')).allowed).toBe(true);
    });

    it('ends a lockout after at most one window, and never allows more attempts in a window than the quota permits', async () => {
      let run = 0;
      const limit = { quota: 3, windowMs: 15 * MINUTE };
      await fc.assert(
        fc.asyncProperty(jumps, async steps => {
          const name = `sign-in ${run++}`;
          for (const { by, requests } of steps) {
            harness.now += by;
            let allowedHere = 0;
            for (let i = 0; i < requests; i++) {
              const { allowed, retryAt } = await harness.store.attempts.take(name, limit);
              if (allowed) allowedHere++;
              else expect(retryAt! - harness.now).toBeLessThanOrEqual(limit.windowMs);
            }
            expect(allowedHere).toBeLessThanOrEqual(limit.quota);
          }
          const { retryAt } = await harness.store.attempts.take(name, limit);
          if (retryAt === null) return;
          harness.now = retryAt;
          expect((await harness.store.attempts.take(name, limit)).allowed).toBe(true);
        }),
        { numRuns: 12 },
      );
    });

    it('ends a session within 12 hours after the clock is corrected if the session was opened while the clock was a day ahead', async () => {
      harness.now += DAY;
      const { token } = await harness.store.operator.openSession('hash');
      harness.now -= DAY;
      const end = harness.now + 12 * HOUR;
      let isOpen = true;
      while (isOpen && harness.now <= end) {
        isOpen = (await harness.store.operator.session(token, 'hash')) !== null;
        harness.now += HOUR / 2;
      }
      expect(isOpen).toBe(false);
    });
  });
}
