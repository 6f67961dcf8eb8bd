import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextNight } from './night.ts';

const at = (iso: string) => Date.parse(iso);
const hourIn = (zone: string, ms: number) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit' }).format(ms));

describe('the night of a shop', () => {
  it('is its own', () => {
    for (const zone of ['America/New_York', 'Asia/Tokyo', 'Europe/Berlin', 'Pacific/Chatham', 'UTC']) {
      const next = nextNight(at('2026-11-21T12:34:56Z'), 'a.myshopify.com', zone);
      expect([2, 3, 4]).toContain(hourIn(zone, next));
    }
  });

  it('is that of UTC where the zone is not known', () => {
    const now = at('2026-11-21T12:00:00Z');
    const utc = nextNight(now, 'a.myshopify.com', 'UTC');
    expect([nextNight(now, 'a.myshopify.com', null), nextNight(now, 'a.myshopify.com', 'No/Where')]).toEqual([
      utc,
      utc,
    ]);
  });

  it('lies ahead by a day at most, on a full minute, and is the same until it comes', () => {
    const domain = fc.stringMatching(/^[a-z0-9-]{1,20}\.myshopify\.com$/);
    const now = fc.integer({ min: at('2026-06-01'), max: at('2026-09-01') });
    fc.assert(
      fc.property(domain, now, fc.double({ min: 0, max: 0.999, noNaN: true }), (shop, ms, part) => {
        const next = nextNight(ms, shop, 'America/New_York');
        expect(next).toBeGreaterThan(ms);
        expect(next - ms).toBeLessThanOrEqual(86_400_000);
        expect(next % 60_000).toBe(0);
        const later = Math.floor(ms + (next - ms) * part);
        fc.pre(next - later > 60_000);
        expect(nextNight(later, shop, 'America/New_York')).toBe(next);
      }),
    );
  });

  it('is another minute for most shops of a zone', () => {
    const now = at('2026-11-21T12:00:00Z');
    const times = Array.from({ length: 1000 }, (_, i) => nextNight(now, `shop-${i}.myshopify.com`, 'UTC'));
    expect(new Set(times).size).toBeGreaterThan(100);
  });
});
