import type { FakeShop } from '@compliance/fake-shopify';
import { PASTED, sampleShop, sampleThemeFiles } from '@compliance/fake-shopify';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { exportHistory } from './export.ts';
import { historyOf, scanViewOf } from './history.ts';

let harness: JobHarness;
let fakeShop: FakeShop;
let shop: Awaited<ReturnType<JobHarness['install']>>;
beforeAll(async () => {
  harness = await createJobHarness();
  fakeShop = sampleShop('told');
  shop = await harness.install(fakeShop);
  await harness.scan(shop.domain);
  fakeShop.themes[0]!.files = sampleThemeFiles(PASTED.metaPixel);
  await harness.scan(shop.domain);
});
afterAll(() => harness.close());

describe('scan history', () => {
  it('lists scans and their changes from newest to oldest, and the score trend from oldest to newest', async () => {
    const { rows, trend, next } = await historyOf(shop, null);
    expect(rows).toHaveLength(2);
    expect(rows[0]!.changed.fixed).toBeGreaterThan(0);
    expect(rows[1]!.changed.fixed).toBe(0);
    expect(trend.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).reverse());
    expect(next).toBeNull();
  });

  it('shows the first page of the history for an invalid cursor', async () => {
    expect((await historyOf(shop, 'nonsense')).rows).toHaveLength(2);
  });

  it('exports the scan history as CSV', async () => {
    const rows = parse(await exportHistory(shop).text(), { bom: true, columns: true }) as Record<string, string>[];
    expect(rows.map(({ Score }) => Number(Score))).toEqual(
      (await historyOf(shop, null)).rows.map(({ score }) => score),
    );
  });
});

describe('scan details', () => {
  it('compares a scan with the previous scan and explains every point deducted from the score', async () => {
    const [newer, older] = (await historyOf(shop, null)).rows;
    const view = (await scanViewOf(shop, newer!.id, null))!;
    expect(view.against!.id).toBe(older!.id);
    expect(view.missing.length).toBe(newer!.changed.fixed);
    expect(view.lines.reduce((total, { points }) => total + points, 0)).toBe(100 - view.scan.score!);
    expect(view.coverage.pages.map(({ kind }) => kind)).toContain('home');
  });

  it('compares a scan with any other scan and shows the first scan without a comparison', async () => {
    const [newer, older] = (await historyOf(shop, null)).rows;
    const back = (await scanViewOf(shop, older!.id, newer!.id))!;
    expect(back.appeared.length).toBe(newer!.changed.fixed);
    expect((await scanViewOf(shop, older!.id, null))!.against).toBeNull();
  });

  it('lists the first findings in each group and counts the rest', async () => {
    const big = await harness.install(sampleShop('big'));
    await harness.scan(big.domain);
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

  it('returns null for another shop’s scan', async () => {
    const other = await harness.install(sampleShop('untold'));
    const [newer] = (await historyOf(shop, null)).rows;
    expect(await scanViewOf(other, newer!.id, null)).toBeNull();
    const own = (await historyOf(shop, null)).rows[0]!;
    expect((await scanViewOf(shop, own.id, 'not-mine'))!.against).toBeNull();
  });
});
