import { HTS_CODE_PATTERN } from '@compliance/contract/tariff';
import { easternDate, originPattern } from '@compliance/core/tariff';
import { parseHttpsUrl } from '@compliance/crawler';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { HTTPS_URL_PATTERN } from '../schemas/https-url.ts';
import { describeWatch, watchDetails } from '../schemas/watches.ts';
import { watchDataset } from '../watches/watch-dataset.ts';
import { MAX_REFERENCE, MAX_WATCHED_CODES, watchedCodesOf } from '../watches/watched-codes.ts';
import { defineOperation } from './operation.ts';

const MAX_NAME = 200;

const watchedCode = z
  .strictObject({
    reference: z
      .string()
      .min(1)
      .max(MAX_REFERENCE)
      .meta({ pattern: String.raw`[^\s\uFEFF]`, description: 'Your own reference, such as a part number.' }),
    code: z.string().max(100).meta({ pattern: HTS_CODE_PATTERN, description: 'HTS code with 4, 6, 8, or 10 digits.' }),
    origin: z.string().max(10).nullable().optional().meta({
      pattern: originPattern(),
      description:
        "Country of origin as an ISO 3166-1 alpha-2 code. If omitted, origin-specific duties aren't considered.",
    }),
  })
  .meta({ id: 'WatchedCode' });

const request = z
  .strictObject({
    name: z.string().max(MAX_NAME, `Use at most ${MAX_NAME} characters.`).default(''),
    codes: z
      .array(watchedCode)
      .min(1, 'Send at least one code.')
      .max(MAX_WATCHED_CODES, `Send at most ${MAX_WATCHED_CODES} codes per watch.`)
      .optional()
      .meta({ description: 'The codes to watch. Send either `codes` or `csv`.' }),
    csv: z.string().optional().meta({
      description:
        'The codes as CSV. The first row contains the column names: `reference`, `code`, and optionally `origin`.',
    }),
    webhook_url: z
      .string()
      .max(2000)
      .refine(isWebhookUrl, 'Enter an HTTPS URL on port 443 without a username or password.')
      .optional()
      .meta({
        pattern: HTTPS_URL_PATTERN,
        description:
          'HTTPS URL that receives each event as a webhook, signed according to Standard Webhooks. Private IP addresses and ' +
          "redirects aren't allowed.",
      }),
  })
  .meta({ id: 'WatchCreateRequest', oneOf: [{ required: ['codes'] }, { required: ['csv'] }] });

const response = watchDetails
  .extend({
    webhook_secret: z.string().nullable().meta({
      description: "Secret for verifying webhooks; null if the watch has no webhook. Store it: it isn't shown again.",
    }),
  })
  .meta({ id: 'NewWatch', description: 'A new watch on HTS codes.' });

function isWebhookUrl(text: string): boolean {
  try {
    return parseHttpsUrl(text).href.length > 0;
  } catch {
    return false;
  }
}

export default defineOperation({
  id: 'tariff.watches.create',
  method: 'post',
  path: '/api/v1/tariff/watches',
  scope: 'tariff',
  cost: 10,
  maxBodyBytes: 16 * 1024 * 1024,
  clientArguments: 'request',
  summary: 'Watch HTS codes',
  description:
    'Watches up to 50,000 HTS codes. You assign a reference to each code and can also specify its country of origin. If a new data set changes the duties on ' +
    'a code for the current date or a later date, or if a scheduled change takes effect, the service adds an event to the watch. Each call counts as ten ' +
    'requests toward the rate limits.',
  request,
  response,
  errors: ['watch_limit', 'unavailable'],
  examples: [
    {
      name: 'two products',
      request: {
        name: 'Catalog',
        codes: [
          { reference: 'BOLT-8', code: '7318.15.2061', origin: 'CN' },
          { reference: 'SOFA-2', code: '9401.61.4011' },
        ],
      },
    },
    { name: 'products in CSV', request: { csv: 'reference,code,origin\nBOLT-8,7318.15.2061,CN\n' } },
  ],
  async handler({ name, codes, csv, webhook_url }, { watches, webhookSecrets, dataset, now, caller: { family } }) {
    const watched = watchedCodesOf({ codes, csv });
    if (webhook_url !== undefined && !webhookSecrets) throw new ApiError('unavailable');
    const evaluatedOn = easternDate(now);
    const dataSet = watchDataset(dataset);
    const webhook =
      webhook_url !== undefined && webhookSecrets
        ? { url: parseHttpsUrl(webhook_url).href, secrets: webhookSecrets.create() }
        : null;
    const watch = await watches.create({ family, name, codes: watched, dataset: dataSet, evaluatedOn, webhook });
    const secret = webhook && webhookSecrets!.current(webhook.secrets, watch.id);
    return { ...describeWatch(watch), webhook_secret: secret };
  },
});
