/**
 * The v1 HTTP adapter over `@compliance/core`.
 *
 * @module
 */
export { type Api, type ApiDeps, createApi } from './api.ts';
export type { CertificateDeps } from './certificates/issuer.ts';
export { createLinks, type LinkKeys, type Links } from './certificates/links.ts';
export { ERRORS, type ErrorCode } from './errors.ts';
export type { Connection } from './gates/client-address.ts';
export type { FailureFacts, RequestFacts, RequestLog, RequestMetrics } from './observe.ts';
export type { OperatorAccess } from './operator/context.ts';
export type { Retirement } from './v0/v0.ts';
