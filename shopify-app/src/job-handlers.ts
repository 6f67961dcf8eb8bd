import type { AuditLog } from '@compliance/store';
import { catalogJob } from './catalog/catalog-job.ts';
import { recheckJob } from './catalog/recheck-job.ts';
import { catalogNightJob, productJob } from './catalog/refresh-jobs.ts';
import { saveJob } from './catalog/save/save-job.ts';
import type { JobHandler } from './jobs/job.ts';
import { type ScanDeps, scanJob } from './scan/scan-job.ts';
import { themeCheckJob } from './scan/theme-check-job.ts';
import { retentionJob } from './schedule/retention-job.ts';
import { redactJob } from './webhooks/redact-job.ts';

/** Dependencies of the job handlers, apart from the shop. */
export interface JobDeps extends ScanDeps {
  /** Audit log of the changes that merchants make in Shopify through the app. */
  readonly audit: AuditLog;
}

/** Returns the handlers for all job types. */
export const jobHandlers = (deps: JobDeps): readonly JobHandler[] => [
  redactJob,
  scanJob(deps),
  themeCheckJob,
  retentionJob(deps.clock),
  catalogJob(deps.clock),
  catalogNightJob,
  productJob(deps.clock),
  recheckJob(deps.clock),
  saveJob(deps.audit, deps.clock),
];
