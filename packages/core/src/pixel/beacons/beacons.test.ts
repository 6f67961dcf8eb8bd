import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AD_PIXELS } from '../ad-pixels/ad-pixels.ts';
import { checkEvent } from '../event-contracts/check-event.ts';
import { ga4Contract, metaContract } from '../event-contracts/contracts.ts';
import { googleConsent } from './consent-signals.ts';
import { readBeacons } from './read-beacons.ts';
import { SAMPLES } from './testing/samples.ts';

/** Returns the known values of a beacon's parameters. */
const known = (values: ReadonlyMap<string, { kind: string; value?: unknown }>) =>
  Object.fromEntries([...values].filter(([, { kind }]) => kind === 'known').map(([name, { value }]) => [name, value]));

describe('readBeacons', () => {
  it.each(SAMPLES.map(sample => [`${sample.vendor} ${sample.product} ${sample.event}`, sample] as const))(
    'returns the expected event for a sample request: %s',
    (_, { url, body, data = {}, purposes = {}, personal = [], ...expected }) => {
      const [beacon, ...others] = readBeacons({ url, body });
      expect(others).toEqual([]);
      expect(beacon).toMatchObject(expected);
      expect(known(beacon!.parameters.values)).toEqual(data);
      expect(beacon!.consent.purposes).toEqual(purposes);
      expect(beacon!.personal).toEqual(personal);
    },
  );

  it('is tested with valid IDs for every ad pixel vendor', () => {
    for (const { vendor, id } of AD_PIXELS) {
      const ids = SAMPLES.filter(sample => sample.vendor === vendor).map(sample => sample.id!);
      expect([vendor, ids.length > 0]).toEqual([vendor, true]);
      if (id.format) expect(ids.filter(each => !id.format!.pattern.test(each))).toEqual([]);
    }
  });

  it('returns no events for a request that loads a library or goes to another site', () => {
    const urls = [
      'https://connect.facebook.net/en_US/fbevents.js',
      'https://www.facebook.com/tr/?id=1',
      'https://www.facebook.com.shop.example/tr/?id=1&ev=PageView',
      'https://www.googletagmanager.com/gtag/js?id=G-ABCDEFGH12',
      'https://analytics.tiktok.com/i18n/pixel/events.js?sdkid=C1',
      'https://shop.example/collect?v=1',
      'https://www.google.com/search?q=shoes',
      'https://t.co/abc',
      'data:text/html,/g/collect?v=2&tid=G-1',
      '',
    ];
    expect(urls.filter(url => readBeacons({ url, body: null }).length > 0)).toEqual([]);
  });

  it('returns each event in a batch with the parameters that all events share', () => {
    const url = 'https://www.google-analytics.com/g/collect?v=2&tid=G-ABCDEFGH12&gcs=G111';
    const events = readBeacons({ url, body: 'en=page_view\r\nen=view_item&epn.value=5\n' });
    expect(events.map(({ event, id, consent }) => [event, id, consent.purposes.ad_storage])).toEqual([
      ['page_view', 'G-ABCDEFGH12', 'granted'],
      ['view_item', 'G-ABCDEFGH12', 'granted'],
    ]);
    const tiktok = { batch: ['Pageview', 'Search'].map(event => ({ event, context: { pixel: { code: 'C1' } } })) };
    const body = JSON.stringify(tiktok);
    expect(readBeacons({ url: 'https://analytics.tiktok.com/api/v2/pixel', body }).map(({ event }) => event)).toEqual([
      'Pageview',
      'Search',
    ]);
  });

  it('keeps the name of a field that contains personal data but not its value', () => {
    const samples = SAMPLES.filter(({ personal }) => personal);
    expect(samples.length).toBeGreaterThan(5);
    for (const { url, body } of samples)
      expect(JSON.stringify(readBeacons({ url, body }).map(b => [b, [...b.parameters.values]]))).not.toContain(
        'hashed',
      );
  });

  it('returns an event that can be checked against the vendor’s event contract', () => {
    const meta = readBeacons({ url: 'https://www.facebook.com/tr/?id=1&ev=Purchase&cd[value]=$12', body: null })[0]!;
    expect(checkEvent(metaContract, meta.event!, meta.parameters).map(v => `${v.parameter} ${v.problem}`)).toEqual([
      'currency missing',
      'value not_a_number',
      'content_ids not_recommended',
    ]);
    const ga4 = readBeacons({
      url: 'https://www.google-analytics.com/g/collect?v=2&tid=G-1&en=purchase&epn.value=5&cu=USD&ep.transaction_id=1&pr1=idA',
      body: null,
    })[0]!;
    expect(checkEvent(ga4Contract, ga4.event!, ga4.parameters)).toEqual([]);
  });

  it('limits the number and size of events and never throws an error, regardless of the URL and body', () => {
    const bases = SAMPLES.map(({ url }) => url.split('?')[0]!);
    const text = fc.oneof(fc.string(), fc.json(), fc.webQueryParameters());
    fc.assert(
      fc.property(fc.constantFrom(...bases), text, fc.option(text), (base, query, body) => {
        const beacons = readBeacons({ url: `${base}?${query}`, body });
        expect(beacons.length).toBeLessThanOrEqual(25);
        expect(JSON.stringify(beacons).length).toBeLessThan(25 * 8_000);
      }),
      { numRuns: 1_000 },
    );
  });

  it('returns the event name and ID unchanged', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 100, unit: 'grapheme' })
      .filter(each => each.trim() === each && each.length <= 100 && each.isWellFormed());
    fc.assert(
      fc.property(name, name, (id, event) => {
        const query = `id=${encodeURIComponent(id)}&ev=${encodeURIComponent(event)}`;
        expect(readBeacons({ url: `https://www.facebook.com/tr?${query}`, body: null })).toMatchObject([{ id, event }]);
        expect(readBeacons({ url: 'https://www.facebook.com/tr', body: query })).toMatchObject([{ id, event }]);
      }),
    );
  });
});

describe('googleConsent', () => {
  it('omits purposes that the request doesn’t specify', () => {
    const purposes = (signals: Record<string, string>) => googleConsent(new Map(Object.entries(signals))).purposes;
    expect(purposes({})).toEqual({});
    expect(purposes({ gcs: 'G1--', gcd: '13l3l3l3l1' })).toEqual({});
    expect(purposes({ gcs: 'G1-1' })).toEqual({ analytics_storage: 'granted' });
    expect(purposes({ gcd: '13q3t3u3v5' })).toEqual({
      ...{ ad_storage: 'denied', analytics_storage: 'granted' },
      ...{ ad_user_data: 'denied', ad_personalization: 'granted' },
    });
    expect(purposes({ gcs: 'nonsense', gcd: 'nonsense' })).toEqual({});
  });
});
