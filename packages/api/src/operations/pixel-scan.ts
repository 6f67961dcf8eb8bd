import { scanRequest, scanResponse } from '@compliance/contract/scan';
import type { Inventory } from '@compliance/core/pixel';
import type { z } from 'zod';
import { scanStorefront } from '../adapters/storefront-scan.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'pixel.scan',
  method: 'post',
  path: '/api/v1/pixel/scan',
  scope: 'pixel',
  clientArguments: ['url'],
  summary: 'Scan a storefront for legacy and changed tags',
  description:
    'Fetches one page and its first-party scripts, and checks them for legacy, duplicate, broken, and data-leaking Meta Pixel, GA4, ' +
    "and Tag Manager code. The scan is static and doesn't run the page's code. The response lists the content that the scan can't inspect.",
  request: scanRequest,
  response: scanResponse,
  errors: ['scan_failed', 'target_busy', 'upstream', 'unavailable'],
  examples: [{ name: 'a storefront', request: { url: 'https://shop.example/' } }],
  async handler({ url, profile, baseline }, context) {
    const scan = await scanStorefront(url, context, {
      ...(profile && { profile }),
      ...(baseline && { baseline: baseline as Inventory }),
    });
    return scan as unknown as z.output<typeof scanResponse>;
  },
});
