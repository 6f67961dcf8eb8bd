import { z } from 'zod';
import { MAX_URL_LENGTH, storefrontUrl } from './storefront.ts';
import { calendarDate } from './tariff.ts';

const MAX_TAGS = 500;

/** A text field in a baseline. It has the same maximum length as a URL, because some of these fields contain URLs. */
const text = z.string().max(MAX_URL_LENGTH);
const severity = z.enum(['info', 'warn', 'error']).meta({
  description:
    "`error`: data is lost, incorrect, or exposed. `warn`: any other problem worth fixing. `info`: doesn't affect the score.",
});
const state = z.enum(['run', 'later', 'gated', 'config', 'inert', 'never_runs']);
const owner = z.enum(['theme', 'shopify_admin', 'app', 'gtm', 'checkout']);
const theme = z
  .object({ id: text.nullable(), name: text.nullable(), role: text.nullable() })
  .meta({ description: 'The Shopify theme, if the page identifies it.' });

/** A tag on a page. */
export const tag = z.object({
  vendor: text,
  kind: text,
  id: text.nullable(),
  channel: text.meta({
    description: 'How the tag was added to the page, such as by the theme, an app, or a container.',
  }),
  state,
  position: z.enum(['head', 'body']),
  events: z.array(text).max(MAX_TAGS),
  events_unresolved: z.boolean().meta({ description: "True if some of the tag's event names can't be determined." }),
  consent: z.enum(['none', 'default_set', 'gated', 'platform']),
  loader_host: text.nullable(),
});

/** A third party that a page contacts. */
export const thirdParty = z.object({ company: text, category: text, host: text });

/** The tags on a page, as part of a response or as a baseline in a request. */
export const inventory = z
  .object({
    version: z.literal(1),
    as_of: calendarDate.meta({ format: 'date', description: 'Scan date.' }),
    url: text,
    page_type: text,
    theme: theme.nullable(),
    password: z.boolean().meta({ description: 'True if the store returned its password page.' }),
    complete: z.boolean().meta({ description: "False if part of the page couldn't be scanned." }),
    tags: z.array(tag).max(MAX_TAGS),
    containers: z.array(text).max(MAX_TAGS),
    containers_read: z.array(text).max(MAX_TAGS).optional().meta({
      description:
        'IDs of the Tag Manager containers and Google tags whose contents were scanned. Inventories from earlier versions omit this list.',
    }),
    third_parties: z.array(thirdParty).max(2 * MAX_TAGS),
  })
  .meta({
    id: 'Inventory',
    description:
      'The tags on a page. To detect changes, store this inventory and send it as `baseline` in a later scan.',
  });

/** ID and values that `localizeFinding` in `@compliance/core` uses to translate a message. */
const translatable = {
  message_id: z.string().optional().meta({ description: 'ID of the message, unique within the rule.' }),
  message_values: z
    .object({})
    .loose()
    .optional()
    .meta({ description: 'Values to insert into the translated message.' }),
};

const where = z
  .object({ source: z.string(), line: z.number(), column: z.number(), url: z.string() })
  .meta({ description: 'Location of the code in the page or a script, with line and column.' });

/** A problem that a scan found. */
export const finding = z
  .object({
    rule_id: z.string().meta({ description: 'Stable rule ID, documented at `docs_url`. We might add new IDs.' }),
    severity,
    message: z.string().meta({ description: 'Description of the finding.' }),
    ...translatable,
    confidence: z.enum(['certain', 'likely', 'possible']),
    ids: z.array(z.string()).meta({ description: 'IDs of the affected tags.' }),
    where,
    snippet: z.string().meta({ description: 'Source code at `where`, with personal data and secrets removed.' }),
    state: state.meta({
      description:
        'When the code runs: `run` (on page load), `later` (after an event or a delay), `gated` (after consent), or `config` (when ' +
        'the platform executes the configuration). Code that never runs is `inert`, for example because nothing calls it, or ' +
        '`never_runs`, because of a syntax error or a condition that is always false.',
    }),
    variant: z.string().nullable().meta({ description: 'Rule variant; null if the finding has none.' }),
    owner: owner.meta({ description: 'Where the issue can be fixed.' }),
    fix: z.string().meta({ description: 'How to fix the issue.' }),
    docs_url: z.string().meta({ description: 'Path to the rule documentation.' }),
    since: z
      .string()
      .nullable()
      .meta({ description: 'Effective date of the platform change that causes the finding.' }),
    escalates_on: z.string().nullable().meta({ description: 'Date when the severity increases.' }),
    mitigated: z.boolean().meta({
      description: 'True if the page also contains the current version of the tag, so less data is lost.',
    }),
  })
  .meta({ id: 'Finding' });

/** A change since the baseline. */
export const driftFinding = z.object({
  rule_id: z.string(),
  severity,
  message: z.string(),
  ...translatable,
  ids: z.array(z.string()),
  owner,
  fix: z.string(),
  docs_url: z.string(),
  context: z.string().nullable(),
  context_term: z
    .object({})
    .loose()
    .optional()
    .meta({ description: 'The cause named in `context`, in translatable form.' }),
});

/** Result of a comparison with a baseline. */
export const driftStatus = z.enum(['none', 'changed', 'broken']);

/** Region of the store's visitors, as specified in a request. */
export const profile = z
  .enum(['default', 'eea'])
  .optional()
  .meta({
    description:
      "Region where the store's visitors are located. For `eea` (European Economic Area), the severity of some consent findings is " +
      '`warn` instead of `info` unless the scan detects a consent tool that could control the tags.',
  });

/** Number of findings by severity. */
export const severityCounts = z
  .object({ info: z.int(), warn: z.int(), error: z.int() })
  .meta({ description: 'Number of findings by severity.' });

/** Score deductions. */
export const scoreBreakdown = z
  .array(z.object({ points: z.number() }).loose())
  .meta({ description: 'Score deductions. Their points add up to 100 minus the score.' });

/** Version of the scoring method. */
export const scoreVersion = z
  .int()
  .meta({ description: 'Scoring method version. Compare scores only if their versions match.' });

/** Shopify detection result. */
export const shopify = z
  .object({ detected: z.boolean(), kind: z.enum(['liquid', 'headless', 'unknown']), theme: theme.nullable() })
  .meta({ description: 'Shopify detection result, with the storefront type and theme.' });

/** Content that a scan didn't read. */
export const notes = z
  .array(z.object({ code: z.string(), reason: z.string() }).loose())
  .meta({ description: "Content that wasn't scanned, and the reason." });

/** A request to scan a page. */
export const scanRequest = z
  .strictObject({
    url: storefrontUrl,
    profile,
    baseline: inventory.optional().meta({ description: 'The `inventory` from an earlier scan of the same page.' }),
  })
  .meta({ id: 'ScanRequest' });

/** The result of a scan. */
export const scanResponse = z
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
      .meta({ description: "Always null. If a page can't be scored, the service returns the error `scan_failed`." }),
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
    container_events: z
      .array(
        z.object({
          container: z.string().nullable(),
          vendor: z.string(),
          id: z.string().nullable(),
          event: z.string().nullable(),
          where,
        }),
      )
      .optional()
      .meta({ description: 'IDs and events of the tags in Tag Manager containers, with the location of each tag.' }),
    server_events: z.array(z.string()).optional().meta({
      description: 'IDs of the Meta pixels for which, according to the page, Shopify also sends events server-side.',
    }),
  })
  .meta({ id: 'ScanResponse' });
