import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { captureOf } from '../../testing/capture-of.ts';
import { TODAY } from '../../testing/fixtures.ts';
import { scan } from '../scan.ts';

const scanPage = (name: string) =>
  scan(captureOf(readFileSync(join(import.meta.dirname, 'fixtures', `${name}.html`), 'utf8')), TODAY);
const wrong = scanPage('wrong-purchase');
const right = scanPage('right-purchase');

describe('a page with incorrect purchase events', () => {
  it.each<[fault: string, rule: string, variant: string | null, ids: string[]]>([
    ['a Purchase without a value', 'meta_pixel_invalid_event_data', 'missing', ['Purchase', 'value']],
    ['a value with a symbol', 'meta_pixel_invalid_event_data', 'not_a_number', ['Purchase', 'value']],
    ['a currency that isn’t a code', 'meta_pixel_invalid_event_data', 'not_a_currency', ['Purchase', 'currency']],
    ['a misspelled Meta event', 'meta_pixel_nonstandard_event', null, ['Purchse']],
    ['a purchase without an ID', 'ga4_invalid_event_data', 'missing', ['purchase', 'transaction_id']],
    ['an item without an ID', 'ga4_invalid_event_data', 'item_without_id', ['items', 'purchase']],
    ['a misspelled GA4 event', 'ga4_misspelled_event', null, ['add_to_chart']],
    ['an unconfigured Ads ID', 'google_ads_conversion_misconfigured', 'not_configured', ['AW-987654321']],
    ['a noscript image with a foreign ID', 'meta_pixel_noscript_only', 'foreign_id', ['498761230045512']],
    ['a Meta Purchase on a product page', 'purchase_event_on_ordinary_page', 'meta', ['Purchase']],
    ['a GA4 purchase on a product page', 'purchase_event_on_ordinary_page', 'ga4', ['purchase']],
    [
      'an Ads conversion on a product page',
      'purchase_event_on_ordinary_page',
      'google_ads',
      ['AW-987654321/AbC-D_efG'],
    ],
    ['a misspelled consent signal', 'google_consent_invalid_parameter', 'misspelled', ['ad_personalisation']],
    ['a TikTok pixel that is loaded twice', 'ad_pixel_duplicate', null, ['CABCDEFGHIJKLMNOPQRS']],
    ['a misspelled TikTok event', 'ad_pixel_misspelled_event', null, ['CompletePaymnt']],
    ['an invalid consent value', 'google_consent_invalid_parameter', 'invalid_value', ['analytics_storage']],
  ])('reports a finding for %s', (_fault, rule_id, variant, ids) => {
    const found = wrong.findings.filter(f => f.rule_id === rule_id && f.variant === variant);
    expect(found.map(f => f.ids)).toContainEqual(ids);
  });

  it('reports no findings for correct parameters', () => {
    const data = wrong.findings.filter(f => f.rule_id.endsWith('_invalid_event_data'));
    expect(data).toHaveLength(5);
  });

  it('scores the page below 40, because every conversion is wrong', () => {
    expect(wrong.score).toBeLessThan(40);
  });
});

describe('a page with correct purchase events', () => {
  it('reports only an info finding about the missing web pixel list', () => {
    const found = right.findings.map(f => f.rule_id);
    expect(found).toEqual(['web_pixels_config_absent']);
    expect(right.score).toBe(100);
  });
});
