import { describe, expect, it } from 'vitest';
import { DAY, HOUR, START, type StoreHarness } from '../../../testing/contract/harness.ts';
import type { NewScan, ShopStore } from '../../index.ts';
import { installed, newScan, observed } from '../fixtures.ts';

export function registerScans(harness: StoreHarness<ShopStore>): void {
  describe('scans', () => {
    it('stores scans unchanged', async () => {
      const shop = await installed(harness);
      const scan = newScan({
        findings: [observed('f', 'page /', { severity: 'error' }), observed('f', 'page /cart'), observed('g')],
      });
      harness.now += HOUR;
      const summary = await shop.scans.record(scan);
      const { breakdown, coverage, inventory, findings, covered, ...rest } = scan;
      expect(summary).toEqual({
        ...rest,
        finishedAt: START + HOUR,
        counts: { error: 1, warn: 1, info: 0 },
        changes: { new: ['f', 'g'], fixed: [], regressed: [], same: 0, unseen: 0 },
      });
      expect(await shop.scans.get(scan.id)).toEqual({ ...summary, breakdown, coverage, inventory, findings, covered });
      expect(await shop.scans.latest()).toEqual(summary);
      expect(await shop.scans.get('another')).toBeNull();
    });

    it('records a scan and updates the shop’s findings only once per scan ID', async () => {
      const shop = await installed(harness);
      const scan = newScan({ findings: [observed('f')] });
      const recorded = await Promise.all([shop.scans.record(scan), shop.scans.record(scan)]);
      expect(recorded[0]).toEqual(recorded[1]);
      harness.now += HOUR;
      expect(await shop.scans.record({ ...scan, findings: [] })).toEqual(recorded[0]);
      expect((await shop.findings.get('f'))?.status).toBe('open');
      expect((await shop.scans.list({ limit: 9 })).rows).toHaveLength(1);
    });

    it('pages through scans from newest to oldest without gaps or repetitions', async () => {
      const shop = await installed(harness);
      const recorded: string[] = [];
      for (let i = 0; i < 25; i++) {
        recorded.unshift((await shop.scans.record(newScan())).id);
        harness.now += i % 3;
      }
      const read: string[] = [];
      for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
        const page = await shop.scans.list({ limit: 10, cursor });
        read.push(...page.rows.map(({ id }) => id));
        cursor = page.next;
      }
      expect(read).toEqual(recorded);
      expect((await shop.scans.list({ limit: 25 })).next).toBeNull();
    });

    it.each(['x', '[]', '[1]', '["a","b"]', '["\\u0000"]', '{"0":"a"}', 'null'])(
      'rejects the cursor %j',
      async position => {
        const shop = await installed(harness);
        const cursor = Buffer.from(position).toString('base64url');
        await expect(shop.scans.list({ limit: 9, cursor })).rejects.toMatchObject({ code: 'cursor_invalid' });
        await expect(shop.findings.list({ limit: 9, cursor })).rejects.toMatchObject({ code: 'cursor_invalid' });
      },
    );

    it('returns the newest complete scan, overall or before a given scan', async () => {
      const shop = await installed(harness);
      expect(await shop.scans.latestComplete()).toBeNull();
      const ids: string[] = [];
      for (const state of ['complete', 'partial', 'complete', 'failed'] as const) {
        ids.push((await shop.scans.record(newScan({ state, inventory: { n: ids.length } }))).id);
        harness.now += HOUR;
      }
      expect(await shop.scans.latestComplete()).toMatchObject({ id: ids[2], inventory: { n: 2 } });
      expect((await shop.scans.latestComplete({ before: ids[3] }))?.id).toBe(ids[2]);
      expect((await shop.scans.latestComplete({ before: ids[2] }))?.id).toBe(ids[0]);
      expect(await shop.scans.latestComplete({ before: ids[0] })).toBeNull();
      expect((await shop.scans.latest())?.id).toBe(ids[3]);
    });

    it('returns the score trend, oldest scan first, and omits scans without a score', async () => {
      const shop = await installed(harness);
      for (const score of [10, 20, null, 30, 40]) {
        await shop.scans.record(newScan({ score }));
        harness.now += HOUR;
      }
      expect((await shop.scans.trend(3)).map(({ score, finishedAt }) => [score, finishedAt])).toEqual([
        [20, START + HOUR],
        [30, START + 3 * HOUR],
        [40, START + 4 * HOUR],
      ]);
    });

    it.each<[string, Partial<NewScan>]>([
      ['an empty ID', { id: '' }],
      ['a path as its ID', { id: '../x' }],
      ['a location without a name', { covered: [''] }],
      ['a location that is too long for an index', { covered: ['x'.repeat(1001)] }],
      ['a fingerprint with NUL', { findings: [observed('a\0b')] }],
    ])('rejects a scan with %s', async (_, wrong) => {
      const shop = await installed(harness);
      await expect(shop.scans.record(newScan(wrong))).rejects.toMatchObject({ code: 'scan_invalid' });
    });

    it('deletes old scans, fixed findings, and jobs, but keeps the newest scan and the newest complete scan', async () => {
      const shop = await installed(harness);
      const ids: string[] = [];
      for (const [state, findings] of [
        ['complete', [observed('old'), observed('open')]],
        ['complete', [observed('open')]],
        ['failed', []],
        ['failed', []],
      ] as const) {
        const covered = state === 'failed' ? [] : ['page /'];
        ids.push((await shop.scans.record(newScan({ state, findings, covered }))).id);
        await shop.jobs.enqueue({ kind: 'scan' });
        await (await harness.store.jobs.claim('w', ['scan'], HOUR))?.complete();
        harness.now += DAY;
      }
      await shop.jobs.enqueue({ kind: 'scan' });
      const rule = { olderThan: harness.now, keepScans: 1 };
      expect(await shop.retain(rule)).toEqual({ scans: 2, findings: 1, jobs: 4 });
      expect((await shop.scans.list({ limit: 9 })).rows.map(({ id }) => id)).toEqual([ids[3], ids[1]]);
      expect((await shop.findings.list({ limit: 9 })).rows.map(each => each.fingerprint)).toEqual(['open']);
      expect(await harness.store.sql("select * from shop_finding_places where fingerprint = 'old'")).toEqual([]);
      expect((await shop.jobs.latest('scan'))?.state).toBe('queued');
      expect(await shop.retain(rule)).toEqual({ scans: 0, findings: 0, jobs: 0 });
    });
  });
}
