import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, START, type StoreHarness } from './harness.ts';

export function registerLimits(harness: StoreHarness): void {
  describe('limits', () => {
    const take = () => harness.store.limits.take('fam_1');

    it('rejects requests over the quota, and starts a new window exactly at the reset time', async () => {
      for (const left of [4, 3, 2, 1, 0]) {
        expect(await take()).toEqual({
          allowed: true,
          windows: [
            { name: 'minute', quota: 5, windowSeconds: 60, remaining: left, resetAt: START + MINUTE },
            { name: 'day', quota: 12, windowSeconds: 86_400, remaining: left + 7, resetAt: START + DAY },
          ],
          retryAt: null,
        });
        harness.now += 1000;
      }
      expect(await take()).toMatchObject({ allowed: false, retryAt: START + MINUTE, windows: [{ remaining: 0 }, {}] });
      harness.now = START + MINUTE - 1;
      expect((await take()).allowed).toBe(false);
      harness.now = START + MINUTE;
      expect(await take()).toMatchObject({
        allowed: true,
        windows: [{ remaining: 4, resetAt: harness.now + MINUTE }, {}],
      });
    });

    it("doesn't count a request toward the daily quota if the per-minute quota rejects it", async () => {
      for (let i = 0; i < 30; i++) await take();
      expect((await take()).windows[1].remaining).toBe(7);
    });

    it("doesn't count a request toward the per-minute quota if the daily quota rejects it", async () => {
      for (const minute of [0, 1, 2]) {
        harness.now = START + minute * MINUTE;
        for (let i = 0; i < 5; i++) await take();
      }
      expect(await take()).toEqual({
        allowed: false,
        windows: [
          { name: 'minute', quota: 5, windowSeconds: 60, remaining: 3, resetAt: START + 3 * MINUTE },
          { name: 'day', quota: 12, windowSeconds: 86_400, remaining: 0, resetAt: START + DAY },
        ],
        retryAt: START + DAY,
      });
      harness.now = START + 5 * MINUTE;
      expect(await take()).toMatchObject({
        allowed: false,
        windows: [{ remaining: 5, resetAt: harness.now + MINUTE }, { remaining: 0 }],
        retryAt: START + DAY,
      });
      harness.now = START + DAY;
      expect(await take()).toMatchObject({ allowed: true, windows: [{ remaining: 4 }, { remaining: 11 }] });
    });

    it('counts each key family’s requests separately', async () => {
      for (let i = 0; i < 6; i++) await take();
      expect((await take()).allowed).toBe(false);
      expect((await harness.store.limits.take('fam_2')).allowed).toBe(true);
    });

    it('allows exactly as many concurrent requests as the quota permits', async () => {
      const takes = await Promise.all(Array.from({ length: 40 }, take));
      expect(takes.filter(({ allowed }) => allowed)).toHaveLength(5);
    });

    it('counts a request with a higher cost as several requests, up to the whole quota, and rejects the request if too few requests remain', async () => {
      const cost = (requests: number) => harness.store.limits.take('fam_1', undefined, requests);
      expect((await cost(3)).windows).toMatchObject([{ remaining: 2 }, { remaining: 9 }]);
      const rejected = { allowed: false, retryAt: START + MINUTE, windows: [{ remaining: 2 }, { remaining: 9 }] };
      expect(await cost(3)).toMatchObject(rejected);
      expect(await cost(2)).toMatchObject({ allowed: true, windows: [{ remaining: 0 }, { remaining: 7 }] });
      harness.now = START + MINUTE;
      expect(await cost(99)).toMatchObject({ allowed: true, windows: [{ remaining: 0 }, { remaining: 2 }] });
    });

    it('matches a simple rate limit model for any sequence of requests, costs, and pauses', async () => {
      let run = 0;
      const request = fc.tuple(fc.nat({ max: 20_000 }), fc.constantFrom(1, 1, 1, 2, 4));
      await fc.assert(
        fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 40 }), async requests => {
          const family = `fam_model_${run++}`;
          const model = { minute: { left: 0, resetAt: 0 }, day: { left: 0, resetAt: 0 } };
          for (const [pause, cost] of requests) {
            harness.now += pause;
            if (model.minute.resetAt <= harness.now) model.minute = { left: 5, resetAt: harness.now + MINUTE };
            if (model.day.resetAt <= harness.now) model.day = { left: 12, resetAt: harness.now + DAY };
            const allowed = model.minute.left >= cost && model.day.left >= cost;
            if (allowed) {
              model.minute.left -= cost;
              model.day.left -= cost;
            } else if (model.minute.left === 5) {
              model.minute.resetAt = 0; // A window starts with a counted request, not with a rejected request.
            }
            const answer = await harness.store.limits.take(family, undefined, cost);
            expect(answer.allowed).toBe(allowed);
            expect(answer.windows.map(({ remaining }) => remaining)).toEqual([model.minute.left, model.day.left]);
          }
        }),
        { numRuns: 25 },
      );
    });

    it('uses the quotas passed to `take` instead of the default quotas', async () => {
      const quotas = { minute: 2, day: 100 };
      const takes = [];
      for (let i = 0; i < 3; i++) takes.push(await harness.store.limits.take('address', quotas));
      expect(takes.map(({ allowed }) => allowed)).toEqual([true, true, false]);
      expect(takes[0]!.windows).toMatchObject([
        { quota: 2, remaining: 1 },
        { quota: 100, remaining: 99 },
      ]);
    });

    it('rejects a subject over its quota without a database query until the window ends', async () => {
      for (let i = 0; i < 6; i++) await take();
      const { windows } = await take();
      await harness.store.close();
      harness.now += MINUTE - 1;
      expect(await take()).toEqual({ allowed: false, windows, retryAt: START + MINUTE });
      harness.now += 1;
      await expect(take()).rejects.toThrow();
    });

    it.each([0, -1, 1.5, Number.NaN])('rejects a quota of %s when the store is opened', async minute => {
      await expect(harness.openFresh({ clock: () => harness.now, limits: { minute } })).rejects.toMatchObject({
        code: 'config_invalid',
      });
    });

    it('defaults to quotas of 100 requests a minute and 10,000 a day', async () => {
      const other = await harness.openFresh({ clock: () => harness.now });
      expect((await other.limits.take('fam')).windows.map(({ quota }) => quota)).toEqual([100, 10_000]);
      await other.close();
    });
  });
}
