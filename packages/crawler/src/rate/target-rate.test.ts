import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTargetRate, rateTargetsOf } from './target-rate.ts';

describe('createTargetRate', () => {
  it('allows a request only if the number of allowed requests in the last 70 seconds is below the limit', async () => {
    const pause = fc.oneof(fc.nat({ max: 4_000 }), fc.nat({ max: 40_000 }), fc.constantFrom(0, 69_999, 70_000));
    const request = fc.tuple(pause, fc.constantFrom('a.example', 'b.example'));
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 60 }), async requests => {
        let now = 0;
        const rate = createTargetRate(() => now);
        const allowed: { target: string; at: number }[] = [];
        for (const [ms, target] of requests) {
          now += ms;
          const recent = allowed.filter(one => one.target === target && one.at > now - 70_000);
          const answer = await rate.take(target, 5);
          expect(answer).toEqual(
            recent.length < 5
              ? { allowed: true, retryAt: null }
              : { allowed: false, retryAt: recent.at(-5)!.at + 70_000 },
          );
          if (answer.allowed) allowed.push({ target, at: now });
        }
      }),
    );
  });

  it('allows requests after a fast clock is set back', async () => {
    let now = 86_400_000;
    const rate = createTargetRate(() => now);
    await rate.take('a.example', 1);
    now = 0;
    expect((await rate.take('a.example', 1)).allowed).toBe(true);
  });
});

describe('rateTargetsOf', () => {
  it.each([
    ['https://www.shop.example/a', ['shop.example']],
    ['https://a.b.c.shop.co.uk/', ['shop.co.uk']],
    ['https://one.myshopify.com/', ['one.myshopify.com']],
    ['http://www.shop.example/', ['shop.example', '93.184.216.34', '2606:4700:0:0::/64']],
    ['https://93.184.216.34/', ['93.184.216.34']],
    ['https://[2606:4700::1]/', ['2606:4700:0:0::/64']],
    ['http://[2606:4700::ffff]/', ['2606:4700:0:0::/64']],
    ['https://www.googletagmanager.com/gtm.js?id=GTM-1', ['www.googletagmanager.com for scanned.example']],
    ['https://cdn.shopify.com/a.js', ['cdn.shopify.com for scanned.example']],
    ['http://cdn.shopify.com/a.js', ['shopify.com', '93.184.216.34', '2606:4700:0:0::/64']],
    ['https://cdn.shopify.com.shop.example/', ['shop.example']],
  ])('counts a request to %s toward %j', (url, targets) => {
    expect(rateTargetsOf(new URL(url), ['93.184.216.34', '2606:4700::1', '2606:4700::2'], 'scanned.example')).toEqual(
      targets,
    );
  });
});
