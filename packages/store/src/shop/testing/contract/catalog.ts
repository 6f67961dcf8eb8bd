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
      expect(names(await shop.variants.changedBy('v2', { limit: 9 }))).toEqual(['SKU-1', 'SKU-4']);
      await shop.variants.upsert('r', [newVariant(1, { listVersion: 'v3', ...other })]);
      expect(names(await shop.variants.changedBy('v2', { limit: 1 }))).toEqual(['SKU-1']);
      const { next } = await shop.variants.changedBy('v2', { limit: 1 });
      expect(names(await shop.variants.changedBy('v2', { limit: 1, cursor: next }))).toEqual(['SKU-4']);
      expect(names(await shop.variants.changedBy('v3', { limit: 9 }))).toEqual([]);
      await shop.variants.upsert('r', [newVariant(1, { listVersion: 'v3', ...other, origin: 'MX' })]);
      expect(names(await shop.variants.changedBy('v2', { limit: 9 }))).toEqual(['SKU-4']);
    });

    it("stores, counts, and pages through many variants, and deletes variants that weren't part of a full catalog run", async () => {
      const shop = await installed(harness);
      const all = Array.from({ length: 2345 }, (_, i) =>
        newVariant(i, {
          productId: `p${i % 1000}`,
          productTitle: `T${i % 10}`,
          status: ['hit', 'clear', 'missing'][i % 3]!,
          digits: i % 3 === 2 ? 'missing' : 'full',
        }),
      );
      await shop.variants.upsert('run-1', all);
      expect(await shop.variants.counts()).toEqual({
        ...{ total: 2345, products: 1000, byStatus: { hit: 782, clear: 782, missing: 781 } },
        ...{ byDigits: { full: 1564, missing: 781 }, byListVersion: { v1: 2345 } },
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

    it('finds variants by title, SKU, and HTS code, and treats wildcards as ordinary characters', async () => {
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
    it('reports changes to theme files since they were last stored', async () => {
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
      const nothing = { productId: product, state: 'none', draft: null, gccId: null, updatedAt: null };
      expect(await certificates.get(product)).toEqual(nothing);
      await certificates.saveDraft(product, { a: 1 });
      expect(await certificates.get(product)).toMatchObject({ state: 'draft', draft: { a: 1 }, updatedAt: START });
      expect(await certificates.discardDraft(product)).toEqual(nothing);

      await certificates.saveDraft(product, { a: 2 });
      harness.now += HOUR;
      const issued = await certificates.issued(product, { gccId, by });
      expect(issued).toEqual({ productId: product, state: 'issued', draft: null, gccId, updatedAt: START + HOUR });
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
