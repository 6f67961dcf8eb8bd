import type { ShopScope } from './scope.ts';

/** Cutoff time for deleting older data, and the number of scans to keep regardless of their age. */
export interface RetentionPolicy {
  /** Cutoff time, in milliseconds since the Unix epoch. */
  readonly olderThan: number;
  readonly keepScans: number;
}

/** Numbers of deleted scans, findings, and jobs. */
export interface RetentionResult {
  readonly scans: number;
  readonly findings: number;
  readonly jobs: number;
}

/** Creates the function that deletes old data. See `Shop.retain`. */
export function createRetention({
  durable,
  shop,
  write,
}: ShopScope): (rule: RetentionPolicy) => Promise<RetentionResult> {
  const newest = (limit: number) =>
    durable.selectFrom('shop_scans').select('seq').where('shop', '=', shop).orderBy('seq', 'desc').limit(limit);

  return ({ olderThan, keepScans }) =>
    write(async trx => {
      const scans = await trx
        .deleteFrom('shop_scans')
        .where('shop', '=', shop)
        .where('finished_at', '<', olderThan)
        .where('seq', 'not in', newest(Math.max(keepScans, 1)))
        .where('seq', 'not in', newest(1).where('state', '=', 'complete'))
        .executeTakeFirst();
      const renderings = trx
        .selectFrom('shop_renderings')
        .select('id')
        .where('shop', '=', shop)
        .orderBy('id', 'desc')
        .limit(1);
      await trx
        .deleteFrom('shop_renderings')
        .where('shop', '=', shop)
        .where('finished_at', '<', olderThan)
        .where('id', 'not in', renderings)
        .where('id', 'not in', renderings.where('state', '!=', 'unseen'))
        .execute();
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
