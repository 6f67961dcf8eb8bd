import type { Scope } from './scope.ts';

/** What is old, and what is kept of it. */
export interface RetentionRule {
  /** ms since epoch. */
  readonly olderThan: number;
  readonly keepScans: number;
}

/** How many of each were removed. */
export interface Removed {
  readonly scans: number;
  readonly findings: number;
  readonly jobs: number;
}

/** Removes what is old: see `Shop.retain`. */
export function createRetain({ ledger, shop, write }: Scope): (rule: RetentionRule) => Promise<Removed> {
  const newest = (limit: number) =>
    ledger.selectFrom('shop_scans').select('seq').where('shop', '=', shop).orderBy('seq', 'desc').limit(limit);

  return ({ olderThan, keepScans }) =>
    write(async trx => {
      const scans = await trx
        .deleteFrom('shop_scans')
        .where('shop', '=', shop)
        .where('finished_at', '<', olderThan)
        .where('seq', 'not in', newest(Math.max(keepScans, 1)))
        .where('seq', 'not in', newest(1).where('state', '=', 'complete'))
        .executeTakeFirst();
      const old = trx
        .selectFrom('shop_findings')
        .select('fingerprint')
        .where('shop', '=', shop)
        .where('status', '=', 'fixed')
        .where('fixed_at', '<', olderThan);
      await trx.deleteFrom('shop_finding_places').where('shop', '=', shop).where('fingerprint', 'in', old).execute();
      const findings = await trx
        .deleteFrom('shop_findings')
        .where('shop', '=', shop)
        .where('status', '=', 'fixed')
        .where('fixed_at', '<', olderThan)
        .executeTakeFirst();
      const jobs = await trx
        .deleteFrom('shop_jobs')
        .where('shop', '=', shop)
        .where('live_key', 'is', null)
        .where('finished_at', '<', olderThan)
        .executeTakeFirst();
      return {
        scans: Number(scans.numDeletedRows),
        findings: Number(findings.numDeletedRows),
        jobs: Number(jobs.numDeletedRows),
      };
    });
}
