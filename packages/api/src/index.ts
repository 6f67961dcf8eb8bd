/**
 * Exposes `@compliance/core`, the crawler, and the store as an HTTP API with a single fetch handler.
 *
 * @module
 */
export { type Api, type ApiDeps, createApi } from './api.ts';
export type { CertificateDeps } from './certificates/certificate-service.ts';
export { type CertificateDrawing, drawInPool, drawInProcess, drawingModule } from './certificates/drawing.ts';
export { createLinks, type LinkKeys, type Links } from './certificates/links.ts';
export { ERRORS, type ErrorCode } from './errors/error-codes.ts';
export type { Connection } from './http/client-network.ts';
export type { FailureFacts, RequestFacts, RequestLog, RequestMetrics } from './observability/observe.ts';
export type { OperatorAccess } from './operator/shared/context.ts';
export type { Retirement } from './v0/v0.ts';
