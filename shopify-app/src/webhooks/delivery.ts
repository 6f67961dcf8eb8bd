import { type Shopify, ShopifyHeader, WebhookType, WebhookValidationErrorReason } from '@shopify/shopify-api';
import { tryParseJson } from '../lib/try-parse-json.ts';

/** Webhook with a verified signature. */
export interface Delivery {
  /** Topic name as in `shopify.app.toml`, such as `themes/publish`. */
  readonly topic: string;
  /** Shop domain, such as `some-name.myshopify.com`. The format isn't validated. */
  readonly shop: string;
  /** Event ID, which is the same for every delivery of the event. */
  readonly eventId: string;
  /** Time of the event in milliseconds since the Unix epoch, or null if Shopify doesn't provide a time. */
  readonly triggeredAt: number | null;
  /** Parsed body, which can be any JSON value. */
  readonly payload: unknown;
}

/** Body fields that can contain the shop domain. */
const SHOP_FIELDS = ['myshopify_domain', 'shop_domain'] as const;

/**
 * Verifies and parses a webhook. Uses only the Shopify package's signature check, because the package's Remix handler
 * would first renew the shop's token. The renewal is slow and fails for an uninstalled shop, so the Remix handler can't
 * process `app/uninstalled`.
 *
 * @throws Response with status 405 if the method isn't POST, 401 if the signature is missing or wrong, or 400 if the
 * webhook is malformed
 * @example
 * const { topic, shop, payload } = await readDelivery(shopifyApi({ … }), request);
 */
export async function readDelivery(api: Pick<Shopify, 'webhooks'>, request: Request): Promise<Delivery> {
  if (request.method !== 'POST') throw new Response(null, { status: 405, headers: { Allow: 'POST' } });
  const rawBody = await request.text();
  const check = await api.webhooks.validate({ rawBody, rawRequest: request });
  if (!check.valid) throw rejection(check.reason === WebhookValidationErrorReason.MissingHeaders ? 400 : 401);
  const payload = tryParseJson(rawBody);
  if (payload === undefined || check.webhookType !== WebhookType.Webhooks) throw rejection(400);
  // The signature covers only the body. If the body names the shop, the header must name the same shop.
  for (const field of SHOP_FIELDS) {
    const named = (payload as Record<string, unknown> | null)?.[field];
    if (named !== undefined && named !== check.domain) throw rejection(400);
  }
  const triggeredAt = Date.parse(check.triggeredAt ?? '');
  return {
    // The Shopify package returns the topic in a form such as `THEMES_PUBLISH`.
    topic: request.headers.get(ShopifyHeader.Topic)!,
    shop: check.domain,
    eventId: check.eventId ?? check.webhookId,
    triggeredAt: Number.isNaN(triggeredAt) ? null : triggeredAt,
    payload,
  };
}

const rejection = (status: number): Response => new Response(null, { status });
