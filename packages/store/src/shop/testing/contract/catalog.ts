import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR, START, type StoreHarness } from '../../../testing/contract/harness.ts';
import type { Page, PageQuery, ShopStore, Variant } from '../../index.ts';
import { installed, newVariant } from '../fixtures.ts';

export function registerCatalog(harness: StoreHarness<ShopStore>): void {
  const idOf = (n: number | string) => newVariant(n).variantId;
  const names = ({ rows }: Page<Variant>) => rows.map(({ sku }) => sku);

  describe('variants', () => {
    it('stores variants and records changes to them', async () => {
      const shop = await installed(harness);
      const first = newVariant(1);
      await shop.variants.upsert('run-1', [first]);
      expect(await shop.variants.get(idOf(1))).toEqual({ ...first, checkedAt: START, changedAt: null, changes: [] });

      harness.now += HOUR;
      await shop.variants.upsert('run-2', [{ ...first, productTitle: 'Renamed' }]);
      expect(await shop.variants.get(idOf(1))).toMatchObject({
        ...{ productTitle: 'Renamed', checkedAt: START + HOUR, changedAt: null },
      });

      harness.now += HOUR;
      const second = newVariant(1, { htsCode: null, origin: null, status: 'missing', answer: null, digits: 'missing' });
      await shop.variants.upsert('run-3', [second]);
      const changes = [
        { field: 'htsCode', from: '7318.15.2010', to: null },
        { field: 'origin', from: 'CN', to: null },
        { field: 'status', from: 'hit', to: 'missing' },
        { field: 'answer', from: null, to: null },
      ];
      const changed = { ...second, checkedAt: START + 2 * HOUR, changedAt: START + 2 * HOUR, changes };
      expect(await shop.variants.get(idOf(1))).toEqual(changed);
      harness.now += HOUR;
      await shop.variants.upsert('run-4', [second]);
      expect(await shop.variants.get(idOf(1))).toEqual({ ...changed, checkedAt: START + 3 * HOUR });
    });

    it('doesn’t rewrite an unchanged variant when a catalog run checks it again', async () => {
      const shop = await installed(harness);
      await shop.variants.upsert('run-1', [newVariant(1), newVariant(2)]);
      harness.now += HOUR;
      await shop.variants.upsert('run-2', [newVariant(1), newVariant(2, { price: '25.00' })]);
      expect(await harness.store.sql('select sku, run from shop_variants order by sku')).toEqual([
        { sku: 'SKU-1', run: 'run-1' },
        { sku: 'SKU-2', run: 'run-2' },
      ]);
      for (const n of [1, 2])
        expect(await shop.variants.get(idOf(n))).toMatchObject({ checkedAt: START + HOUR, changedAt: null });
      expect(await shop.variants.sweep('run-2')).toBe(0);
    });

    it('counts the catalog again after each change, even a change by another process', async () => {
      const shop = await installed(harness);
      const total = async () => [(await shop.variants.counts()).total, await shop.variants.countsByDigits()];
      const missing = async () => (await shop.productCertificates.counts()).none;
      expect([await total(), await missing()]).toEqual([[0, {}], 0]);
      await shop.variants.upsert('run-1', [newVariant(1), newVariant(2)]);
      expect([await total(), await missing()]).toEqual([[2, { full: 2 }], 2]);
      await shop.variants.upsert('run-2', [newVariant(1, { digits: 'short' })]);
      expect([await total(), await missing()]).toEqual([[2, { full: 1, short: 1 }], 2]);
      await shop.productCertificates.saveDraft(newVariant(1).productId, { id: 'd' });
      expect([await total(), await missing()]).toEqual([[2, { full: 1, short: 1 }], 1]);
      await shop.variants.sweep('run-2');
      expect([await total(), await missing()]).toEqual([[1, { short: 1 }], 0]);
      await shop.variants.remove({ variantIds: [idOf(1)] });
      expect([await total(), await missing()]).toEqual([[0, {}], 0]);
      await harness.store.sql("update shops set catalog_version = 'changed'");
      await shop.variants.counts();
      await shop.variants.upsert('run-3', [newVariant(3)]);
      expect(await total()).toEqual([1, { full: 1 }]);
    });

    it('counts the catalog again after a minute, because an earlier release doesn’t update the catalog version', async () => {
      const shop = await installed(harness);
      await shop.variants.upsert('run-1', [newVariant(1)]);
      expect((await shop.variants.counts()).total).toBe(1);
      await harness.store.sql('delete from shop_variants');
      expect((await shop.variants.counts()).total).toBe(1);
      harness.now += 60_000;
      expect((await shop.variants.counts()).total).toBe(0);
    });

    it('deletes a variant that an earlier release stored and that a catalog run didn’t check', async () => {
      const shop = await installed(harness);
      await shop.variants.upsert('run-1', [newVariant(1), newVariant(2)]);
      await harness.store.sql('delete from shop_variant_checks');
      expect(await shop.variants.get(idOf(2))).toMatchObject({ checkedAt: START });
      await shop.variants.upsert('run-2', [newVariant(1)]);
      expect(await shop.variants.sweep('run-2')).toBe(1);
      expect(names(await shop.variants.list({ limit: 9 }))).toEqual(['SKU-1']);
    });

    it('stores a summary of the lookup result before and after a change', async () => {
      const shop = await installed(harness);
      const summarize = (answer: unknown) => (answer as { rate: string | null }).rate;
      for (const rate of [null, '25%', '50%'])
        await shop.variants.upsert('run', [newVariant(1, { answer: { rate } })], { summarize });
      expect((await shop.variants.get(idOf(1)))?.changes).toEqual([{ field: 'answer', from: '25%', to: '50%' }]);
    });

    const withDuties = [500, 900, 900, 0, null, 1, 0, null].map((max, n) =>
      newVariant(n, { duty: max === null ? null : { min: 0, max }, status: n % 2 ? 'hit' : 'clear' }),
    );

    it('lists each variant once by its highest possible duty, with unknown duties before zero duties', async () => {
      const shop = await installed(harness);
      await shop.variants.upsert('run', withDuties);
      const numbers = (all: readonly number[]) => all.map(n => `SKU-${n}`);
      const inOrder = [1, 2, 0, 5, 4, 7, 3, 6];
      for (const [status, wanted] of [
        [undefined, inOrder],
        ['hit', inOrder.filter(n => n % 2)],
      ] as const)
        for (const limit of [1, 2, 3, 8]) {
          const seen: unknown[] = [];
          let cursor: string | null = null;
          do {
            const page: Page<Variant> = await shop.variants.list({ sort: 'duty', status, limit, cursor });
            seen.push(...names(page));
            cursor = page.next;
          } while (cursor);
          expect(seen).toEqual(numbers(wanted));
        }
    });

    it('lists the variants of each product together, and sorts products by the highest possible duty', async () => {
      const shop = await installed(harness);
      const of = (n: number, product: string, max: number | null) =>
        newVariant(n, { productId: product, duty: max === null ? null : { min: 0, max } });
      await shop.variants.upsert('one', [of(1, 'a', 5), of(2, 'b', 0), of(3, 'c', null), of(4, 'd', 0)]);
      await shop.variants.upsert('one', [of(5, 'b', 9), of(6, 'a', null), of(7, 'c', 0), of(8, 'a', 7)]);
      const numbers = async () => names(await shop.variants.list({ sort: 'duty', limit: 9 })).join(' ');
      expect(await numbers()).toBe('SKU-2 SKU-5 SKU-1 SKU-6 SKU-8 SKU-3 SKU-7 SKU-4');
      await shop.variants.upsert('two', [of(5, 'b', 0)]);
      expect(await numbers()).toBe('SKU-1 SKU-6 SKU-8 SKU-3 SKU-7 SKU-2 SKU-5 SKU-4');
      await shop.variants.remove({ variantIds: [idOf(8), idOf(1), idOf(3)] });
      expect(await numbers()).toBe('SKU-6 SKU-2 SKU-5 SKU-7 SKU-4');
      await shop.variants.upsert('three', [of(6, 'a', 0), of(7, 'c', 1), of(9, 'c', 8)]);
      await shop.variants.upsert('four', [of(2, 'b', 3), of(5, 'b', 4), of(7, 'c', 1)]);
      expect(await numbers()).toBe('SKU-7 SKU-9 SKU-2 SKU-5 SKU-6 SKU-4');
      expect(await shop.variants.sweep('four')).toBe(3);
      expect(await numbers()).toBe('SKU-2 SKU-5 SKU-7');
    });

    it('pages through any catalog without repeating or omitting a variant, and lists each product’s variants together', async () => {
      const duty = fc.option(fc.integer({ min: 0, max: 3 }));
      const catalog = fc.array(fc.record({ product: fc.integer({ min: 1, max: 4 }), duty }), {
        minLength: 1,
        maxLength: 12,
      });
      await fc.assert(
        fc.asyncProperty(catalog, fc.integer({ min: 1, max: 5 }), async (items, limit) => {
          const shop = await installed(harness);
          await shop.variants.sweep('previous catalog');
          const variants = items.map(({ product, duty }, n) =>
            newVariant(n, { productId: `p${product}`, duty: duty === null ? null : { min: 0, max: duty } }),
          );
          const middle = Math.ceil(variants.length / 2);
          for (const part of [variants.slice(middle), variants.slice(0, middle)])
            await shop.variants.upsert('run', part);
          const seen: Variant[] = [];
          let cursor: string | null = null;
          do {
            const page: Page<Variant> = await shop.variants.list({ sort: 'duty', limit, cursor });
            seen.push(...page.rows);
            cursor = page.next;
          } while (cursor);
          expect(seen.map(({ variantId }) => variantId).sort()).toEqual(
            variants.map(({ variantId }) => variantId).sort(),
          );
          const products = seen.map(({ productId }) => productId);
          const places = products.filter((product, at) => product !== products[at - 1]);
          expect(places).toHaveLength(new Set(products).size);
          const rank = (each: readonly Variant[]) =>
            Math.min(...each.map(variant => (variant.duty ? -2 * variant.duty.max : -1)));
          const ranks = places.map(product => rank(seen.filter(({ productId }) => productId === product)));
          expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
          for (const [at, { variantId }] of seen.entries())
            expect(await shop.variants.neighbors(variantId, { sort: 'duty' })).toEqual({
              previous: seen[at - 1]?.variantId ?? null,
              next: seen[at + 1]?.variantId ?? null,
            });
        }),
        { numRuns: 20 },
      );
    });

    it.each(['duty', 'title'] as const)('finds a variant’s neighbors in a list sorted by %s', async sort => {
      const shop = await installed(harness);
      await shop.variants.upsert('run', withDuties);
      for (const status of [undefined, 'hit']) {
        const { rows } = await shop.variants.list({ sort, status, limit: 9 });
        const ids = rows.map(({ variantId }) => variantId);
        for (const [index, id] of ids.entries())
          expect(await shop.variants.neighbors(id, { sort, status })).toEqual({
            previous: ids[index - 1] ?? null,
            next: ids[index + 1] ?? null,
          });
      }
      expect(await shop.variants.neighbors(idOf('unknown'), { sort })).toEqual({ previous: null, next: null });
    });

    it('groups variants by their code, and variants without a code by product, largest group first', async () => {
      const shop = await installed(harness);
      const short = (n: number, htsCode: string) => newVariant(n, { htsCode, digits: 'short' });
      const bare = (n: number, productId: string) => newVariant(n, { productId, htsCode: null, digits: 'missing' });
      await shop.variants.upsert('run', [short(1, '7318'), short(2, '7616'), short(3, '7616'), newVariant(4)]);
      await shop.variants.upsert('run', [bare(5, 'p'), bare(6, 'q'), bare(7, 'q')]);
      const all: unknown[] = [];
      for (const digits of ['short', 'missing']) {
        let cursor: string | null = null;
        do {
          const page = await shop.variants.groups({ digits, limit: 1, cursor });
          all.push(...page.rows.map(({ variantId, ...row }) => Object.values(row)));
          cursor = page.next;
        } while (cursor);
      }
      expect(all).toEqual([
        ['7616', null, 2, 2],
        ['7318', null, 1, 1],
        [null, 'q', 2, 1],
        [null, 'p', 1, 1],
      ]);
      expect(await shop.variants.countsByDigits()).toEqual({ full: 1, missing: 3, short: 3 });
      const { rows } = await shop.variants.list({ digits: 'short', htsCode: '7616', limit: 9 });
      expect(rows.map(({ sku }) => sku)).toEqual(['SKU-2', 'SKU-3']);
    });

    it('distinguishes changes caused by a new data set version from manual changes', async () => {
      const shop = await installed(harness);
      await shop.variants.upsert('r', [newVariant(1), newVariant(2), newVariant(3), newVariant(4)]);
      const other = { answer: { hit: false }, status: 'clear' };
      await shop.variants.upsert('r', [
        newVariant(1, { listVersion: 'v2', ...other }),
        newVariant(2, { listVersion: 'v2', ...other, htsCode: '0101.21.0010' }),
        newVariant(3, { listVersion: 'v2' }),
        newVariant(4, { listVersion: 'v2', answer: { hit: true, rate: 50 } }),
      ]);
      expect(names(await shop.variants.list({ changedBy: 'v2', limit: 9 }))).toEqual(['SKU-1', 'SKU-4']);
      await shop.variants.upsert('r', [newVariant(1, { listVersion: 'v3', ...other })]);
      expect(names(await shop.variants.list({ changedBy: 'v2', limit: 1 }))).toEqual(['SKU-1']);
      const { next } = await shop.variants.list({ changedBy: 'v2', limit: 1 });
      expect(names(await shop.variants.list({ changedBy: 'v2', limit: 1, cursor: next }))).toEqual(['SKU-4']);
      expect(names(await shop.variants.list({ changedBy: 'v3', limit: 9 }))).toEqual([]);
      await shop.variants.upsert('r', [newVariant(1, { listVersion: 'v3', ...other, origin: 'MX' })]);
      expect(names(await shop.variants.list({ changedBy: 'v2', limit: 9 }))).toEqual(['SKU-4']);
    });

    it('stores, counts, and pages through many variants, and deletes variants that weren’t part of a full catalog run', async () => {
      const shop = await installed(harness);
      const all = Array.from({ length: 2345 }, (_, i) =>
        newVariant(i, {
          productId: `p${i % 1000}`,
          productTitle: `T${i % 10}`,
          status: ['hit', 'clear', 'missing'][i % 3]!,
          duty: i === 0 ? null : { min: 1, max: 2 },
          digits: i % 3 === 2 ? 'missing' : 'full',
        }),
      );
      await shop.variants.upsert('run-1', all);
      expect(await shop.variants.counts()).toEqual({
        ...{ total: 2345, products: 1000, byStatus: { hit: 782, clear: 782, missing: 781 } },
        ...{ byDigits: { full: 1564, missing: 781 }, byListVersion: { v1: 2345 } },
        dutyByStatus: {
          hit: { min: 781, max: 1562, unknown: 1 },
          clear: { min: 782, max: 1564, unknown: 0 },
          missing: { min: 781, max: 1562, unknown: 0 },
        },
      });
      const read: (string | null)[] = [];
      for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
        const query: PageQuery = { limit: 300, cursor };
        const page = await shop.variants.list({ ...query, status: 'clear' });
        read.push(...names(page));
        cursor = page.next;
      }
      expect(read).toHaveLength(782);
      expect(new Set(read).size).toBe(782);

      await shop.variants.upsert('run-2', [...all.slice(0, 100), ...all.slice(0, 100)]);
      expect(await shop.variants.sweep('run-2')).toBe(2245);
      expect((await shop.variants.counts()).total).toBe(100);
      expect(await shop.variants.remove({ productId: 'p7' })).toBe(1);
      expect(await shop.variants.remove({ variantIds: [idOf(8), idOf(9), idOf(5000)] })).toBe(2);
      expect((await shop.variants.counts()).total).toBe(97);
      expect(await shop.variants.remove({ variantIds: [] })).toBe(0);
    });

    it('finds variants by title, SKU, and HTS code, and matches wildcard characters literally', async () => {
      const shop = await installed(harness);
      await shop.variants.upsert('r', [
        newVariant('a', { productTitle: 'Écrou À Vis', variantTitle: 'M8', htsCode: '7318.16.0085' }),
        newVariant('b', { productTitle: 'b 100% steel', sku: 'x_y', htsCode: '731816' }),
        newVariant('c', { productTitle: 'c <b>', sku: null, htsCode: null, status: 'missing' }),
        newVariant('d', { productTitle: 'd back\\slash\0', htsCode: 'chapter 73' }),
      ]);
      const found = async (text: string) =>
        (await shop.variants.list({ text, limit: 9 })).rows.map(({ productTitle }) => productTitle.slice(0, 1));
      expect(await found('écrou à')).toEqual(['É']);
      expect(await found('m8')).toEqual(['É']);
      expect(await found('SKU-A')).toEqual(['É']);
      expect(await found('7318.16')).toEqual(['b', 'É']);
      expect(await found('7318 16')).toEqual(['b', 'É']);
      expect(await found('73181600')).toEqual(['É']);
      expect(await found('100%')).toEqual(['b']);
      expect(await found('_')).toEqual(['b']);
      expect(await found('x_y')).toEqual(['b']);
      expect(await found('%')).toEqual(['b']);
      expect(await found('\\')).toEqual(['d']);
      expect(await found('<B>')).toEqual(['c']);
      expect(await found("' or 1=1 --")).toEqual([]);
      expect(await found('  ')).toEqual(['b', 'c', 'd', 'É']);
      expect(names(await shop.variants.list({ text: 'c', status: 'missing', limit: 9 }))).toEqual([null]);
      expect(names(await shop.variants.list({ productId: newVariant('b').productId, limit: 9 }))).toEqual(['x_y']);
      expect(names(await shop.variants.list({ digits: 'full', status: 'hit', limit: 1 }))).toEqual(['x_y']);
    });
  });

  describe('theme files', () => {
    it('reports how the theme files have changed since the last time that files were stored', async () => {
      const { themeFiles } = await installed(harness);
      const before = Array.from({ length: 123 }, (_, i) => ({ name: `snippets/${i}.liquid`, checksum: `${i}` }));
      const added = before.map(({ name }) => name).sort();
      expect(await themeFiles.compare('t1', before)).toEqual({ added, changed: [], removed: [] });
      expect(await themeFiles.list('t1')).toEqual([]);
      await themeFiles.replace('t1', before);
      const after = [...before.slice(2), { name: 'layout/theme.liquid', checksum: 'x' }];
      after[0] = { name: 'snippets/2.liquid', checksum: 'y' };
      const changes = {
        added: ['layout/theme.liquid'],
        changed: ['snippets/2.liquid'],
        removed: ['snippets/0.liquid', 'snippets/1.liquid'],
      };
      expect(await themeFiles.compare('t1', after)).toEqual(changes);
      expect(await themeFiles.compare('t1', after)).toEqual(changes);
      expect(await themeFiles.replace('t1', after)).toEqual(changes);
      expect(await themeFiles.compare('t1', after)).toEqual({ added: [], changed: [], removed: [] });
      await themeFiles.replace('t2', before.slice(0, 1));
      expect(await themeFiles.list('t1')).toEqual([]);
      expect(await themeFiles.list('t2')).toEqual(before.slice(0, 1));
    });
  });

  describe('product certificates', () => {
    const [product, gccId, by] = ['gid://shopify/Product/1', 'gcc-1', 'Anna'];

    it('updates a product’s certificate state when a certificate is drafted, issued, superseded, or voided', async () => {
      const { productCertificates: certificates } = await installed(harness);
      const unchecked = { checkedStatus: null, retestDue: null };
      const nothing = { productId: product, state: 'none', draft: null, gccId: null, updatedAt: null, ...unchecked };
      expect(await certificates.get(product)).toEqual(nothing);
      await certificates.saveDraft(product, { a: 1 });
      expect(await certificates.get(product)).toMatchObject({ state: 'draft', draft: { a: 1 }, updatedAt: START });
      expect(await certificates.discardDraft(product)).toEqual(nothing);

      await certificates.saveDraft(product, { a: 2 });
      harness.now += HOUR;
      const issued = await certificates.issued(product, { gccId, by });
      expect(issued).toEqual({
        ...{ productId: product, state: 'issued', draft: null, gccId, updatedAt: START + HOUR },
        ...unchecked,
      });
      expect(await certificates.issued(product, { gccId, by })).toEqual(issued);
      expect(await certificates.saveDraft(product, { a: 3 })).toMatchObject({
        state: 'issued',
        draft: { a: 3 },
        gccId,
      });
      harness.now += HOUR;
      await certificates.issued(product, { gccId: 'gcc-2', supersedes: gccId, by });
      expect(await certificates.voided(product, { gccId, reason: 'late', by })).toMatchObject({ state: 'issued' });
      await certificates.saveDraft(product, { a: 4 });
      harness.now += HOUR;
      const end = { gccId: 'gcc-2', reason: 'Wrong laboratory', by };
      expect(await certificates.voided(product, end)).toMatchObject({ state: 'draft', gccId: 'gcc-2' });
      expect(await certificates.voided(product, end)).toMatchObject({ state: 'draft' });
      expect(await certificates.discardDraft(product)).toMatchObject({ state: 'voided', gccId: 'gcc-2' });
      const unknown = certificates.voided(product, { ...end, gccId: 'gcc-3' });
      await expect(unknown).rejects.toMatchObject({ code: 'certificate_unknown' });

      const history = await certificates.history(product);
      expect(
        history.map(({ event, gccId: id, supersedes, reason, at }) => [event, id, supersedes, reason, at]),
      ).toEqual([
        ['voided', 'gcc-2', null, 'Wrong laboratory', START + 3 * HOUR],
        ['voided', 'gcc-1', null, 'late', START + 2 * HOUR],
        ['issued', 'gcc-2', 'gcc-1', null, START + 2 * HOUR],
        ['issued', 'gcc-1', null, null, START + HOUR],
      ]);
    });

    it('counts the certificates that need attention, and discards a check result once a newer certificate is issued', async () => {
      const { productCertificates: certificates } = await installed(harness);
      const needs = () => certificates.needs({ retestBy: '2026-12-31' });
      const none = { unchecked: 0, incomplete: 0, superseded: 0, retest: 0 };
      expect(await needs()).toEqual(none);
      await certificates.issued('p1', { gccId, by });
      await certificates.issued('p2', { gccId: 'gcc-2', by });
      expect(await needs()).toEqual({ ...none, unchecked: 2 });
      await certificates.checked('p1', { gccId, status: 'incomplete', retestDue: '2026-12-31' });
      await certificates.checked('p2', { gccId: 'gcc-2', status: 'complete', retestDue: '2027-01-01' });
      await certificates.saveDraft('p1', {});
      expect(await needs()).toEqual({ ...none, incomplete: 1, retest: 1 });
      expect(await certificates.get('p1')).toMatchObject({ checkedStatus: 'incomplete', retestDue: '2026-12-31' });
      await certificates.issued('p1', { gccId: 'gcc-3', supersedes: gccId, by });
      await certificates.checked('p1', { gccId, status: 'superseded', retestDue: null });
      expect(await needs()).toEqual({ ...none, unchecked: 1 });
    });

    it('sorts products by title, and orders numbers in titles by value', async () => {
      const { productCertificates: certificates, variants } = await installed(harness);
      const titled = (n: number, productTitle: string) => newVariant(n, { productTitle, variantTitle: 'Default' });
      await variants.upsert('r', [titled(1, 'SKU 10'), titled(2, 'sku 2'), titled(3, 'SKU 0001'), titled(4, 'SKU')]);
      const idsOf = (rows: readonly { readonly productId: string }[]) =>
        rows.map(({ productId }) => productId.split('/').at(-1));
      const paged = async (read: (cursor?: string | null) => Promise<Page<{ readonly productId: string }>>) => {
        const first = await read();
        return idsOf([...first.rows, ...(await read(first.next)).rows]);
      };
      expect(await paged(cursor => certificates.missing({ limit: 3, cursor }))).toEqual(['3', '2', '1', '4']);
      for (const n of [1, 2, 3, 4, 'gone']) await certificates.saveDraft(`gid://shopify/Product/${n}`, {});
      expect(await paged(cursor => certificates.list({ state: 'draft', limit: 3, cursor }))).toEqual([
        ...['gone', '3', '2', '1', '4'],
      ]);
      await variants.upsert('r', [titled(4, 'A')]);
      expect(idsOf((await certificates.list({ state: 'draft', limit: 2 })).rows)).toEqual(['gone', '4']);
    });

    it('lists products by certificate state, including products without a certificate', async () => {
      const shop = await installed(harness);
      const { productCertificates: certificates } = shop;
      const variants = Array.from({ length: 6 }, (_, i) => newVariant(i, { productId: `p${i >> 1}` }));
      await shop.variants.upsert('r', variants);
      await certificates.saveDraft('p1', 1);
      await certificates.issued('gone', { gccId, by });
      expect(await certificates.counts()).toEqual({ none: 2, draft: 1, issued: 1, voided: 0 });
      expect((await certificates.list({ state: 'issued', limit: 9 })).rows).toMatchObject([{ productId: 'gone' }]);
      const first = await certificates.missing({ limit: 1 });
      const second = await certificates.missing({ limit: 1, cursor: first.next });
      expect([...first.rows, ...second.rows]).toEqual([
        { productId: 'p0', productTitle: 'Product 0' },
        { productId: 'p2', productTitle: 'Product 4' },
      ]);
      expect(second.next).toBeNull();
      const many = await certificates.many(['p2', 'gone', 'p1']);
      expect([...many].map(([id, { state }]) => [id, state])).toEqual([
        ['p2', 'none'],
        ['gone', 'issued'],
        ['p1', 'draft'],
      ]);
      expect((await certificates.many([])).size).toBe(0);
    });
  });
}
