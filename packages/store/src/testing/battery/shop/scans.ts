import { describe, expect, it } from 'vitest';
import type { NewScan } from '../../../index.ts';
import { DAY, HOUR, START, type World } from '../world.ts';
import { installed, newScan, seen } from './given.ts';

export function registerScans(world: World): void {
  describe('scans', () => {
    it('are kept as they are', async () => {
      const shop = await installed(world);
      const scan = newScan({
        findings: [seen('f', 'page /', { severity: 'error' }), seen('f', 'page /cart'), seen('g')],
      });
      world.now += HOUR;
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

    it('are recorded once, and settle findings once', async () => {
      const shop = await installed(world);
      const scan = newScan({ findings: [seen('f')] });
      const recorded = await Promise.all([shop.scans.record(scan), shop.scans.record(scan)]);
      expect(recorded[0]).toEqual(recorded[1]);
      world.now += HOUR;
      expect(await shop.scans.record({ ...scan, findings: [] })).toEqual(recorded[0]);
      expect((await shop.findings.get('f'))?.status).toBe('open');
      expect((await shop.scans.list({ limit: 9 })).rows).toHaveLength(1);
    });

    it('page from the newest to the oldest without a gap or a repetition', async () => {
      const shop = await installed(world);
      const recorded: string[] = [];
      for (let i = 0; i < 25; i++) {
        recorded.unshift((await shop.scans.record(newScan())).id);
        world.now += i % 3;
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
      'refuse the cursor %j',
      async position => {
        const shop = await installed(world);
        const cursor = Buffer.from(position).toString('base64url');
        await expect(shop.scans.list({ limit: 9, cursor })).rejects.toMatchObject({ code: 'cursor_invalid' });
        await expect(shop.findings.list({ limit: 9, cursor })).rejects.toMatchObject({ code: 'cursor_invalid' });
      },
    );

    it('give the baseline: the newest complete one, or the one before', async () => {
      const shop = await installed(world);
      expect(await shop.scans.latestComplete()).toBeNull();
      const ids: string[] = [];
      for (const state of ['complete', 'partial', 'complete', 'failed'] as const) {
        ids.push((await shop.scans.record(newScan({ state, inventory: { n: ids.length } }))).id);
        world.now += HOUR;
      }
      expect(await shop.scans.latestComplete()).toMatchObject({ id: ids[2], inventory: { n: 2 } });
      expect((await shop.scans.latestComplete({ before: ids[3] }))?.id).toBe(ids[2]);
      expect((await shop.scans.latestComplete({ before: ids[2] }))?.id).toBe(ids[0]);
      expect(await shop.scans.latestComplete({ before: ids[0] })).toBeNull();
      expect((await shop.scans.latest())?.id).toBe(ids[3]);
    });

    it('give the trend of those that have a score, oldest first', async () => {
      const shop = await installed(world);
      for (const score of [10, 20, null, 30, 40]) {
        await shop.scans.record(newScan({ score }));
        world.now += HOUR;
      }
      expect((await shop.scans.trend(3)).map(({ score, finishedAt }) => [score, finishedAt])).toEqual([
        [20, START + HOUR],
        [30, START + 3 * HOUR],
        [40, START + 4 * HOUR],
      ]);
    });

    it.each<[string, Partial<NewScan>]>([
      ['no id', { id: '' }],
      ['an id that is a path', { id: '../x' }],
      ['a place without a name', { covered: [''] }],
      ['a place that fits no index', { covered: ['x'.repeat(1001)] }],
      ['a fingerprint with NUL', { findings: [seen('a\0b')] }],
    ])('with %s are refused', async (_, wrong) => {
      const shop = await installed(world);
      await expect(shop.scans.record(newScan(wrong))).rejects.toMatchObject({ code: 'scan_invalid' });
    });

    it('and findings and jobs that are old go, but the newest, the baseline and what is open', async () => {
      const shop = await installed(world);
      const ids: string[] = [];
      for (const [state, findings] of [
        ['complete', [seen('old'), seen('open')]],
        ['complete', [seen('open')]],
        ['failed', []],
        ['failed', []],
      ] as const) {
        const covered = state === 'failed' ? [] : ['page /'];
        ids.push((await shop.scans.record(newScan({ state, findings, covered }))).id);
        await shop.jobs.enqueue({ kind: 'scan' });
        await (await world.store.jobs.claim('w', ['scan'], HOUR))?.complete();
        world.now += DAY;
      }
      await shop.jobs.enqueue({ kind: 'scan' });
      const rule = { olderThan: world.now, keepScans: 1 };
      expect(await shop.retain(rule)).toEqual({ scans: 2, findings: 1, jobs: 4 });
      expect((await shop.scans.list({ limit: 9 })).rows.map(({ id }) => id)).toEqual([ids[3], ids[1]]);
      expect((await shop.findings.list({ limit: 9 })).rows.map(each => each.fingerprint)).toEqual(['open']);
      expect(await world.store.sql("select * from shop_finding_places where fingerprint = 'old'")).toEqual([]);
      expect((await shop.jobs.latest('scan'))?.state).toBe('queued');
      expect(await shop.retain(rule)).toEqual({ scans: 0, findings: 0, jobs: 0 });
    });
  });
}
