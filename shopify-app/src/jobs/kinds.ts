import type { AuditLog } from '@compliance/store';
import { catalogJob } from '../catalog/catalog-job.ts';
import { catalogNightJob, productJob } from '../catalog/jobs.ts';
import { recheckJob } from '../catalog/recheck-job.ts';
import { saveJob } from '../catalog/save/save-job.ts';
import { type ScanDoors, scanJob } from '../scan/scan-job.ts';
import { themeCheckJob } from '../scan/theme-check-job.ts';
import { redactJob } from '../webhooks/redact-job.ts';
import type { JobKind } from './job.ts';
import { retentionJob } from './retention-job.ts';

/** What the jobs work with besides the shop. */
export interface JobDoors extends ScanDoors {
  /** Where it is written down who had something changed at Shopify. */
  readonly audit: AuditLog;
}

/** Every kind of job there is. */
export const jobKinds = (doors: JobDoors): readonly JobKind[] => [
  redactJob,
  scanJob(doors),
  themeCheckJob,
  retentionJob(doors.clock),
  catalogJob(doors.clock),
  catalogNightJob,
  productJob(doors.clock),
  recheckJob(doors.clock),
  saveJob(doors.audit, doors.clock),
];
