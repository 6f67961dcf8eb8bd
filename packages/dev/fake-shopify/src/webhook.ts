import { createHmac, randomUUID } from 'node:crypto';
import { VERSION } from './admin/api.ts';
import { API_SECRET } from './admin/tokens.ts';

/** Overrides for a webhook delivery, such as an invalid signature or a missing header. */
export interface WebhookOptions {
  /** Event ID. Reuse the ID to deliver the same event twice. */
  readonly eventId?: string;
  /** Webhook delivery ID. */
  readonly webhookId?: string;
  readonly triggeredAt?: string;
  /** Path to the webhook endpoint. */
  readonly path?: string;
  /** Whether to sign the webhook with the wrong secret. */
  readonly forged?: boolean;
  /** Whether to change the webhook body after signing it. */
  readonly changed?: boolean;
  /** Name of the header to omit. */
  readonly without?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a webhook as Shopify does. Returns the response status.
 *
 * @example
 * await sendWebhook(app.url, 'themes/publish', 'sample-shop.myshopify.com', { id: 101 }); // 200
 */
export async function sendWebhook(
  appUrl: string,
  topic: string,
  shop: string,
  payload: object,
  options: WebhookOptions = {},
): Promise<number> {
  const body = JSON.stringify(payload);
  const secret = options.forged ? 'another secret' : API_SECRET;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'User-Agent': 'Shopify-Captain-Hook',
    'X-Shopify-Topic': topic,
    'X-Shopify-Shop-Domain': shop,
    'X-Shopify-API-Version': VERSION,
    'X-Shopify-Webhook-Id': options.webhookId ?? randomUUID(),
    'X-Shopify-Event-Id': options.eventId ?? randomUUID(),
    'X-Shopify-Triggered-At': options.triggeredAt ?? new Date().toISOString(),
    'X-Shopify-Hmac-Sha256': createHmac('sha256', secret).update(body).digest('base64'),
    ...options.headers,
  };
  if (options.without) delete headers[options.without];
  const sent = options.changed ? body.replace('{', '{ ') : body;
  const { status } = await fetch(`${appUrl}${options.path ?? '/webhooks'}`, {
    method: 'POST',
    headers,
    body: sent,
    signal: AbortSignal.timeout(30_000),
  });
  return status;
}
