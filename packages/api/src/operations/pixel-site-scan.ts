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
  tag,
  thirdParty,
} from '@compliance/contract/scan';
import { storefrontUrl } from '@compliance/contract/storefront';
import { SITE_PAGE_TYPES, type SiteInventory } from '@compliance/core/pixel';
import { z } from 'zod';
import { scanSite } from '../adapters/storefront-scan.ts';
import { defineOperation } from './operation.ts';

const pageType = z.enum(SITE_PAGE_TYPES);
const seenOn = { seen_on: z.array(pageType).meta({ description: 'Types of pages on which this item was found.' }) };

const siteInventory = z.object({ page_type: pageType, inventory }).meta({
  id: 'SiteInventory',
  description:
    'A page type and the inventory of the page that was scanned for that type. To detect changes, include both in the `baselines` field of a later scan request.',
});

const request = z
  .strictObject({
    url: storefrontUrl.meta({
      format: 'uri',
      description: "HTTP or HTTPS URL of any storefront page. The scan starts at the home page for the URL's locale.",
    }),
    profile,
    baselines: z
      .array(siteInventory)
      .max(SITE_PAGE_TYPES.length)
      .optional()
      .meta({ description: 'The `inventories` from an earlier scan of the same site.' }),
  })
  .meta({ id: 'SiteScanRequest' });

const page = z
  .object({
    page_type: pageType.meta({
      description:
        'Page type. `blog` is an article or a list of articles. `locale` is the home page in another language or market.',
    }),
    url: z.string().nullable().meta({
      description: 'URL of the page, after redirects if the page was scanned; null if no page of this type was found.',
    }),
    state: z.enum(['scanned', 'not_scanned']),
    reason: z.string().nullable().meta({
      description:
        "Reason that the page wasn't scanned, such as `robots`, `not_found`, or `over_limit`; null if the page was scanned. We might add new reasons.",
    }),
    message: z.string().nullable().meta({ description: 'A sentence that explains `reason`.' }),
    status: z.int().nullable().meta({ description: 'HTTP status code that caused the failure, if any.' }),
    score: z.int().min(0).max(100).nullable().meta({ description: 'Page score.' }),
    severity_counts: severityCounts.nullable(),
    complete: z
      .boolean()
      .meta({ description: "False if part of the page or one of its first-party scripts couldn't be scanned." }),
    scripts: z.int().meta({ description: 'Number of scripts that the scan analyzed.' }),
    notes,
  })
  .meta({ id: 'SitePage' });

const response = z
  .object({
    score: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .meta({
        description:
          'Site score: 100 minus the deductions in `score_breakdown`. Points for a problem are deducted only once, even if the problem occurs on several pages. ' +
          'Null if no page could be scanned.',
      }),
    score_covers: z.array(pageType).meta({ description: 'Page types that the score covers.' }),
    score_version: scoreVersion,
    score_breakdown: scoreBreakdown,
    severity_counts: severityCounts,
    findings: z.array(finding.extend(seenOn).meta({ id: 'SiteFinding' })).meta({
      description:
        "Findings on all pages, most severe first. If several pages have the same problem, it's reported as one finding.",
    }),
    pages: z.array(page).meta({ description: "All page types, including those that weren't scanned." }),
    inventory: z
      .object({
        tags: z.array(tag.extend(seenOn)),
        containers: z.array(z.string()),
        third_parties: z.array(thirdParty.extend(seenOn)),
      })
      .meta({ description: 'Tags, Tag Manager containers, and third parties on all scanned pages.' }),
    inventories: z.array(siteInventory).meta({
      description:
        'Inventory of each scanned page. To detect changes, store this list and send it as `baselines` in a later scan.',
    }),
    shopify,
    drift: z
      .object({
        drift_status: driftStatus,
        findings: z.array(driftFinding.extend(seenOn)),
        pages: z.array(
          z.object({
            page_type: pageType,
            drift_status: driftStatus.nullable(),
            not_compared: z
              .string()
              .nullable()
              .meta({ description: "Reason that the page wasn't compared; null if it was compared." }),
          }),
        ),
      })
      .nullable()
      .meta({ description: "Changes since the baselines; null if the request doesn't include `baselines`." }),
  })
  .meta({ id: 'SiteScanResponse' });

export default defineOperation({
  id: 'pixel.site.scan',
  method: 'post',
  path: '/api/v1/pixel/site/scan',
  scope: 'pixel',
  cost: SITE_PAGE_TYPES.length,
  clientArguments: ['url'],
  summary: 'Scan a whole storefront',
  description:
    'Fetches one page of each type and combines the findings into one report. The page types are home, collection, product, cart, ' +
    'search, blog, and home in another locale. Each page is subject to robots.txt, and all pages share one limit of 40 requests and 20 ' +
    "seconds. The response lists the page types that weren't scanned, with the reasons. A site scan counts as " +
    `${SITE_PAGE_TYPES.length} requests toward the rate limits.`,
  request,
  response,
  errors: ['scan_failed', 'target_busy', 'upstream', 'unavailable'],
  examples: [{ name: 'a storefront', request: { url: 'https://shop.example/' } }],
  async handler({ url, profile, baselines }, context) {
    const scan = await scanSite(url, context, {
      ...(profile && { profile }),
      ...(baselines && { baseline: baselines as readonly SiteInventory[] }),
    });
    return scan as unknown as z.output<typeof response>;
  },
});
