import { storefrontUrl } from '@compliance/contract/storefront';
import { z } from 'zod';
import { scanStorefront } from '../../adapters/storefront-scan.ts';
import { definePublicOperation } from '../../operations/operation.ts';
import scanOperation from '../../operations/pixel-scan.ts';

const { findings } = scanOperation.response.shape;

const response = scanOperation.response
  .pick({ score: true, severity_counts: true, shopify: true, scanned: true, score_version: true })
  .extend({
    findings: z.array(
      findings.element.pick({ rule_id: true, severity: true, message: true, where: true, fix: true, docs_url: true }),
    ),
  })
  .meta({ id: 'PublicScanResponse' });

export default definePublicOperation({
  id: 'scan',
  method: 'get',
  path: '/api/v0/scan',
  summary: 'Scan one page of a storefront',
  description:
    'Returns a subset of the v1 `pixel.scan` response for one page and its first-party scripts. The scan is static and ' +
    "doesn't run the page's code.",
  request: z.strictObject({ url: storefrontUrl }),
  response,
  errors: scanOperation.errors!,
  examples: [{ name: 'a storefront', request: { url: 'https://shop.example/' } }],
  async handler({ url }, context) {
    return response.parse(await scanStorefront(url, context));
  },
});
