import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, START, type StoreHarness } from '../../../testing/contract/harness.ts';
import type { Shop, ShopStore } from '../../index.ts';
import { installed, newDraftAttachment, newRendering, newScan, newVariant, ONE, observed, TWO } from '../fixtures.ts';

export function registerTenancy(harness: StoreHarness<ShopStore>): void {
  /** Fills every table with rows for a shop, using the same IDs for every shop. */
  async function fill(shop: Shop): Promise<void> {
    const { store } = harness;
    const mark = shop.domain;
    await shop.setProfile({ name: `name of ${mark}`, timeZone: 'UTC', primaryHost: mark, locale: 'en' });
    await shop.setSettings({ mark });
    await store.sessions.put({ id: `offline_${mark}`, shop: mark, sealed: `token of ${mark}` });
    await store.webhooks.take({ eventId: 'e', topic: 'T', shop: mark });
    await shop.jobs.enqueue({ kind: 'scan', payload: { mark } });
    const findings = [observed('f', 'page /', { detail: { mark } }), observed('g', 'page /cart', { detail: { mark } })];
    await shop.scans.record(newScan({ id: 'earlier', findings: [observed('h')], inventory: { mark } }));
    await shop.scans.record(newScan({ id: 'scan', findings, inventory: { mark } }));
    await shop.findings.accept(['g'], { reason: mark, until: null, by: mark });
    const verdicts = new Map([['f', 'refuted' as const]]);
    await shop.renderings.record(newRendering({ id: 'rendering', detail: { mark }, verdicts }));
    await shop.themeFiles.replace('theme', [{ name: 'layout/theme.liquid', checksum: mark }]);
    const variants = [1, 2].map(n => newVariant(n, { productTitle: mark, listVersion: 'v1' }));
    await shop.variants.upsert('run', variants);
    await shop.variants.upsert('run', [{ ...variants[0]!, status: mark, listVersion: 'v2' }]);
    await shop.productCertificates.saveDraft('p', { mark });
    await shop.productCertificates.issued('q', { gccId: `gcc-${mark}`, by: mark });
    await shop.alerts.record([{ key: 'a', kind: 'tariff', detail: { mark } }], { kind: 'alert_email' });
    await shop.alerts.nextMessage(9);
    await shop.flowTriggers.record([{ key: 'a', kind: 'tariff', detail: { mark } }], { kind: 'flow_triggers' });
    await shop.flowTriggers.nextMessage(9);
    await shop.draftAttachments.add(newDraftAttachment('d', `%PDF- ${mark}`), () => {});
  }

  async function readAttachments({ draftAttachments }: Shop): Promise<Record<string, unknown>> {
    const list = await draftAttachments.list('d');
    return {
      'draftAttachments.list': list,
      'draftAttachments.drafts': await draftAttachments.drafts(),
      'draftAttachments.bytes': String(list[0] && (await draftAttachments.bytes(list[0]))),
    };
  }

  /** Calls every read function on a shop and returns the results by function name. */
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
      'findings.list by place': await findings.list({ limit: 9, place: 'page /cart' }),
      'findings.counts': await findings.counts(),
      'renderings.latest': await shop.renderings.latest(),
      'renderings.latestSeen': await shop.renderings.latestSeen(),
      'themeFiles.list': await themeFiles.list('theme'),
      'themeFiles.compare': await themeFiles.compare('theme', []),
      'variants.get': await variants.get(newVariant(1).variantId),
      'variants.list': await variants.list({ limit: 9, text: 'sku' }),
      'variants.counts': await variants.counts(),
      'variants.groups': await variants.groups({ digits: 'full', limit: 9 }),
      'variants.countsByDigits': await variants.countsByDigits(),
      'variants.list by duty': await variants.list({ limit: 9, sort: 'duty' }),
      'variants.neighbors': await variants.neighbors(newVariant(1).variantId, { sort: 'duty' }),
      'variants.list changed': await variants.list({ changedBy: 'v2', limit: 9 }),
      'productCertificates.get': await certificates.get('p'),
      'productCertificates.many': [...(await certificates.many(['p', 'q']))],
      'productCertificates.history': await certificates.history('q'),
      'productCertificates.list': await certificates.list({ state: 'issued', limit: 9 }),
      'productCertificates.missing': await certificates.missing({ limit: 9 }),
      'productCertificates.counts': await certificates.counts(),
      'productCertificates.needs': await certificates.needs({ retestBy: '2999-01-01' }),
      ...(await readAttachments(shop)),
      'alerts.nextMessage': (await shop.alerts.nextMessage(9))?.alerts,
      'flowTriggers.nextMessage': (await shop.flowTriggers.nextMessage(9))?.alerts,
      export: lines,
    };
  }

  /** All write functions, by name. */
  const writes: Record<string, (shop: Shop) => Promise<unknown>> = {
    setProfile: shop => shop.setProfile({ name: 'x' }),
    setScopes: shop => shop.setScopes(['x']),
    setSettings: shop => shop.setSettings({ schedule: 'weekly', mark: 'x' }),
    setNeedsReopening: shop => shop.setNeedsReopening(true),
    'sessions.clear': shop => shop.sessions.clear(),
    'jobs.enqueue': shop => shop.jobs.enqueue({ kind: 'scan', runAt: 0, whileRunning: 'again' }),
    'jobs.cancel': shop => shop.jobs.cancel(),
    'jobs.redrive': async shop => {
      const { job } = await shop.jobs.enqueue({ kind: 'redriven' });
      await (await harness.store.jobs.claim('w', ['redriven'], HOUR))!.fail('x', { retryAt: null });
      return await shop.jobs.redrive(job.id);
    },
    'scans.record': shop => shop.scans.record(newScan({ id: 'new', covered: ['page /', 'page /cart'] })),
    'findings.accept': shop => shop.findings.accept(['f', 'g'], { reason: 'x', until: 1, by: 'x' }),
    'findings.unaccept': shop => shop.findings.unaccept(['f', 'g']),
    'renderings.record': shop =>
      shop.renderings.record(newRendering({ id: 'zzz', verdicts: new Map([['g', 'refuted']]) })),
    'renderings.clear': shop => shop.renderings.clear(),
    'themeFiles.replace': shop => shop.themeFiles.replace('theme', []),
    'variants.upsert': shop => shop.variants.upsert('x', [newVariant(1, { status: 'x', listVersion: 'v2' })]),
    'variants.sweep': shop => shop.variants.sweep('x'),
    'variants.remove': shop => shop.variants.remove({ variantIds: [newVariant(1).variantId] }),
    'productCertificates.saveDraft': shop => shop.productCertificates.saveDraft('p', 'x'),
    'productCertificates.discardDraft': shop => shop.productCertificates.discardDraft('p'),
    'productCertificates.issued': shop => shop.productCertificates.issued('p', { gccId: 'x', by: 'x' }),
    'productCertificates.checked': shop =>
      shop.productCertificates.checked('q', { gccId: `gcc-${shop.domain}`, status: 'x', retestDue: 'x' }),
    'productCertificates.voided': shop =>
      shop.productCertificates.voided('q', { gccId: `gcc-${shop.domain}`, reason: 'x', by: 'x' }),
    'alerts.record': shop => shop.alerts.record([{ key: 'b', kind: 'tariff', detail: null }], { kind: 'alert_email' }),
    'alerts.end': shop => shop.alerts.end('all'),
    'draftAttachments.add': shop => shop.draftAttachments.add(newDraftAttachment('d', '%PDF- x'), () => {}),
    'draftAttachments.remove': async shop => {
      for (const { id } of await shop.draftAttachments.list('d')) await shop.draftAttachments.remove('d', id);
    },
    'draftAttachments.removeAll': shop => shop.draftAttachments.removeAll('d'),
    'flowTriggers.record': shop =>
      shop.flowTriggers.record([{ key: 'b', kind: 'tariff', detail: null }], { kind: 'flow_triggers' }),
    'flowTriggers.end': shop => shop.flowTriggers.end('all'),
    retain: shop => shop.retain({ olderThan: START + 1000 * DAY, keepScans: 0 }),
    uninstall: shop => shop.uninstall(),
    erase: shop => shop.erase(),
  };

  /** Returns the names of all functions in an object. Functions in nested objects have names such as `a.b`. */
  const functionsOf = (shop: Shop) =>
    Object.entries(shop).flatMap(([name, value]) =>
      typeof value === 'function'
        ? [name]
        : typeof value === 'object'
          ? Object.keys(value).map(each => `${name}.${each}`)
          : [],
    );

  describe('tenancy', () => {
    it('covers every shop function in the tenancy tests', async () => {
      const shop = await installed(harness);
      const tried = new Set(
        [...Object.keys(await readAll(shop)), ...Object.keys(writes)].map(name => name.split(' ')[0]),
      );
      expect([...tried].sort()).toEqual(functionsOf(shop).sort());
    });

    it('returns only the requested shop’s data', async () => {
      const [one, two] = [await installed(harness), await installed(harness, TWO)];
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

    it('keeps data separate for two shops that use the same IDs', async () => {
      const [one, two] = [await installed(harness), await installed(harness, TWO)];
      await one.scans.record(newScan({ findings: [observed('f', 'page /one')] }));
      const { changes } = await two.scans.record(newScan({ findings: [observed('f', 'page /two')] }));
      expect(changes.new).toEqual(['f']);
      expect((await one.findings.list({ place: 'page /two', limit: 9 })).rows).toEqual([]);
      expect((await one.findings.counts()).byPlace).toEqual([{ place: 'page /one', count: 1 }]);

      for (const shop of [one, two]) {
        await shop.scans.record(
          newScan({ findings: [observed('g', 'page /'), observed('g', 'page /cart')], covered: [] }),
        );
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

    it.each(Object.keys(writes))('prevents %s from changing data in another shop', async name => {
      const [one, two] = [await installed(harness), await installed(harness, TWO)];
      await fill(one);
      await fill(two);
      const [mine, others] = [await readAll(one), await readAll(two)];
      harness.now += MINUTE;
      await writes[name]?.(one);
      expect(await readAll(two)).toEqual(others);
      expect(await readAll(one)).not.toEqual(mine);
    });
  });

  describe('erasing a shop', () => {
    /** Returns the number of a shop's rows in each database table that has a `shop` column. */
    async function rowsOf(domain: string): Promise<Record<string, number>> {
      const { store } = harness;
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

    it('deletes all rows of the erased shop, and no rows of other shops', async () => {
      const [one, two] = [await installed(harness), await installed(harness, TWO)];
      await fill(one);
      await fill(two);
      const [before, others] = [await rowsOf(ONE), await readAll(two)];
      expect(Object.keys(before).length).toBeGreaterThanOrEqual(13);
      expect(Object.values(before).every(count => count > 0)).toBe(true);
      expect(await rowsOf(TWO)).toEqual(before);
      await one.erase();
      await one.erase();
      expect(Object.values(await rowsOf(ONE))).toEqual(Object.values(before).map(() => 0));
      expect(await rowsOf(TWO)).toEqual(before);
      expect(await readAll(two)).toEqual(others);
    });

    it('rejects writes until the erased shop reinstalls the app, and then assigns the shop a new key family', async () => {
      const shop = await installed(harness);
      const family = (await shop.record())?.family;
      await fill(shop);
      await shop.erase();
      await expect(shop.scans.record(newScan())).rejects.toMatchObject({ code: 'shop_unknown' });
      await expect(shop.variants.upsert('r', [newVariant(1)])).rejects.toMatchObject({ code: 'shop_unknown' });
      await installed(harness);
      expect((await shop.record())?.family).not.toBe(family);
      expect(await shop.scans.latest()).toBeNull();
    });

    it('keeps issued certificates, as required by law, without a link to the erased shop', async () => {
      const shop = await installed(harness);
      const family = (await shop.record())!.family;
      const pdf = Buffer.from('%PDF-1.7');
      const { id } = await harness.store.certificates.issue({ family, record: '{}', pdf, actor: family });
      await shop.productCertificates.issued('p', { gccId: id, by: 'Anna' });
      await shop.erase();
      expect(await harness.store.certificates.get(id)).toMatchObject({ id, status: 'draft' });
      expect(Buffer.from(await harness.store.certificates.pdf(id))).toEqual(pdf);
      expect(JSON.stringify(await harness.store.audit.list({ limit: 99 }))).not.toContain(ONE);
    });
  });

  describe('a shop export', () => {
    it('exports every table as JSON Lines, without tokens', async () => {
      const shop = await installed(harness);
      await fill(shop);
      await harness.store.jobs.claim('w', ['scan'], MINUTE);
      const many = Array.from({ length: 450 }, (_, i) => newVariant(`x${i}`));
      await shop.variants.upsert('run', many);
      const lines: string[] = [];
      for await (const line of shop.export()) lines.push(line);
      expect(lines.every(line => line.endsWith('}\n'))).toBe(true);
      expect(lines.join('')).not.toContain('token of');
      const rows = lines.map(line => JSON.parse(line) as { table: string; row: Record<string, unknown> });
      const tables = await harness.store.sql(
        "select count(*) as n from shop_variants where shop = 'one.myshopify.com'",
      );
      expect(rows.filter(({ table }) => table === 'shop_variants')).toHaveLength(Number(tables[0]?.n));
      expect(new Set(rows.map(({ table }) => table)).size).toBeGreaterThanOrEqual(12);
      expect(rows.find(({ table }) => table === 'shop_scans')?.row).toMatchObject({
        inventory: { mark: ONE },
        score: 90,
      });
      expect(rows.find(({ table }) => table === 'shop_renderings')?.row).toMatchObject({ detail: { mark: ONE } });
      expect(rows.find(({ table, row }) => table === 'shop_findings' && row.fingerprint === 'f')?.row).toMatchObject({
        verdict: 'refuted',
      });
      expect(rows.find(({ table }) => table === 'shop_sessions')?.row).toEqual({ id: `offline_${ONE}`, shop: ONE });
      expect(rows.find(({ table }) => table === 'shop_jobs')?.row).not.toHaveProperty('lease');
    });
  });
}
