import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, START, type World } from './world.ts';

export function registerLimits(world: World): void {
  describe('limits', () => {
    const take = () => world.store.limits.take('fam_1');

    it('counts down, refuses at the quota, and starts anew exactly at the reset', async () => {
      for (const left of [4, 3, 2, 1, 0]) {
        expect(await take()).toEqual({
          allowed: true,
          windows: [
            { name: 'minute', quota: 5, windowSeconds: 60, remaining: left, resetAt: START + MINUTE },
            { name: 'day', quota: 12, windowSeconds: 86_400, remaining: left + 7, resetAt: START + DAY },
          ],
          retryAt: null,
        });
        world.now += 1000;
      }
      expect(await take()).toMatchObject({ allowed: false, retryAt: START + MINUTE, windows: [{ remaining: 0 }, {}] });
      world.now = START + MINUTE - 1;
      expect((await take()).allowed).toBe(false);
      world.now = START + MINUTE;
      expect(await take()).toMatchObject({
        allowed: true,
        windows: [{ remaining: 4, resetAt: world.now + MINUTE }, {}],
      });
    });

    it('a request refused by the minute does not eat the day', async () => {
      for (let i = 0; i < 30; i++) await take();
      expect((await take()).windows[1].remaining).toBe(7);
    });

    it('a request refused by the day does not eat the minute, and says when the day ends', async () => {
      for (const minute of [0, 1, 2]) {
        world.now = START + minute * MINUTE;
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
      world.now = START + 5 * MINUTE;
      expect(await take()).toMatchObject({
        allowed: false,
        windows: [{ remaining: 5, resetAt: world.now + MINUTE }, { remaining: 0 }],
        retryAt: START + DAY,
      });
      world.now = START + DAY;
      expect(await take()).toMatchObject({ allowed: true, windows: [{ remaining: 4 }, { remaining: 11 }] });
    });

    it('keeps families apart', async () => {
      for (let i = 0; i < 6; i++) await take();
      expect((await take()).allowed).toBe(false);
      expect((await world.store.limits.take('fam_2')).allowed).toBe(true);
    });

    it('allows exactly the quota of many requests at once', async () => {
      const takes = await Promise.all(Array.from({ length: 40 }, take));
      expect(takes.filter(({ allowed }) => allowed)).toHaveLength(5);
    });

    it('agrees with a plain model for any sequence of requests and pauses', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 40 }), async pauses => {
          const family = `fam_model_${run++}`;
          const model = { minute: { left: 0, resetAt: 0 }, day: { left: 0, resetAt: 0 } };
          for (const pause of pauses) {
            world.now += pause;
            if (model.minute.resetAt <= world.now) model.minute = { left: 5, resetAt: world.now + MINUTE };
            if (model.day.resetAt <= world.now) model.day = { left: 12, resetAt: world.now + DAY };
            const allowed = model.minute.left > 0 && model.day.left > 0;
            if (allowed) {
              model.minute.left--;
              model.day.left--;
            } else if (model.minute.left === 5) {
              model.minute.resetAt = 0; // a window begins with a counted request, not with a refused one
            }
            const answer = await world.store.limits.take(family);
            expect(answer.allowed).toBe(allowed);
            expect(answer.windows.map(({ remaining }) => remaining)).toEqual([model.minute.left, model.day.left]);
          }
        }),
        { numRuns: 25 },
      );
    });

    it('counts what has quotas of its own by these', async () => {
      const quotas = { minute: 2, day: 100 };
      const takes = [];
      for (let i = 0; i < 3; i++) takes.push(await world.store.limits.take('address', quotas));
      expect(takes.map(({ allowed }) => allowed)).toEqual([true, true, false]);
      expect(takes[0]!.windows).toMatchObject([
        { quota: 2, remaining: 1 },
        { quota: 100, remaining: 99 },
      ]);
    });

    it('refuses without the database whom it has refused, until a window ends', async () => {
      for (let i = 0; i < 6; i++) await take();
      const { windows } = await take();
      await world.store.close();
      world.now += MINUTE - 1;
      expect(await take()).toEqual({ allowed: false, windows, retryAt: START + MINUTE });
      world.now += 1;
      await expect(take()).rejects.toThrow();
    });

    it.each([0, -1, 1.5, Number.NaN])('does not open with a quota of %s', async minute => {
      await expect(world.openFresh({ clock: () => world.now, limits: { minute } })).rejects.toMatchObject({
        code: 'config_invalid',
      });
    });

    it('has 100 a minute and 10,000 a day unless told otherwise', async () => {
      const other = await world.openFresh({ clock: () => world.now });
      expect((await other.limits.take('fam')).windows.map(({ quota }) => quota)).toEqual([100, 10_000]);
      await other.close();
    });
  });
}
