import { describe, expect, it } from 'vitest';
import { DAY, HOUR, START, type StoreHarness } from '../../../testing/contract/harness.ts';
import type { ObservedFinding, Shop, ShopStore } from '../../index.ts';
import { installed, newScan, observed } from '../fixtures.ts';

const HOME = 'page /';
const CART = 'page /cart';
const LAYOUT = 'layout/theme.liquid';

export function registerFindings(harness: StoreHarness<ShopStore>): void {
  describe('findings', () => {
    const scan = async (shop: Shop, findings: readonly ObservedFinding[], covered: readonly string[]) => {
      harness.now += HOUR;
      const { changes } = await shop.scans.record(newScan({ findings, covered }));
      return changes;
    };
    const unchanged = { new: [], fixed: [], regressed: [], same: 0, unseen: 0 };

    it('reports a finding as new, then as observed again, then as fixed, and then as regressed', async () => {
      const shop = await installed(harness);
      expect(await scan(shop, [observed('f')], [HOME])).toEqual({ ...unchanged, new: ['f'] });
      const later = observed('f', HOME, { severity: 'error', ruleId: 'b_rule', detail: { message: 'moved' } });
      expect(await scan(shop, [later], [HOME])).toEqual({ ...unchanged, same: 1 });
      expect(await shop.findings.get('f')).toEqual({
        ...{ fingerprint: 'f', ruleId: 'b_rule', severity: 'error', status: 'open', places: [HOME] },
        ...{ firstSeen: START + HOUR, lastSeen: START + 2 * HOUR, fixedAt: null, regressedAt: null },
        ...{ detail: { message: 'moved' }, acceptance: null, accepted: false, verdict: null, refuted: false },
      });
      expect(await scan(shop, [], [HOME])).toEqual({ ...unchanged, fixed: ['f'] });
      expect(await shop.findings.get('f')).toMatchObject({
        ...{ status: 'fixed', fixedAt: START + 3 * HOUR, lastSeen: START + 2 * HOUR, places: [HOME] },
      });
      expect(await scan(shop, [], [HOME])).toEqual(unchanged);
      expect(await scan(shop, [observed('f', CART)], [HOME, CART])).toEqual({ ...unchanged, regressed: ['f'] });
      expect(await shop.findings.get('f')).toMatchObject({
        ...{ status: 'open', firstSeen: START + HOUR, fixedAt: null, regressedAt: START + 5 * HOUR, places: [CART] },
      });
    });

    it('stores details that only the current finding needs, but omits them from the scan history', async () => {
      const shop = await installed(harness);
      const finding = observed('f', HOME, { detail: { message: 'a' }, currentDetail: { message: 'a', fix: 'b' } });
      const { id } = await shop.scans.record(newScan({ findings: [finding], covered: [HOME] }));
      expect((await shop.findings.get('f'))?.detail).toEqual({ message: 'a', fix: 'b' });
      const [recorded] = (await shop.scans.get(id))!.findings;
      expect(recorded).not.toHaveProperty('currentDetail');
      expect(recorded?.detail).toEqual({ message: 'a' });
    });

    it('marks a finding as fixed only after every location where it was observed has been scanned again', async () => {
      const shop = await installed(harness);
      await scan(shop, [observed('f', HOME), observed('f', CART), observed('g', LAYOUT)], [HOME, CART, LAYOUT]);
      expect(await scan(shop, [], [])).toEqual({ ...unchanged, unseen: 2 });
      expect(await scan(shop, [], [HOME])).toEqual({ ...unchanged, unseen: 2 });
      expect((await shop.findings.get('f'))?.places).toEqual([CART]);
      expect(await scan(shop, [], [HOME, LAYOUT])).toEqual({ ...unchanged, unseen: 1, fixed: ['g'] });
      expect(await scan(shop, [observed('f', HOME)], [HOME])).toEqual({ ...unchanged, same: 1 });
      expect((await shop.findings.get('f'))?.places).toEqual([HOME, CART]);
      expect(await scan(shop, [observed('f', HOME)], [HOME, CART])).toEqual({ ...unchanged, same: 1 });
      expect((await shop.findings.get('f'))?.places).toEqual([HOME]);
      expect(await scan(shop, [], [HOME])).toEqual({ ...unchanged, fixed: ['f'] });
    });

    it('updates 1,234 findings at 7 locations from later scans', async () => {
      const shop = await installed(harness);
      const all = Array.from({ length: 1234 }, (_, i) => observed(`f${i}`, `page /${i % 7}`));
      const places = Array.from({ length: 7 }, (_, i) => `page /${i}`);
      expect((await scan(shop, all, places)).new).toHaveLength(1234);
      const half = all.slice(0, 617);
      const changes = await scan(shop, half, places.slice(1));
      const unread = all.slice(617).filter(({ place }) => place === 'page /0').length;
      expect(changes).toMatchObject({ same: 617, unseen: unread });
      expect(changes.fixed).toHaveLength(617 - unread);
      expect(await shop.findings.counts()).toMatchObject({ open: 617 + unread, fixed: 617 - unread });
    });

    it('lists findings by severity, with filters and pagination', async () => {
      const shop = await installed(harness);
      const some = [
        observed('w1', HOME),
        observed('w0', CART, { ruleId: 'b_rule' }),
        observed('e1', CART, { severity: 'error', ruleId: 'z_rule' }),
        observed('i1', HOME, { severity: 'info' }),
        observed('e0', HOME, { severity: 'error', ruleId: 'z_rule' }),
        observed('i1', LAYOUT, { severity: 'info' }),
      ];
      await scan(shop, some, [HOME, CART, LAYOUT]);
      await scan(shop, some.slice(1), [HOME, CART, LAYOUT]);
      const names = async (filter: Parameters<Shop['findings']['list']>[0]) =>
        (await shop.findings.list(filter)).rows.map(({ fingerprint }) => fingerprint);

      expect(await names({ limit: 9 })).toEqual(['e0', 'e1', 'w1', 'w0', 'i1']);
      expect(await names({ limit: 9, status: 'open' })).toEqual(['e0', 'e1', 'w0', 'i1']);
      expect(await names({ limit: 9, status: 'fixed' })).toEqual(['w1']);
      expect(await names({ limit: 9, severity: 'error' })).toEqual(['e0', 'e1']);
      expect(await names({ limit: 9, ruleId: 'b_rule' })).toEqual(['w0']);
      expect(await names({ limit: 9, place: LAYOUT })).toEqual(['i1']);
      expect(await names({ limit: 9, place: CART, severity: 'warn' })).toEqual(['w0']);
      expect(await names({ limit: 9, place: "' or 1=1 --" })).toEqual([]);

      const read: string[] = [];
      for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
        const page = await shop.findings.list({ limit: 2, cursor });
        read.push(...page.rows.map(({ fingerprint }) => fingerprint));
        cursor = page.next;
      }
      expect(read).toEqual(['e0', 'e1', 'w1', 'w0', 'i1']);
      expect((await shop.findings.list({ limit: 1, place: LAYOUT })).rows[0]?.places).toEqual([LAYOUT, HOME]);
    });

    it('accepts findings until a given time, after which they no longer count as accepted', async () => {
      const shop = await installed(harness);
      await scan(shop, [observed('f'), observed('g', CART, { severity: 'error' })], [HOME, CART]);
      const until = harness.now + DAY;
      const at = harness.now;
      expect(await shop.findings.accept(['f', 'f', 'unknown'], { reason: 'A test', until, by: 'Anna' })).toBe(1);
      expect(await shop.findings.get('f')).toMatchObject({
        ...{ acceptance: { reason: 'A test', until, by: 'Anna', at }, accepted: true },
      });
      const counts = await shop.findings.counts();
      expect(counts).toEqual({
        ...{ open: 2, fixed: 0, accepted: 1, refuted: 0, bySeverity: { error: 1, warn: 0, info: 0 } },
        byRule: [{ ruleId: 'a_rule', count: 2 }],
        byPlace: [
          { place: HOME, count: 1 },
          { place: CART, count: 1 },
        ],
      });
      const accepted = async (yes: boolean) =>
        (await shop.findings.list({ accepted: yes, limit: 9 })).rows.map(({ fingerprint }) => fingerprint);
      expect([await accepted(true), await accepted(false)]).toEqual([['f'], ['g']]);

      // The acceptance remains in effect after the finding is fixed.
      await scan(shop, [observed('g', CART)], [HOME, CART]);
      await scan(shop, [observed('f')], [HOME]);
      expect((await shop.findings.get('f'))?.accepted).toBe(true);
      harness.now = until;
      expect(await shop.findings.get('f')).toMatchObject({ accepted: false, acceptance: { until } });
      expect([await accepted(true), await accepted(false)]).toEqual([[], ['f', 'g']]);
      expect(await shop.findings.accept(['f', 'g'], { reason: 'For good\0', until: null, by: 'Ben' })).toBe(2);
      harness.now += 1000 * DAY;
      expect(await accepted(true)).toEqual(['f', 'g']);
      expect(await shop.findings.unaccept(['f'])).toBe(1);
      expect((await shop.findings.get('f'))?.acceptance).toBeNull();
    });
  });
}
