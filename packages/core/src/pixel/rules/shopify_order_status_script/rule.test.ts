import { expect, it } from 'vitest';
import { scan } from '../../scan.ts';
import { captureOf } from '../../testing/capture-of.ts';
import { findingsOf, TODAY, testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, { 'fires-purchase': { severity: 'error', owner: 'checkout' } });

const themeFile = (body: string) =>
  scan(
    captureOf('<html></html>', { scripts: [{ url: 'snippets/tracking.liquid', status: 200, body }] }),
    TODAY,
  ).findings.filter(f => f.rule_id === 'shopify_order_status_script');

it('fires for Liquid of the old order status page in a theme file', () => {
  expect(themeFile('{% if first_time_accessed %}<script>fbq("track","Purchase")</script>{% endif %}')).toHaveLength(1);
});

it('is silent for the same Liquid in a comment', () => {
  expect(themeFile('{% comment %}{% if first_time_accessed %}x{% endif %}{% endcomment %}')).toEqual([]);
});

it('is a warning before the day it stopped', () => {
  const html = '<script>send(Shopify.checkout.total_price)</script>';
  expect(findingsOf(html, 'shopify_order_status_script', { asOf: '2026-08-25' })).toMatchObject([
    { severity: 'warn', escalates_on: '2026-08-26' },
  ]);
});
