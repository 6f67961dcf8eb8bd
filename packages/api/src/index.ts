/**
 * Exposes `@compliance/core`, the crawler, and the store as an HTTP API with a single fetch handler.
 *
 * @module
 */

export { ERRORS, type ErrorCode } from '@compliance/contract/errors';
export { type Api, type ApiDeps, createApi } from './api.ts';
export type { CertificateDeps } from './certificates/certificate-service.ts';
export { createLinks, type LinkKeys, type Links } from './certificates/links.ts';
export type { Connection } from './http/client-network.ts';
export { createInputSources, type InputSources } from './jobs/input-sources.ts';
export { createJobLinks, type JobLinks } from './jobs/job-links.ts';
export { createParquetReader, type ReadParquet } from './jobs/parquet/parquet-lines.ts';
export { type BulkWorkerDeps, startBulkWorker } from './jobs/worker.ts';
export type { FailureFacts, RequestFacts, RequestLog, RequestMetrics } from './observability/observe.ts';
export type { OperatorAccess } from './operator/shared/context.ts';
export type { Retirement } from './v0/v0.ts';
export { type DeliveryDeps, startWebhookWorker } from './watches/deliver-webhooks.ts';
export { type EvaluationDeps, evaluateWatches, type WatchEventBody } from './watches/evaluate-watches.ts';
export { type RepeatedWork, runRepeatedly } from './watches/run-repeatedly.ts';
export { createWebhookSecrets, type WebhookSecrets } from './watches/webhook-secrets.ts';
