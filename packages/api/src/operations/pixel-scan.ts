import type { Inventory } from '@compliance/core/pixel';
import { z } from 'zod';
import { MAX_ADDRESS, storefrontUrl } from '../schemas/storefront.ts';
import { calendarDate } from '../schemas/tariff.ts';
import { scanStorefront } from '../storefront.ts';
import { defineOperation } from './operation.ts';

const MAX_TAGS = 500;

/** A field of a baseline; some are addresses. */
const text = z.string().max(MAX_ADDRESS);
const severity = z.enum(['info', 'warn', 'error']).meta({
  description: '`error` loses data or gives it away, `warn` loses something, `info` costs no points.',
});
const state = z.enum(['run', 'later', 'gated', 'config', 'inert']);
const owner = z.enum(['theme', 'shopify_admin', 'app', 'gtm', 'checkout']);
const theme = z
  .object({ id: text.nullable(), name: text.nullable(), role: text.nullable() })
  .meta({ description: 'The Shopify theme, as far as the page tells.' });

const inventory = z
  .object({
    version: z.literal(1),
    as_of: calendarDate.meta({ format: 'date', description: 'The day of the scan.' }),
    url: text,
    page_type: text,
    theme: theme.nullable(),
    password: z.boolean().meta({ description: 'True when the store answered with its password page.' }),
    complete: z.boolean().meta({ description: 'False when part of the page was not seen.' }),
    tags: z
      .array(
        z.object({
          vendor: text,
          kind: text,
          id: text.nullable(),
          channel: text.meta({ description: 'How it came onto the page: by the theme, an app, a container.' }),
          state,
          position: z.enum(['head', 'body']),
          events: z.array(text).max(MAX_TAGS),
          events_unresolved: z
            .boolean()
            .meta({ description: 'True when it sends events whose names could not be read.' }),
          consent: z.enum(['none', 'default_set', 'gated', 'platform']),
          loader_host: text.nullable(),
        }),
      )
      .max(MAX_TAGS),
    containers: z.array(text).max(MAX_TAGS),
    third_parties: z.array(z.object({ company: text, category: text, host: text })).max(2 * MAX_TAGS),
  })
  .meta({ id: 'Inventory', description: 'What is on a page. Keep it, and send it as `baseline` with a later scan.' });

const request = z
  .strictObject({
    url: storefrontUrl,
    profile: z
      .enum(['default', 'eea'])
      .optional()
      .meta({ description: 'Which visitors the shop serves; `eea` raises the consent findings.' }),
    baseline: inventory.optional().meta({ description: 'The inventory of an earlier scan of the same page.' }),
  })
  .meta({ id: 'ScanRequest' });

const finding = z
  .object({
    rule_id: z.string().meta({ description: 'Stable; each has a page at `docs_url`. New ones may be added.' }),
    severity,
    message: z.string().meta({ description: 'What was found, in plain words.' }),
    confidence: z.enum(['certain', 'likely', 'possible']),
    ids: z.array(z.string()).meta({ description: 'The ids of the tags that it is about.' }),
    where: z
      .object({ source: z.string(), line: z.number(), column: z.number(), url: z.string() })
      .meta({ description: 'Where it stands: the page or a script, and the place in it.' }),
    snippet: z.string().meta({ description: 'Source at the place, without personal data and secrets.' }),
    state: state.meta({
      description: 'When the code runs: at load, later, after consent, by the platform, or not at all.',
    }),
    variant: z.string().nullable().meta({ description: 'Tells the forms of one rule apart.' }),
    owner: owner.meta({ description: 'Who can put it right.' }),
    fix: z.string().meta({ description: 'How to put it right.' }),
    docs_url: z.string().meta({ description: 'Path of the page of the rule.' }),
    since: z.string().nullable().meta({ description: 'Date since which the fact behind the rule holds.' }),
    escalates_on: z.string().nullable().meta({ description: 'Date on which the severity will rise.' }),
    mitigated: z.boolean().meta({ description: 'True when the present-day tag is there too, so that less is lost.' }),
  })
  .meta({ id: 'Finding' });

const response = z
  .object({
    score: z.int().min(0).max(100).meta({ description: '100 less the deductions of `score_breakdown`.' }),
    findings: z.array(finding).meta({ description: 'Gravest first.' }),
    severity_counts: z
      .object({ info: z.int(), warn: z.int(), error: z.int() })
      .meta({ description: 'How many findings there are of each severity.' }),
    score_version: z.int().meta({ description: 'The way of scoring. Compare scores of one version alone.' }),
    score_breakdown: z
      .array(z.object({ points: z.number() }).loose())
      .meta({ description: 'The deductions; their points add up to 100 minus the score.' }),
    inventory,
    shopify: z
      .object({ detected: z.boolean(), kind: z.enum(['liquid', 'headless', 'unknown']), theme: theme.nullable() })
      .meta({ description: 'What the page tells of being a Shopify storefront.' }),
    scanned: z.object({ url: z.string(), scripts: z.int(), truncated: z.boolean() }).meta({
      description: 'What was read: the page after redirects, how many scripts, and whether something was cut off.',
    }),
    not_scored: z.null().meta({ description: 'A page that cannot be scored is an error, `scan_failed`.' }),
    drift: z
      .object({
        drift_status: z.enum(['none', 'changed', 'broken']),
        findings: z.array(
          z.object({
            rule_id: z.string(),
            severity,
            message: z.string(),
            ids: z.array(z.string()),
            owner,
            fix: z.string(),
            docs_url: z.string(),
            context: z.string().nullable(),
          }),
        ),
        not_compared: z.string().nullable().meta({ description: 'Why nothing was compared; null when it was.' }),
      })
      .nullable()
      .meta({ description: 'What changed since the baseline; null without one.' }),
    notes: z
      .array(z.object({ code: z.string(), reason: z.string() }).loose())
      .meta({ description: 'What was not read, and why.' }),
  })
  .meta({ id: 'ScanResponse' });

export default defineOperation({
  id: 'pixel.scan',
  method: 'post',
  path: '/api/v1/pixel/scan',
  scope: 'pixel',
  clientsTake: ['url'],
  summary: 'Scan a storefront for legacy and drifted tags',
  description:
    'Fetches one page and its own scripts and reads them for legacy, doubled, broken and leaking Meta Pixel, GA4 and Tag ' +
    'Manager code. Nothing of the page is run. What cannot be seen from the page is said to be unseen.',
  request,
  response,
  errors: ['scan_failed', 'upstream', 'unavailable'],
  examples: [{ name: 'a storefront', request: { url: 'https://shop.example/' } }],
  async handle({ url, profile, baseline }, context) {
    const scan = await scanStorefront(url, context, {
      ...(profile && { profile }),
      ...(baseline && { baseline: baseline as Inventory }),
    });
    return scan as unknown as z.output<typeof response>;
  },
});
