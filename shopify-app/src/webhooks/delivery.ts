import { type Shopify, ShopifyHeader, WebhookType, WebhookValidationErrorReason } from '@shopify/shopify-api';

/** A webhook whose signature is true. */
export interface Delivery {
  /** As `shopify.app.toml` names it, such as `themes/publish`. */
  readonly topic: string;
  /** `some-name.myshopify.com`, not checked for its form. */
  readonly shop: string;
  /** The same for each delivery of one event. */
  readonly eventId: string;
  /** When it happened, in ms since epoch; null when Shopify does not say. */
  readonly triggeredAt: number | null;
  /** The body: any JSON value. */
  readonly payload: unknown;
}

/** Where the shop stands in a body, where it does. */
const SHOP_FIELDS = ['myshopify_domain', 'shop_domain'] as const;

/**
 * Reads a webhook. Shopify's package for Remix would renew the shop's token first, which takes time, and fails for a shop
 * that has gone: the very one that must be heard. So only its signature check is used.
 *
 * @throws Response 405 when it is no POST, 401 when the signature is missing or wrong, 400 when it says nothing we can read
 * @example
 * const { topic, shop, payload } = await readDelivery(shopifyApi({ … }), request);
 */
export async function readDelivery(api: Pick<Shopify, 'webhooks'>, request: Request): Promise<Delivery> {
  if (request.method !== 'POST') throw new Response(null, { status: 405, headers: { Allow: 'POST' } });
  const rawBody = await request.text();
  const check = await api.webhooks.validate({ rawBody, rawRequest: request });
  if (!check.valid) throw refused(check.reason === WebhookValidationErrorReason.MissingHeaders ? 400 : 401);
  const payload = parsed(rawBody);
  if (payload === undefined || check.webhookType !== WebhookType.Webhooks) throw refused(400);
  // The signature covers the body alone. Where the body names the shop, the header must name the same.
  for (const field of SHOP_FIELDS) {
    const named = (payload as Record<string, unknown> | null)?.[field];
    if (named !== undefined && named !== check.domain) throw refused(400);
  }
  const triggeredAt = Date.parse(check.triggeredAt ?? '');
  return {
    // The package writes it as `THEMES_PUBLISH`.
    topic: request.headers.get(ShopifyHeader.Topic)!,
    shop: check.domain,
    eventId: check.eventId ?? check.webhookId,
    triggeredAt: Number.isNaN(triggeredAt) ? null : triggeredAt,
    payload,
  };
}

const refused = (status: number): Response => new Response(null, { status });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
