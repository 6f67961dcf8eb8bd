import { StoreError } from '@compliance/store';
import type { ShopStore } from '@compliance/store/shop';
import type { Logger } from 'pino';
import type { Delivery } from './delivery.ts';
import { webhookTopics } from './topics.ts';

/** App dependencies that the webhook handlers use. */
interface WebhookApp {
  readonly store: ShopStore;
  readonly log: Logger | undefined;
  readWebhook(request: Request): Promise<Delivery>;
}

/**
 * Responds to a webhook. Verifies the signature, performs urgent work immediately, and enqueues all other work once per
 * event.
 *
 * @returns status 200 if the app recorded the webhook or doesn't know the shop, or a 4xx status if the app rejected the
 * webhook
 * @throws Response in the same cases as `readWebhook`
 * @example
 * export const action = ({ request, context }) => receiveWebhook(context.app, request);
 */
export async function receiveWebhook(app: WebhookApp, request: Request): Promise<Response> {
  const delivery = await app.readWebhook(request);
  const { topic, shop, eventId, payload } = delivery;
  const handler = Object.hasOwn(webhookTopics, topic) ? webhookTopics[topic] : undefined;
  // Shopify retries for hours, so an event isn't lost if the app subscribed to a topic before the topic's handler was
  // deployed.
  if (!handler) return new Response(null, { status: 404 });
  try {
    const details = await handler.handle(app.store.shop(shop), delivery);
    const isFirst = await app.store.webhooks.take({ eventId, topic, shop }, handler.jobs(payload));
    app.log?.info({ topic, shop, event: eventId, isFirst, ...details }, 'webhook');
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code === 'shop_invalid') return new Response(null, { status: 400 });
    // The app doesn't have any data for an unknown shop, so the handler has nothing to change.
    if (error.code !== 'shop_unknown') throw error;
  }
  return new Response(null, { status: 200 });
}
