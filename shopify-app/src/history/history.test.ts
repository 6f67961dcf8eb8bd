import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleShop } from '../../stand-in/shop/samples.ts';
import type { StandInShop } from '../../stand-in/shop/shop.ts';
import { PASTED, themeFiles } from '../../stand-in/shop/theme.ts';
import { createWorld, type World } from '../scan/testing/world.ts';
import { exportHistory } from './export.ts';
import { historyOf, scanViewOf } from './history.ts';

let world: World;
let stood: StandInShop;
let shop: Awaited<ReturnType<World['install']>>;
beforeAll(async () => {
  world = await createWorld();
  stood = sampleShop('told');
  shop = await world.install(stood);
  await world.scan(shop.domain);
  stood.themes[0]!.files = themeFiles(PASTED.metaPixel);
  await world.scan(shop.domain);
});
afterAll(() => world.close());

describe('the history', () => {
  it('has every scan, newest first, with what it changed and the trend oldest first', async () => {
    const { rows, trend, next } = await historyOf(shop, null);
    expect(rows).toHaveLength(2);
    expect(rows[0]!.changed.fixed).toBeGreaterThan(0);
    expect(rows[1]!.changed.fixed).toBe(0);
    expect(trend.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).reverse());
    expect(next).toBeNull();
  });

  it('begins at its beginning for a cursor that leads nowhere', async () => {
    expect((await historyOf(shop, 'nonsense')).rows).toHaveLength(2);
  });

  it('is a CSV too', async () => {
    const rows = parse(await exportHistory(shop).text(), { bom: true, columns: true }) as Record<string, string>[];
    expect(rows.map(({ Score }) => Number(Score))).toEqual(
      (await historyOf(shop, null)).rows.map(({ score }) => score),
    );
  });
});

describe('one scan', () => {
  it('is compared with the one before it, and its lines add up to what the score lacks', async () => {
    const [newer, older] = (await historyOf(shop, null)).rows;
    const view = (await scanViewOf(shop, newer!.id, null))!;
    expect(view.against!.id).toBe(older!.id);
    expect(view.missing.length).toBe(newer!.changed.fixed);
    expect(view.lines.reduce((total, { points }) => total + points, 0)).toBe(100 - view.scan.score!);
    expect(view.coverage.pages.map(({ kind }) => kind)).toContain('home');
  });

  it('can be compared with any other, and the first with none', async () => {
    const [newer, older] = (await historyOf(shop, null)).rows;
    const back = (await scanViewOf(shop, older!.id, newer!.id))!;
    expect(back.appeared.length).toBe(newer!.changed.fixed);
    expect((await scanViewOf(shop, older!.id, null))!.against).toBeNull();
  });

  it('lists the first findings of each kind, and counts the rest', async () => {
    const big = await world.install(sampleShop('big'));
    await world.scan(big.domain);
    const real = (await big.scans.get((await big.scans.latest())!.id))!;
    const findings = Array.from({ length: 40 }, (_, i) => ({
      ...real.findings[0]!,
      fingerprint: `${i}`.padStart(32, '0'),
    }));
    await big.scans.record({ ...real, id: 'many', findings });
    const view = (await scanViewOf(big, 'many', null))!;
    expect(view.appeared).toHaveLength(25);
    expect(view.more.appeared).toBe(15);
    expect(view.more.same).toBe(0);
  });

  it('of another shop does not exist', async () => {
    const other = await world.install(sampleShop('untold'));
    const [newer] = (await historyOf(shop, null)).rows;
    expect(await scanViewOf(other, newer!.id, null)).toBeNull();
    const own = (await historyOf(shop, null)).rows[0]!;
    expect((await scanViewOf(shop, own.id, 'not-mine'))!.against).toBeNull();
  });
});
