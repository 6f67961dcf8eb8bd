import { gid } from '../../shop/shop.ts';
import { connection, type Paging } from '../connection.ts';
import { plannedErrors, type ResolverContext } from './resolver-context.ts';

/**
 * Resolves webhook subscriptions created through the API. Excludes subscriptions declared in the app's configuration.
 */
export function webhookFields(context: ResolverContext) {
  const { shop } = context;
  const node = (one: (typeof shop.webhooks)[number]) => ({
    __typename: 'WebhookSubscription',
    ...one,
    format: 'JSON',
    apiVersion: { handle: '2026-10' },
  });
  return {
    webhookSubscriptions: ({ topics, uri, ...paging }: Paging & { topics?: string[]; uri?: string }) =>
      connection(
        shop.webhooks.filter(one => (!topics || topics.includes(one.topic)) && (!uri || one.uri === uri)).map(node),
        paging,
      ),
    webhookSubscriptionCreate: (input: { topic: string; webhookSubscription: { uri?: string; filter?: string } }) => {
      const { topic, webhookSubscription } = input;
      const userErrors = plannedErrors(context);
      if (!webhookSubscription.uri?.startsWith('https://')) {
        userErrors.push({ field: ['webhookSubscription', 'uri'], message: 'Address is not allowed' });
      }
      if (userErrors.length > 0) return { webhookSubscription: null, userErrors };
      const id = gid('WebhookSubscription', `${shop.number}${shop.webhooks.length + 1}`);
      const made = { id, topic, uri: webhookSubscription.uri!, filter: webhookSubscription.filter ?? null };
      shop.webhooks.push(made);
      return { webhookSubscription: node(made), userErrors };
    },
  };
}
