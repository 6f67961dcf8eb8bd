import { describe } from 'vitest';
import type { World } from '../world.ts';
import { registerCatalog } from './catalog.ts';
import { registerFindings } from './findings.ts';
import { registerJobs } from './jobs.ts';
import { registerScans } from './scans.ts';
import { registerShops } from './shops.ts';
import { registerTenancy } from './tenancy.ts';

/** Registers the tests of what is kept of shops. */
export function registerShop(world: World): void {
  describe('of a shop', () => {
    registerShops(world);
    registerJobs(world);
    registerScans(world);
    registerFindings(world);
    registerCatalog(world);
    registerTenancy(world);
  });
}
