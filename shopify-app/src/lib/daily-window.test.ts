import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MORNING, NIGHT, nextDailyRun } from './daily-window.ts';

const at = (iso: string) => Date.parse(iso);
const hourIn = (zone: string, ms: number) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit' }).format(ms));

describe('daily run times', () => {
  it('returns a time within the nightly window in the shop’s time zone', () => {
    for (const zone of ['America/New_York', 'Asia/Tokyo', 'Europe/Berlin', 'Pacific/Chatham', 'UTC']) {
      const next = nextDailyRun(at('2026-11-21T12:34:56Z'), 'a.myshopify.com', zone, NIGHT);
      expect([2, 3, 4]).toContain(hourIn(zone, next));
    }
  });

  it('returns a morning time for the daily digest', () => {
    for (const zone of ['America/New_York', 'Asia/Tokyo'])
      expect(hourIn(zone, nextDailyRun(at('2026-11-21T12:34:56Z'), 'a.myshopify.com', zone, MORNING))).toBe(7);
  });

  it('schedules nightly runs in UTC for an unknown time zone', () => {
    const now = at('2026-11-21T12:00:00Z');
    const utc = nextDailyRun(now, 'a.myshopify.com', 'UTC', NIGHT);
    expect([
      nextDailyRun(now, 'a.myshopify.com', null, NIGHT),
      nextDailyRun(now, 'a.myshopify.com', 'No/Where', NIGHT),
    ]).toEqual([utc, utc]);
  });

  it('returns the same whole-minute time, at most a day ahead, until that time is reached', () => {
    const domain = fc.stringMatching(/^[a-z0-9-]{1,20}\.myshopify\.com$/);
    const now = fc.integer({ min: at('2026-06-01'), max: at('2026-09-01') });
    fc.assert(
      fc.property(domain, now, fc.double({ min: 0, max: 0.999, noNaN: true }), (shop, ms, part) => {
        const next = nextDailyRun(ms, shop, 'America/New_York', NIGHT);
        expect(next).toBeGreaterThan(ms);
        expect(next - ms).toBeLessThanOrEqual(86_400_000);
        expect(next % 60_000).toBe(0);
        const later = Math.floor(ms + (next - ms) * part);
        fc.pre(next - later > 60_000);
        expect(nextDailyRun(later, shop, 'America/New_York', NIGHT)).toBe(next);
      }),
    );
  });

  it('spreads the nightly runs of shops in the same time zone over many minutes', () => {
    const now = at('2026-11-21T12:00:00Z');
    const times = Array.from({ length: 1000 }, (_, i) => nextDailyRun(now, `shop-${i}.myshopify.com`, 'UTC', NIGHT));
    expect(new Set(times).size).toBeGreaterThan(100);
  });
});
