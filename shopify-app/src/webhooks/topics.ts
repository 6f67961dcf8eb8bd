import type { NewJob, Shop } from '@compliance/store/shop';
import { z } from 'zod';
import { PLAN_CHECK } from '../billing/plan-job.ts';
import type { Delivery } from './delivery.ts';

/**
 * Handler for one webhook topic. `shopify.app.toml` subscribes to the same topics.
 *
 * The app enqueues the jobs once per event, no matter how often Shopify delivers the event. `handle` might run again
 * for the same event, so it must be idempotent. `handle` must also complete quickly, because Shopify waits only five
 * seconds.
 */
interface TopicHandler<Payload> {
  /** Schema of the payload fields that the handler uses. */
  readonly payload: z.ZodType<Payload>;
  /** Returns the jobs to enqueue. */
  readonly jobs?: (payload: Payload) => readonly NewJob[];
  /** Performs work that can't wait for a job. Returns fields to log. */
  readonly handle?: (shop: Shop, payload: Payload, delivery: Delivery) => Promise<object | undefined>;
}

/** Topic handler that parses the payload itself. */
export interface Topic {
  jobs(payload: unknown): readonly NewJob[];
  handle(shop: Shop, delivery: Delivery): Promise<object | undefined>;
}

const defineTopic = <Payload>({ payload: schema, jobs, handle }: TopicHandler<Payload>): Topic => ({
  jobs: payload => jobs?.(schema.parse(payload)) ?? [],
  handle: async (shop, delivery) => await handle?.(shop, schema.parse(delivery.payload), delivery),
});

const anything = z.unknown();
const numericId = z.object({ id: z.int().positive() });

/**
 * Rereads a product after it is created, changed, or deleted. Events can arrive late and out of order, so the handler
 * uses only the product ID. Orders also trigger `products/update` events, because orders change stock levels.
 */
const product = defineTopic({
  payload: numericId,
  jobs({ id }) {
    const productId = `gid://shopify/Product/${id}`;
    return [{ kind: 'product', key: productId, payload: { productId }, whileRunning: 'again' }];
  },
});

/** All webhook topics that the app handles, by name. */
export const webhookTopics: Readonly<Record<string, Topic>> = {
  /**
   * Handles a change to the shop's plan. Events can arrive late and out of order, so the job gets the plan from
   * Shopify.
   */
  'app_subscriptions/update': defineTopic({
    payload: anything,
    jobs: () => [{ kind: PLAN_CHECK, whileRunning: 'again' }],
  }),

  /** Handles a change to the granted scopes. */
  'app/scopes_update': defineTopic({
    payload: z.object({ current: z.array(z.string()) }),
    async handle(shop, { current }) {
      await shop.setScopes(current);
      return undefined;
    },
  }),

  /**
   * Handles the app's uninstallation. The shop's tokens no longer work, so all of its jobs stop immediately. A later
   * `shop/redact` webhook deletes the data.
   */
  'app/uninstalled': defineTopic({
    payload: anything,
    async handle(shop, _, { triggeredAt }) {
      await shop.uninstall(triggeredAt === null ? {} : { at: triggeredAt });
      return undefined;
    },
  }),

  /**
   * Handles the end of a bulk operation by waking the catalog job that is waiting for the operation. If that job no
   * longer exists, a new job reads the operation's results. The new job must not start another operation, because that
   * would cause an endless loop.
   */
  'bulk_operations/finish': defineTopic({
    payload: z.object({ admin_graphql_api_id: z.string() }),
    jobs: ({ admin_graphql_api_id: bulkOperationId }) => [{ kind: 'catalog', payload: { bulkOperationId } }],
  }),

  /**
   * Handles a customer's data request. The app doesn't store customer data, because its scopes don't give access to
   * customers.
   */
  'customers/data_request': defineTopic({
    payload: z.object({ data_request: z.object({ id: z.int() }) }).or(anything.transform(() => null)),
    handle: async (_, request) => ({ request: request?.data_request.id }),
  }),

  /**
   * Handles a request to delete a customer's data. The app doesn't store customer data, because its scopes don't give
   * access to customers.
   */
  'customers/redact': defineTopic({ payload: anything }),

  /**
   * Handles a domain change, which might affect the primary domain. The enqueued scan gets the primary domain from
   * Shopify and scans that domain.
   */
  'domains/update': defineTopic({
    payload: anything,
    jobs: () => [{ kind: 'scan', payload: { trigger: 'schedule' }, whileRunning: 'again' }],
  }),

  /**
   * Handles a possible change to an HTS code or country of origin. Shopify stores both values on a variant's inventory
   * item.
   */
  'inventory_items/update': defineTopic({
    payload: numericId,
    jobs({ id }) {
      const inventoryItemId = `gid://shopify/InventoryItem/${id}`;
      return [{ kind: 'product', key: inventoryItemId, payload: { inventoryItemId }, whileRunning: 'again' }];
    },
  }),

  'products/create': product,
  'products/delete': product,
  'products/update': product,

  /**
   * Handles a request to delete the shop's data. Shopify sends the request about two days after the app is uninstalled.
   */
  'shop/redact': defineTopic({
    payload: anything,
    jobs: () => [{ kind: 'redact', afterUninstall: true, maxAttempts: 20 }],
  }),

  /**
   * Handles a change to the shop's name, time zone, language, or primary domain. The app doesn't request any other
   * fields.
   */
  'shop/update': defineTopic({
    payload: z.object({
      name: z.string(),
      iana_timezone: z.string(),
      domain: z.string(),
      primary_locale: z.string(),
    }),
    async handle(shop, { name, iana_timezone, domain, primary_locale }) {
      await shop.setProfile({ name, timeZone: iana_timezone, primaryHost: domain, locale: primary_locale });
      return undefined;
    },
  }),

  /**
   * Handles a change of the published theme. A running scan might have read the old theme, so another scan runs
   * afterward. Shopify doesn't send a webhook when a file in the published theme is edited, but the nightly theme check
   * detects such changes.
   */
  'themes/publish': defineTopic({
    payload: anything,
    jobs: () => [{ kind: 'scan', payload: { trigger: 'theme_published' }, whileRunning: 'again' }],
  }),
};
