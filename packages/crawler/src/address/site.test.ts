import { expect, it } from 'vitest';
import { siteOf } from './site.ts';

it.each([
  ['https://www.shop.example/a', 'shop.example'],
  ['https://a.b.shop.co.uk/', 'shop.co.uk'],
  ['https://x.myshopify.com/', 'x.myshopify.com'],
  ['http://93.184.216.34/', '93.184.216.34'],
])('returns the site for %s: %s', (url, site) => expect(siteOf(new URL(url))).toBe(site));
