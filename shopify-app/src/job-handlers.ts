import type { AuditLog } from '@compliance/store';
import type { ShopStore } from '@compliance/store/shop';
import { type AlertDeps, alertEmailJob } from './alerts/email-job.ts';
import { type FlowDeps, flowTriggersJob } from './alerts/flow-job.ts';
import type { Billing } from './billing/plan.ts';
import { pausable, planCheckJob } from './billing/plan-job.ts';
import { catalogJob } from './catalog/catalog-job.ts';
import { recheckJob } from './catalog/recheck-job.ts';
import { catalogNightJob, productJob } from './catalog/refresh-jobs.ts';
import { saveJob } from './catalog/save/save-job.ts';
import { certificateCheckJob } from './certificates/check-job.ts';
import { unlinkJob } from './certificates/unlink-job.ts';
import type { JobHandler } from './jobs/job.ts';
import type { ScanJobRequest } from './scan/model/types.ts';
import { renderJob } from './scan/rendering/render-job.ts';
import { type ScanDeps, scanJob } from './scan/scan-job.ts';
import { themeCheckJob } from './scan/theme-check-job.ts';
import { themeWatchJob } from './scan/theme-watch-job.ts';
import { retentionJob } from './schedule/retention-job.ts';
import { redactJob } from './webhooks/redact-job.ts';

/** Dependencies of the job handlers, apart from the shop. */
export interface JobDeps extends ScanDeps {
  /** Audit log of the changes that merchants make in Shopify through the app. */
  readonly audit: AuditLog;
  readonly certificates: Pick<ShopStore['certificates'], 'get'>;
  /** Dependencies for sending alert emails, or null if the operator hasn't configured an SMTP server. */
  readonly alerts: AlertDeps | null;
  readonly flow: FlowDeps;
  /** Billing settings, or null if billing is off. */
  readonly billing: Billing | null;
}

/** Returns the handlers for all job types. A process without a browser leaves browser checks to other processes. */
export const jobHandlers = (deps: JobDeps): readonly JobHandler[] => [
  redactJob,
  pausable(scanJob(deps), deps.billing, isAutomaticScan),
  ...(deps.renderScan ? [renderJob({ ...deps, renderScan: deps.renderScan })] : []),
  themeCheckJob,
  themeWatchJob(deps.clock),
  retentionJob(deps.clock),
  catalogJob(deps.clock),
  catalogNightJob,
  productJob(deps.clock),
  recheckJob(deps.clock),
  saveJob(deps.audit, deps.clock),
  certificateCheckJob(deps.certificates, deps.clock),
  unlinkJob(deps.audit),
  alertEmailJob(deps.alerts),
  flowTriggersJob(deps.flow),
  planCheckJob(deps.billing, deps.clock),
];

function isAutomaticScan(payload: unknown): boolean {
  const { trigger, isAwaited = false } = payload as ScanJobRequest;
  return (trigger === 'schedule' || trigger === 'theme_published') && !isAwaited;
}
