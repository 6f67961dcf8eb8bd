import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, START, type StoreHarness } from '../../../testing/contract/harness.ts';
import type { ShopStore } from '../../index.ts';
import { installed, newScan, ONE, TWO } from '../fixtures.ts';

export function registerShops(harness: StoreHarness<ShopStore>): void {
  describe('shops', () => {
    const scopes = ['read_themes', 'read_products'];

    it('records a shop only once and distinguishes installations, visits, and reinstallations', async () => {
      const { shops } = harness.store;
      const asked = await Promise.all(Array.from({ length: 5 }, () => shops.install(ONE, { scopes })));
      expect(asked.map(({ outcome }) => outcome).sort()).toEqual(['installed', 'known', 'known', 'known', 'known']);
      const record = (await harness.store.shop(ONE).record())!;
      expect(record).toMatchObject({
        ...{ shop: ONE, installedAt: START, uninstalledAt: null, reinstalledAt: null, name: null },
        ...{
          scopes: ['read_products', 'read_themes'],
          settings: { schedule: 'daily', retentionDays: 365, locale: null },
        },
        ...{ needsReopeningAt: null, nextScanAt: START + DAY, family: expect.stringMatching(/^fam_/) },
      });

      const shop = harness.store.shop(ONE);
      await shop.scans.record(newScan());
      await shop.setNeedsReopening(true);
      harness.now += HOUR;
      expect(await shop.uninstall()).toBe(true);
      expect(await shop.uninstall()).toBe(true);
      expect(await shop.record()).toMatchObject({ uninstalledAt: START + HOUR });
      expect(await shops.list({ limit: 9 })).toEqual([]);
      harness.now += HOUR;
      const back = await Promise.all(Array.from({ length: 5 }, () => shops.install(ONE, { scopes })));
      expect(back.filter(({ outcome }) => outcome === 'reinstalled')).toHaveLength(1);
      expect(await shop.record()).toEqual({
        ...record,
        ...{ reinstalledAt: START + 2 * HOUR, nextScanAt: START + 2 * HOUR + DAY },
      });
      expect(await shop.scans.latest()).not.toBeNull();
    });

    it('ignores an uninstall webhook that is older than the installation', async () => {
      const shop = await installed(harness);
      harness.now += HOUR;
      await shop.uninstall({ at: harness.now - MINUTE });
      expect((await shop.record())?.uninstalledAt).toBe(harness.now - MINUTE);
      await installed(harness);
      expect(await shop.uninstall({ at: harness.now - MINUTE })).toBe(false);
      expect((await shop.record())?.uninstalledAt).toBeNull();
      expect(await shop.uninstall({ at: harness.now })).toBe(true);
      expect(await harness.store.shop(TWO).uninstall()).toBe(true);
      expect(await harness.store.shop(TWO).record()).toBeNull();
    });

    it.each([
      '',
      'one',
      'One.myshopify.com',
      'one.myshopify.com.example',
      'example/one.myshopify.com',
      '-one.myshopify.com',
      'one.myshopify.com\n',
      'a.b.myshopify.com',
      'myshopify.com',
      `${'x'.repeat(101)}.myshopify.com`,
    ])('rejects %j as a shop domain in every function', async domain => {
      const { store } = harness;
      const refused = { code: 'shop_invalid' };
      expect(() => store.shop(domain)).toThrow(expect.objectContaining(refused));
      await expect(store.shops.install(domain, { scopes })).rejects.toMatchObject(refused);
      await expect(store.webhooks.take({ eventId: 'e', topic: 'T', shop: domain })).rejects.toMatchObject(refused);
      await expect(store.sessions.put({ id: 's', shop: domain, sealed: 'x' })).rejects.toMatchObject(refused);
    });

    it('updates only the given shop fields', async () => {
      const shop = await installed(harness);
      await shop.setProfile({ name: 'One', timeZone: 'Europe/Paris', primaryHost: 'one.example', locale: 'fr' });
      await shop.setProfile({ name: "Two '); drop table shops; --" });
      await shop.setScopes(['read_products']);
      await shop.setSettings({ retentionDays: 30, ignoredHosts: ['a.example'] });
      await shop.setSettings({ locale: 'de' });
      await shop.setNeedsReopening(true);
      harness.now += HOUR;
      await shop.setNeedsReopening(true);
      expect(await shop.record()).toMatchObject({
        ...{ name: "Two '); drop table shops; --", timeZone: 'Europe/Paris', primaryHost: 'one.example', locale: 'fr' },
        ...{ scopes: ['read_products'], needsReopeningAt: START },
        settings: { schedule: 'daily', retentionDays: 30, locale: 'de', ignoredHosts: ['a.example'] },
      });
      expect((await shop.setNeedsReopening(false)).needsReopeningAt).toBeNull();
      await expect(harness.store.shop(TWO).setScopes([])).rejects.toMatchObject({ code: 'shop_unknown' });
    });

    it('enqueues one scan per period for each shop with the app installed', async () => {
      const { shops, shop } = harness.store;
      const domains = ['a', 'b', 'c', 'd', 'e'].map(name => `${name}.myshopify.com`);
      for (const domain of domains) await installed(harness, domain);
      await shop(domains[1]!).setSettings({ schedule: 'weekly' });
      await shop(domains[2]!).setSettings({ schedule: 'off' });
      await shop(domains[3]!).setNeedsReopening(true);
      await shop(domains[4]!).uninstall();
      const job = { kind: 'scan', payload: { trigger: 'schedule' } };
      expect(await shops.enqueueDue(job, 10)).toEqual([]);
      harness.now += DAY + MINUTE;
      const taken = await Promise.all([shops.enqueueDue(job, 10), shops.enqueueDue(job, 10)]);
      expect(taken.flat()).toEqual([domains[0]]);
      expect((await shop(domains[0]!).record())?.nextScanAt).toBe(START + 2 * DAY);
      expect(await harness.store.jobs.claim('w', ['scan'], MINUTE)).toMatchObject({
        ...{ domain: domains[0], payload: { trigger: 'schedule' } },
      });
      harness.now += 10 * DAY;
      expect([...(await shops.enqueueDue(job, 10))].sort()).toEqual(domains.slice(0, 2));
      expect((await shop(domains[0]!).record())?.nextScanAt).toBe(START + 12 * DAY);
      expect(await shops.enqueueDue(job, 10)).toEqual([]);
    });

    it('pages through the shops with the app installed', async () => {
      for (const name of ['c', 'a', 'b', 'a-1', 'a0']) await installed(harness, `${name}.myshopify.com`);
      const first = await harness.store.shops.list({ limit: 3 });
      const second = await harness.store.shops.list({ limit: 3, after: first.at(-1)?.shop });
      expect([...first, ...second].map(({ shop }) => shop.split('.')[0])).toEqual(['a-1', 'a', 'a0', 'b', 'c']);
    });
  });

  describe('sessions', () => {
    it('stores sealed sessions and returns them by ID and by shop', async () => {
      const { sessions } = harness.store;
      const session = { id: `offline_${ONE}`, shop: ONE, sealed: 'v1:abc' };
      await sessions.put(session);
      await sessions.put({ ...session, sealed: 'v1:def' });
      await sessions.put({ id: 'online', shop: ONE, sealed: 'x' });
      await sessions.put({ id: 'other', shop: TWO, sealed: 'y' });
      expect(await sessions.get(session.id)).toEqual({ ...session, sealed: 'v1:def' });
      expect(await sessions.get('unknown')).toBeNull();
      expect((await harness.store.shop(ONE).sessions.list()).map(({ id }) => id)).toEqual([session.id, 'online']);
      await sessions.delete(['online', 'unknown']);
      expect(await sessions.get('online')).toBeNull();
      await harness.store.shop(ONE).uninstall();
      expect(await harness.store.shop(ONE).sessions.list()).toEqual([]);
      expect(await sessions.get('other')).not.toBeNull();
    });
  });

  describe('webhooks', () => {
    const event = { eventId: 'e-1', topic: 'THEMES_PUBLISH', shop: ONE };

    it('records a webhook only once, together with its jobs', async () => {
      await installed(harness);
      const { webhooks } = harness.store;
      const taken = await Promise.all(Array.from({ length: 8 }, () => webhooks.take(event, [{ kind: 'scan' }])));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await harness.store.shop(ONE).jobs.list({ limit: 9 })).toHaveLength(1);
      expect(await webhooks.take({ ...event, topic: 'SHOP_UPDATE' })).toBe(true);
      expect(await webhooks.take({ ...event, eventId: 'e-2' })).toBe(true);
      expect(await webhooks.take({ ...event, shop: TWO }, [{ kind: 'scan' }])).toBe(true);
      expect(await harness.store.shop(TWO).jobs.list({ limit: 9 })).toEqual([]);
    });

    it("doesn't record a webhook if one of its jobs can't be enqueued", async () => {
      await installed(harness);
      const broken = { kind: null as unknown as string };
      await expect(harness.store.webhooks.take(event, [{ kind: 'scan' }, broken])).rejects.toThrow();
      expect(await harness.store.shop(ONE).jobs.list({ limit: 9 })).toEqual([]);
      expect(await harness.store.webhooks.take(event, [{ kind: 'scan' }])).toBe(true);
    });

    it('enqueues only `afterUninstall` jobs after an uninstall, and keeps them if the uninstall is reported again', async () => {
      const shop = await installed(harness);
      await shop.uninstall();
      const jobs = [{ kind: 'scan' }, { kind: 'redact', afterUninstall: true }];
      expect(await harness.store.webhooks.take(event, jobs)).toBe(true);
      expect((await shop.jobs.list({ limit: 9 })).map(({ kind }) => kind)).toEqual(['redact']);
      await shop.uninstall();
      expect((await shop.jobs.list({ limit: 9 })).map(({ kind, state }) => [kind, state])).toEqual([
        ...[['redact', 'queued']],
      ]);
    });

    it('remembers a webhook for 30 days, then deletes one expired webhook for each new webhook', async () => {
      const count = async () => Number((await harness.store.sql('select count(*) as n from shop_webhooks'))[0]?.n);
      for (const eventId of ['a', 'b', 'c']) await harness.store.webhooks.take({ ...event, eventId });
      harness.now += 30 * DAY - 1;
      expect(await harness.store.webhooks.take({ ...event, eventId: 'a' })).toBe(false);
      expect(await harness.store.webhooks.take({ ...event, eventId: 'd' })).toBe(true);
      expect(await count()).toBe(4);
      harness.now += 1;
      expect(await harness.store.webhooks.take({ ...event, eventId: 'e' })).toBe(true);
      expect(await count()).toBe(4);
    });
  });
}
