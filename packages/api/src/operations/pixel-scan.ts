import type { Inventory } from '@compliance/core/pixel';
import { z } from 'zod';
import { scanStorefront } from '../adapters/storefront-scan.ts';
import {
  driftFinding,
  driftStatus,
  finding,
  inventory,
  notes,
  profile,
  scoreBreakdown,
  scoreVersion,
  severityCounts,
  shopify,
} from '../schemas/scan.ts';
import { storefrontUrl } from '../schemas/storefront.ts';
import { defineOperation } from './operation.ts';

const request = z
  .strictObject({
    url: storefrontUrl,
    profile,
    baseline: inventory.optional().meta({ description: 'The `inventory` from an earlier scan of the same page.' }),
  })
  .meta({ id: 'ScanRequest' });

const response = z
  .object({
    score: z.int().min(0).max(100).meta({ description: '100 minus the deductions in `score_breakdown`.' }),
    findings: z.array(finding).meta({ description: 'Findings, most severe first.' }),
    severity_counts: severityCounts,
    score_version: scoreVersion,
    score_breakdown: scoreBreakdown,
    inventory,
    shopify,
    scanned: z.object({ url: z.string(), scripts: z.int(), truncated: z.boolean() }).meta({
      description:
        'Scan coverage: the URL after redirects, the number of scripts, and whether any content was truncated.',
    }),
    not_scored: z
      .null()
      .meta({ description: "Always null. A page that can't be scored returns the error `scan_failed`." }),
    drift: z
      .object({
        drift_status: driftStatus,
        findings: z.array(driftFinding),
        not_compared: z
          .string()
          .nullable()
          .meta({ description: "Reason that the scans weren't compared; null if they were compared." }),
      })
      .nullable()
      .meta({ description: "Changes since the baseline; null if the request doesn't include a baseline." }),
    notes,
  })
  .meta({ id: 'ScanResponse' });

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
  request,
  response,
  errors: ['scan_failed', 'target_busy', 'upstream', 'unavailable'],
  examples: [{ name: 'a storefront', request: { url: 'https://shop.example/' } }],
  async handler({ url, profile, baseline }, context) {
    const scan = await scanStorefront(url, context, {
      ...(profile && { profile }),
      ...(baseline && { baseline: baseline as Inventory }),
    });
    return scan as unknown as z.output<typeof response>;
  },
});
