import { StoreError } from '@compliance/store';
import type { App } from '../app.ts';
import { topics } from './topics.ts';

/**
 * Answers a webhook: checks its signature, does what cannot wait, and enqueues the rest, once for each event.
 *
 * @returns 200 when all that it says is kept; 4xx when it is not ours to take
 * @throws Response as `webhookOf`
 * @example
 * export const action = ({ request, context }) => takeWebhook(context.app, request);
 */
export async function takeWebhook(app: App, request: Request): Promise<Response> {
  const delivery = await app.webhookOf(request);
  const { topic, shop, eventId, payload } = delivery;
  const known = topics.find(one => one.topic === topic);
  // Shopify sends it again for hours, so that a topic which is declared before its code is there is not lost.
  if (!known) return new Response(null, { status: 404 });
  try {
    const told = await known.run?.(app.store.shop(shop), delivery);
    const isFirst = await app.store.webhooks.take({ eventId, topic, shop }, known.jobs?.(payload) ?? []);
    app.log?.info({ topic, shop, event: eventId, isFirst, ...told }, 'webhook');
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code === 'shop_invalid') return new Response(null, { status: 400 });
    // Nothing is kept of it that could change.
    if (error.code !== 'shop_unknown') throw error;
  }
  return new Response(null, { status: 200 });
}
