import { describe, expect, it } from 'vitest';
import { MINUTE, type World } from '../world.ts';
import { registerCatalog } from './catalog.ts';
import { registerFindings } from './findings.ts';
import { installed, newScan, newVariant, ONE, seen, TWO } from './given.ts';
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

    it('does everything at once without a deadlock', async () => {
      const shops = [await installed(world, ONE), await installed(world, TWO)];
      const variants = Array.from({ length: 150 }, (_, i) => newVariant(i));
      for (const shop of shops) for (let i = 0; i < 5; i++) await shop.jobs.enqueue({ kind: 'scan', key: `${i}` });
      const work = async () => {
        const job = await world.store.jobs.claim('w', ['scan'], MINUTE);
        await job?.shop.variants.upsert('run', variants);
        await job?.shop.scans.record(newScan({ findings: [seen('f'), seen('g')] }));
        await job?.heartbeat({});
        await job?.complete();
        return job?.id;
      };
      const everything = shops.flatMap(shop =>
        Array.from({ length: 10 }, (_, i) => [
          work(),
          shop.jobs.enqueue({ kind: 'scan', key: `${i % 5}`, whileRunning: 'again' }),
          shop.variants.upsert('run', [...variants].reverse()),
          shop.scans.record(newScan({ findings: [seen('g'), seen('f')] })),
          shop.findings.accept(['g', 'f'], { reason: 'r', until: null, by: 'b' }),
          shop.productCertificates.saveDraft('p', i),
          shop.themeFiles.replace('t', [{ name: 'a', checksum: `${i}` }]),
          world.store.webhooks.take({ eventId: `${i % 3}`, topic: 'T', shop: shop.domain }, [{ kind: 'scan' }]),
          world.store.shops.install(shop.domain, { scopes: [`${i}`] }),
          shop.variants.list({ limit: 50 }),
        ]),
      );
      await Promise.all(everything.flat());
      while (await work());
      for (const shop of shops) {
        expect(
          (await shop.jobs.list({ limit: 99 })).every(({ state, attempts }) => state === 'done' && attempts === 1),
        ).toBe(true);
        expect(await shop.findings.counts()).toMatchObject({ open: 2, accepted: expect.any(Number) });
        expect((await shop.variants.counts()).total).toBe(150);
      }
    });
  });
}
