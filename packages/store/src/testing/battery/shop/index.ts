import { describe } from 'vitest';
import type { World } from '../world.ts';
import { registerJobs } from './jobs.ts';
import { registerShops } from './shops.ts';

/** Registers the tests of what is kept of shops. */
export function registerShop(world: World): void {
  describe('of a shop', () => {
    registerShops(world);
    registerJobs(world);
  });
}
