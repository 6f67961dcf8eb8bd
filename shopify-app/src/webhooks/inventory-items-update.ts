import { z } from 'zod';
import type { Topic } from './topic.ts';

const item = z.object({ id: z.int().positive() });

/** An HTS code or a country of origin may have changed: Shopify keeps both with the stock of a variant. */
export const inventoryItemsUpdate: Topic = {
  topic: 'inventory_items/update',
  jobs(payload) {
    const inventoryItemId = `gid://shopify/InventoryItem/${item.parse(payload).id}`;
    return [{ kind: 'product', key: inventoryItemId, payload: { inventoryItemId }, whileRunning: 'again' }];
  },
};
