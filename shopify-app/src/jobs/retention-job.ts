import type { JobKind } from './job.ts';

/** The word for the job that removes what is old. */
export const RETENTION = 'retention';

const DAY_MS = 86_400_000;

/** Scans that stay however old they are, so that a store that is seldom scanned keeps its history. */
const KEPT_SCANS = 10;

/** The job that removes what is older than the merchant wants it kept. */
export const retentionJob = (clock: () => number): JobKind => ({
  kind: RETENTION,
  async run({ merchant: { shop } }) {
    const record = await shop.record();
    if (!record) return null;
    return await shop.retain({
      olderThan: clock() - record.settings.retentionDays * DAY_MS,
      keepScans: KEPT_SCANS,
    });
  },
});
