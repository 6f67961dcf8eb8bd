import { describe, expect, it } from 'vitest';
import { createHarness, MINUTE, type OpenFresh } from '../../../testing/contract/harness.ts';
import type { ShopStore } from '../../shop-store.ts';
import { installed, newScan, newVariant, ONE, observed, TWO } from '../fixtures.ts';
import { registerAlerts } from './alerts.ts';
import { registerCatalog } from './catalog.ts';
import { registerDraftAttachments } from './draft-attachments.ts';
import { registerFairness } from './fairness.ts';
import { registerFindings } from './findings.ts';
import { registerJobs } from './jobs.ts';
import { registerRenderings } from './renderings.ts';
import { registerScans } from './scans.ts';
import { registerShops } from './shops.ts';
import { registerTenancy } from './tenancy.ts';

/** Registers the tests that the Shopify app's store must pass on every engine. */
export function registerShopContract(openFresh: OpenFresh<ShopStore>): void {
  describe('shop store', () => {
    const harness = createHarness(openFresh);
    registerShops(harness);
    registerJobs(harness);
    registerFairness(harness);
    registerScans(harness);
    registerFindings(harness);
    registerRenderings(harness);
    registerCatalog(harness);
    registerDraftAttachments(harness);
    registerAlerts(harness);
    registerTenancy(harness);

    it('completes concurrent calls to different shop functions without a deadlock', async () => {
      const shops = [await installed(harness, ONE), await installed(harness, TWO)];
      const variants = Array.from({ length: 150 }, (_, i) => newVariant(i));
      for (const shop of shops) for (let i = 0; i < 5; i++) await shop.jobs.enqueue({ kind: 'scan', key: `${i}` });
      const work = async () => {
        const job = await harness.store.jobs.claim('w', ['scan'], MINUTE);
        await job?.shop.variants.upsert('run', variants);
        await job?.shop.scans.record(newScan({ findings: [observed('f'), observed('g')] }));
        await job?.heartbeat({});
        await job?.complete();
        return job?.id;
      };
      const everything = shops.flatMap(shop =>
        Array.from({ length: 10 }, (_, i) => [
          work(),
          shop.jobs.enqueue({ kind: 'scan', key: `${i % 5}`, whileRunning: 'again' }),
          shop.variants.upsert('run', [...variants].reverse()),
          shop.scans.record(newScan({ findings: [observed('g'), observed('f')] })),
          shop.findings.accept(['g', 'f'], { reason: 'r', until: null, by: 'b' }),
          shop.productCertificates.saveDraft('p', i),
          shop.themeFiles.replace('t', [{ name: 'a', checksum: `${i}` }]),
          harness.store.webhooks.take({ eventId: `${i % 3}`, topic: 'T', shop: shop.domain }, [{ kind: 'scan' }]),
          harness.store.shops.install(shop.domain, { scopes: [`${i}`] }),
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
