import { expect, it } from 'vitest';
import type { CapturedScript } from '../../capture.ts';
import { scan } from '../../scan.ts';
import { captureOf } from '../../testing/capture-of.ts';
import { TODAY } from '../../testing/fixtures.ts';

const file = (url: string, body = ''): CapturedScript => ({ url, status: 200, body });
const found = (files: CapturedScript[], html = '<html></html>') =>
  scan(captureOf(html, { scripts: files }), TODAY).findings.filter(f => f.rule_id === 'shopify_checkout_liquid');

it('fires for the checkout layout of a theme archive', () => {
  expect(
    found([file('layout/theme.liquid'), file('layout/checkout.liquid', '{{ content_for_header }}')]),
  ).toMatchObject([{ severity: 'error', owner: 'checkout', ids: ['layout/checkout.liquid'] }]);
});

it('is an info in a theme that is not published', () => {
  const html = '<script>Shopify.theme = {"name":"Copy","id":7,"role":"unpublished"};</script>';
  expect(found([file('layout/checkout.liquid')], html)).toMatchObject([{ severity: 'info' }]);
});

it('is a warning before the thank-you page was switched', () => {
  const { findings } = scan(captureOf('<html></html>', { scripts: [file('layout/checkout.liquid')] }), {
    asOf: '2025-01-01',
  });
  expect(findings.find(f => f.rule_id === 'shopify_checkout_liquid')).toMatchObject({
    severity: 'warn',
    escalates_on: '2025-08-28',
  });
});

it('is silent for a file of that name elsewhere', () => {
  expect(found([file('docs/layout/checkout.liquid'), file('snippets/checkout.liquid')])).toEqual([]);
});
