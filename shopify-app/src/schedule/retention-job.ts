import { deleteStaleFiles } from '../certificates/draft-files.ts';
import type { JobHandler } from '../jobs/job.ts';

/** Type of the job that deletes old data. */
export const RETENTION = 'retention';

const DAY_MS = 86_400_000;

/** Minimum number of scans to keep regardless of their age, so that a rarely scanned store keeps its history. */
const KEPT_SCANS = 10;

/**
 * Creates the job that deletes files from issued or discarded drafts, and data older than the merchant's retention
 * period.
 */
export const retentionJob = (clock: () => number): JobHandler => ({
  kind: RETENTION,
  async run({ merchant: { shop } }) {
    const record = await shop.record();
    if (!record) return null;
    await deleteStaleFiles(shop);
    return await shop.retain({
      olderThan: clock() - record.settings.retentionDays * DAY_MS,
      keepScans: KEPT_SCANS,
    });
  },
});
