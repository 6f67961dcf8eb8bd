import { type ScanDoors, scanJob } from '../scan/scan-job.ts';
import { themeCheckJob } from '../scan/theme-check-job.ts';
import { redactJob } from '../webhooks/redact-job.ts';
import type { JobKind } from './job.ts';
import { retentionJob } from './retention-job.ts';

/** What the jobs work with besides the shop. */
export type JobDoors = ScanDoors;

/** Every kind of job there is. */
export const jobKinds = (doors: JobDoors): readonly JobKind[] => [
  redactJob,
  scanJob(doors),
  themeCheckJob,
  retentionJob(doors.clock),
];
