import { describe, expect, it } from 'vitest';
import type { Shop } from '../../../index.ts';
import { DAY, MINUTE, START, type World } from '../world.ts';
import { installed, newScan, newVariant, ONE, seen, TWO } from './given.ts';

export function registerTenancy(world: World): void {
  /** Gives a shop something of everything, under ids that another shop has too. */
  async function fill(shop: Shop): Promise<void> {
    const { store } = world;
    const mark = shop.domain;
    await shop.setProfile({ name: `name of ${mark}`, timeZone: 'UTC', primaryHost: mark, locale: 'en' });
    await shop.setSettings({ mark });
    await store.sessions.put({ id: `offline_${mark}`, shop: mark, sealed: `token of ${mark}` });
    await store.webhooks.take({ eventId: 'e', topic: 'T', shop: mark });
    await shop.jobs.enqueue({ kind: 'scan', payload: { mark } });
    const findings = [seen('f', 'page /', { detail: { mark } }), seen('g', 'page /cart', { detail: { mark } })];
    await shop.scans.record(newScan({ id: 'earlier', findings: [seen('h')], inventory: { mark } }));
    await shop.scans.record(newScan({ id: 'scan', findings, inventory: { mark } }));
    await shop.findings.accept(['g'], { reason: mark, until: null, by: mark });
    await shop.themeFiles.replace('theme', [{ name: 'layout/theme.liquid', checksum: mark }]);
    const variants = [1, 2].map(n => newVariant(n, { productTitle: mark, listVersion: 'v1' }));
    await shop.variants.upsert('run', variants);
    await shop.variants.upsert('run', [{ ...variants[0]!, status: mark, listVersion: 'v2' }]);
    await shop.productCertificates.saveDraft('p', { mark });
    await shop.productCertificates.issued('q', { gccId: `gcc-${mark}`, by: mark });
  }

  /** All that each function that reads gives, by its name. */
  async function readAll(shop: Shop): Promise<Record<string, unknown>> {
    const { jobs, scans, findings, themeFiles, variants, productCertificates: certificates } = shop;
    const live = await jobs.latest('scan');
    const lines: string[] = [];
    for await (const line of shop.export()) lines.push(line);
    return {
      record: await shop.record(),
      'sessions.list': await shop.sessions.list(),
      'jobs.get': await jobs.get(live?.id ?? ''),
      'jobs.latest': live,
      'jobs.list': await jobs.list({ limit: 9 }),
      'scans.get': await scans.get('scan'),
      'scans.list': await scans.list({ limit: 9 }),
      'scans.latest': await scans.latest(),
      'scans.latestComplete': await scans.latestComplete(),
      'scans.latestComplete before': await scans.latestComplete({ before: 'later' }),
      'scans.trend': await scans.trend(9),
      'findings.get': await findings.get('f'),
      'findings.list': await findings.list({ limit: 9 }),
      'findings.list of a place': await findings.list({ limit: 9, place: 'page /cart' }),
      'findings.counts': await findings.counts(),
      'themeFiles.list': await themeFiles.list('theme'),
      'themeFiles.compare': await themeFiles.compare('theme', []),
      'variants.get': await variants.get(newVariant(1).variantId),
      'variants.list': await variants.list({ limit: 9, text: 'sku' }),
      'variants.counts': await variants.counts(),
      'variants.changedBy': await variants.changedBy('v2', { limit: 9 }),
      'productCertificates.get': await certificates.get('p'),
      'productCertificates.many': [...(await certificates.many(['p', 'q']))],
      'productCertificates.history': await certificates.history('q'),
      'productCertificates.list': await certificates.list({ state: 'issued', limit: 9 }),
      'productCertificates.missing': await certificates.missing({ limit: 9 }),
      'productCertificates.counts': await certificates.counts(),
      export: lines,
    };
  }

  /** The functions that write, by their names. */
  const writes: Record<string, (shop: Shop) => Promise<unknown>> = {
    setProfile: shop => shop.setProfile({ name: 'x' }),
    setScopes: shop => shop.setScopes(['x']),
    setSettings: shop => shop.setSettings({ schedule: 'weekly', mark: 'x' }),
    setNeedsReopening: shop => shop.setNeedsReopening(true),
    'sessions.clear': shop => shop.sessions.clear(),
    'jobs.enqueue': shop => shop.jobs.enqueue({ kind: 'scan', runAt: 0, whileRunning: 'again' }),
    'jobs.cancel': shop => shop.jobs.cancel(),
    'scans.record': shop => shop.scans.record(newScan({ id: 'new', covered: ['page /', 'page /cart'] })),
    'findings.accept': shop => shop.findings.accept(['f', 'g'], { reason: 'x', until: 1, by: 'x' }),
    'findings.unaccept': shop => shop.findings.unaccept(['f', 'g']),
    'themeFiles.replace': shop => shop.themeFiles.replace('theme', []),
    'variants.upsert': shop => shop.variants.upsert('x', [newVariant(1, { status: 'x', listVersion: 'v2' })]),
    'variants.sweep': shop => shop.variants.sweep('x'),
    'variants.remove': shop => shop.variants.remove({ variantIds: [newVariant(1).variantId] }),
    'productCertificates.saveDraft': shop => shop.productCertificates.saveDraft('p', 'x'),
    'productCertificates.discardDraft': shop => shop.productCertificates.discardDraft('p'),
    'productCertificates.issued': shop => shop.productCertificates.issued('p', { gccId: 'x', by: 'x' }),
    'productCertificates.voided': shop =>
      shop.productCertificates.voided('q', { gccId: `gcc-${shop.domain}`, reason: 'x', by: 'x' }),
    retain: shop => shop.retain({ olderThan: START + 1000 * DAY, keepScans: 0 }),
    uninstall: shop => shop.uninstall(),
    erase: shop => shop.erase(),
  };

  /** `a.b` for each function of an object and of the objects in it. */
  const functionsOf = (shop: Shop) =>
    Object.entries(shop).flatMap(([name, value]) =>
      typeof value === 'function'
        ? [name]
        : typeof value === 'object'
          ? Object.keys(value).map(each => `${name}.${each}`)
          : [],
    );

  describe('tenancy', () => {
    it('is tried with every function that a shop has', async () => {
      const shop = await installed(world);
      const tried = new Set(
        [...Object.keys(await readAll(shop)), ...Object.keys(writes)].map(name => name.split(' ')[0]),
      );
      expect([...tried].sort()).toEqual(functionsOf(shop).sort());
    });

    it('gives a shop its own and nothing of another', async () => {
      const [one, two] = [await installed(world), await installed(world, TWO)];
      const nothing = await readAll(two);
      await fill(one);
      expect(await readAll(two)).toEqual(nothing);
      await fill(two);
      for (const [shop, other] of [
        [one, TWO],
        [two, ONE],
      ] as const) {
        for (const [name, given] of Object.entries(await readAll(shop))) {
          expect(JSON.stringify(given), name).not.toContain(other);
        }
      }
    });

    it('takes nothing that is known of one shop for known of another', async () => {
      const [one, two] = [await installed(world), await installed(world, TWO)];
      await one.scans.record(newScan({ findings: [seen('f', 'page /one')] }));
      const { changes } = await two.scans.record(newScan({ findings: [seen('f', 'page /two')] }));
      expect(changes.new).toEqual(['f']);
      expect((await one.findings.list({ place: 'page /two', limit: 9 })).rows).toEqual([]);
      expect((await one.findings.counts()).byPlace).toEqual([{ place: 'page /one', count: 1 }]);

      for (const shop of [one, two]) {
        await shop.scans.record(newScan({ findings: [seen('g', 'page /'), seen('g', 'page /cart')], covered: [] }));
      }
      await one.scans.record(newScan({ covered: ['page /cart'] }));
      expect((await one.findings.get('g'))?.places).toEqual(['page /']);
      expect((await two.findings.get('g'))?.places).toEqual(['page /', 'page /cart']);

      const variant = newVariant(1);
      await one.variants.upsert('run', [variant]);
      await two.variants.upsert('run', [{ ...variant, status: 'clear' }]);
      expect((await two.variants.get(variant.variantId))?.changes).toEqual([]);
      await one.productCertificates.issued(variant.productId, { gccId: 'gcc', by: 'Anna' });
      expect((await two.productCertificates.missing({ limit: 9 })).rows).toHaveLength(1);
      expect(await two.productCertificates.counts()).toMatchObject({ none: 1, issued: 0 });

      const rule = { olderThan: START + DAY, keepScans: 1 };
      expect(await one.retain(rule)).toMatchObject({ scans: 2 });
      expect(await one.scans.latestComplete()).not.toBeNull();
      const fixing = await one.scans.record(newScan({ covered: ['page /one'] }));
      expect(fixing.changes.fixed).toEqual(['f']);
      await one.jobs.enqueue({ kind: 'scan' });
      await one.jobs.cancel();
      expect(await two.retain(rule)).toEqual({ scans: 1, findings: 0, jobs: 0 });
      expect((await two.findings.get('f'))?.places).toEqual(['page /two']);
      expect((await one.jobs.latest('scan'))?.state).toBe('cancelled');
    });

    it.each(Object.keys(writes))('lets %s change nothing of another shop', async name => {
      const [one, two] = [await installed(world), await installed(world, TWO)];
      await fill(one);
      await fill(two);
      const [mine, others] = [await readAll(one), await readAll(two)];
      world.now += MINUTE;
      await writes[name]?.(one);
      expect(await readAll(two)).toEqual(others);
      expect(await readAll(one)).not.toEqual(mine);
    });
  });

  describe('erasing', () => {
    /** Every table that has a column `shop`, as the database itself says, and how many rows a shop has there. */
    async function rowsOf(domain: string): Promise<Record<string, number>> {
      const { store } = world;
      const tables = await store
        .sql(
          "select table_name as name from information_schema.columns where column_name = 'shop' and table_schema = 'public'",
        )
        .catch(() =>
          store.sql(
            "select t.name from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table' and c.name = 'shop'",
          ),
        );
      const counts = tables.map(async ({ name }) => {
        const [row] = await store.sql(`select count(*) as n from ${name} where shop = '${domain}'`);
        return [String(name), Number(row?.n)] as const;
      });
      return Object.fromEntries(await Promise.all(counts));
    }

    it('leaves no row of the shop in any table, and every row of others', async () => {
      const [one, two] = [await installed(world), await installed(world, TWO)];
      await fill(one);
      await fill(two);
      const [before, others] = [await rowsOf(ONE), await readAll(two)];
      expect(Object.keys(before).length).toBeGreaterThanOrEqual(11);
      expect(Object.values(before).every(count => count > 0)).toBe(true);
      expect(await rowsOf(TWO)).toEqual(before);
      await one.erase();
      await one.erase();
      expect(Object.values(await rowsOf(ONE))).toEqual(Object.values(before).map(() => 0));
      expect(await rowsOf(TWO)).toEqual(before);
      expect(await readAll(two)).toEqual(others);
    });

    it('leaves a shop that nothing can be written to until it is installed again, with another family', async () => {
      const shop = await installed(world);
      const family = (await shop.record())?.family;
      await fill(shop);
      await shop.erase();
      await expect(shop.scans.record(newScan())).rejects.toMatchObject({ code: 'shop_unknown' });
      await expect(shop.variants.upsert('r', [newVariant(1)])).rejects.toMatchObject({ code: 'shop_unknown' });
      await installed(world);
      expect((await shop.record())?.family).not.toBe(family);
      expect(await shop.scans.latest()).toBeNull();
    });

    it('keeps a certificate that was issued, as the law asks, and nothing that says whose it was', async () => {
      const shop = await installed(world);
      const family = (await shop.record())!.family;
      const pdf = Buffer.from('%PDF-1.7');
      const { id } = await world.store.certificates.issue({ family, record: '{}', pdf, actor: family });
      await shop.productCertificates.issued('p', { gccId: id, by: 'Anna' });
      await shop.erase();
      expect(await world.store.certificates.get(id)).toMatchObject({ id, status: 'valid' });
      expect(Buffer.from(await world.store.certificates.pdf(id))).toEqual(pdf);
      expect(JSON.stringify(await world.store.audit.list({ limit: 99 }))).not.toContain(ONE);
    });
  });

  describe('an export', () => {
    it('holds every table as lines of JSON, and no token', async () => {
      const shop = await installed(world);
      await fill(shop);
      await world.store.jobs.claim('w', ['scan'], MINUTE);
      const many = Array.from({ length: 450 }, (_, i) => newVariant(`x${i}`));
      await shop.variants.upsert('run', many);
      const lines: string[] = [];
      for await (const line of shop.export()) lines.push(line);
      expect(lines.every(line => line.endsWith('}\n'))).toBe(true);
      expect(lines.join('')).not.toContain('token of');
      const rows = lines.map(line => JSON.parse(line) as { table: string; row: Record<string, unknown> });
      const tables = await world.store.sql("select count(*) as n from shop_variants where shop = 'one.myshopify.com'");
      expect(rows.filter(({ table }) => table === 'shop_variants')).toHaveLength(Number(tables[0]?.n));
      expect(new Set(rows.map(({ table }) => table)).size).toBeGreaterThanOrEqual(11);
      expect(rows.find(({ table }) => table === 'shop_scans')?.row).toMatchObject({
        inventory: { mark: ONE },
        score: 90,
      });
      expect(rows.find(({ table }) => table === 'shop_sessions')?.row).toEqual({ id: `offline_${ONE}`, shop: ONE });
      expect(rows.find(({ table }) => table === 'shop_jobs')?.row).not.toHaveProperty('lease');
    });
  });
}
