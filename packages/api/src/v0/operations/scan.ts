import { z } from 'zod';
import { defineOpenOperation } from '../../operations/operation.ts';
import scanOperation from '../../operations/pixel-scan.ts';
import { storefrontUrl } from '../../schemas/storefront.ts';
import { scanStorefront } from '../../storefront.ts';

const { findings } = scanOperation.response.shape;

const response = scanOperation.response
  .pick({ score: true, severity_counts: true, shopify: true, scanned: true, score_version: true })
  .extend({
    findings: z.array(
      findings.element.pick({ rule_id: true, severity: true, message: true, where: true, fix: true, docs_url: true }),
    ),
  })
  .meta({ id: 'ScanAnswer' });

export default defineOpenOperation({
  id: 'scan',
  method: 'get',
  path: '/api/v0/scan',
  summary: 'Scan one page of a storefront',
  description:
    'A part of what `pixel.scan` of v1 answers: one page and its own scripts, read and not run. What cannot be seen from the ' +
    'page is said to be unseen.',
  request: z.strictObject({ url: storefrontUrl }),
  response,
  errors: scanOperation.errors!,
  examples: [{ name: 'a storefront', request: { url: 'https://shop.example/' } }],
  async handle({ url }, context) {
    return response.parse(await scanStorefront(url, context));
  },
});
