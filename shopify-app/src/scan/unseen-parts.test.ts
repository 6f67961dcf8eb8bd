import type { Inventory } from '@compliance/core/pixel';
import { expect, it } from 'vitest';
import { unseenParts } from './unseen-parts.ts';

const inventory = (containers: string[], containers_read: string[]) =>
  ({ tags: [], containers, containers_read }) as unknown as Inventory;

it('lists only the Tag Manager containers that no page scan could read', () => {
  const inventories = [inventory(['GTM-A', 'GTM-B'], ['GTM-A']), inventory(['GTM-A', 'GTM-C'], ['GTM-C'])];
  expect(unseenParts(inventories)).toEqual([
    { what: 'tag_manager', names: ['GTM-B'] },
    { what: 'checkout', names: [] },
  ]);
});
